/// The tools an agent may use, changed at any time, in the order they were registered.
///
/// Several agents may share one registry. A change reaches a conversation with its next prompt, as a new epoch.
public actor ToolRegistry {
  /// The tools as they were registered.
  private var own: [AnyTool] = []
  private var catalogue = ToolCatalogue()
  /// The tools as they are used: with the catalogue's words, and with what it adds.
  private var tools: [AnyTool] = []
  private var positions: [String: Int] = [:]
  /// Grows with every change.
  public private(set) var revision = 0

  /// An empty registry.
  public init() {}

  /// A registry of tools.
  /// - Throws: `Failure` when two have one name, a name is not allowed or parameters are impossible.
  public init(_ tools: [any Tool]) throws {
    for tool in tools {
      let tool = try AnyTool(tool)
      guard positions[tool.definition.name] == nil else { throw Failure.duplicate(tool.definition.name) }
      positions[tool.definition.name] = own.count
      own.append(tool)
    }
    self.tools = own
  }

  /// Adds a tool.
  /// - Throws: `Failure` when the name is taken or not allowed, or when its parameters are impossible. Nothing changes then.
  public func register(_ tool: any Tool) throws {
    let tool = try AnyTool(tool)
    guard !own.contains(where: { $0.definition.name == tool.definition.name }) else {
      throw Failure.duplicate(tool.definition.name)
    }
    own.append(tool)
    update()
  }

  /// Puts a tool in the place of the one with its name, or adds it.
  /// - Throws: `Failure` when its name is not allowed or its parameters are impossible. Nothing changes then.
  public func replace(_ tool: any Tool) throws {
    let tool = try AnyTool(tool)
    if let position = own.firstIndex(where: { $0.definition.name == tool.definition.name }) {
      own[position] = tool
    } else {
      own.append(tool)
    }
    update()
  }

  /// Takes a tool away; calls that are under way finish. False when there is none of that name.
  @discardableResult
  public func unregister(_ name: String) -> Bool {
    guard let position = own.firstIndex(where: { $0.definition.name == name }) else { return false }
    own.remove(at: position)
    update()
    return true
  }

  /// Describes the tools by a catalogue, and adds those it makes of them, in place of what an earlier catalogue said. An
  /// empty one leaves the tools as they were registered.
  /// - Returns: what of it cannot be used here, a sentence each.
  @discardableResult
  public func apply(_ catalogue: ToolCatalogue) -> [String] {
    self.catalogue = catalogue
    return update()
  }

  @discardableResult
  private func update() -> [String] {
    let (applied, problems) = catalogue.applied(to: own)
    tools = applied
    positions = Dictionary(tools.enumerated().map { ($1.definition.name, $0) }, uniquingKeysWith: { first, _ in first })
    revision += 1
    return problems
  }

  /// The tool of a name.
  public func tool(named name: String) -> AnyTool? { positions[name].map { tools[$0] } }

  /// All tools, in order.
  package var all: [AnyTool] { tools }

  /// All tools as the model sees them, in order.
  public var definitions: [ToolDefinition] { tools.map(\.definition) }

  /// What happens when a tool cannot be registered.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What kind of failure.
    public enum Code: String, Sendable {
      /// Another tool has the name.
      case duplicateName
      /// The name is not one that providers take.
      case invalidName
      /// The parameters are no JSON Schema of an object, or cannot be derived.
      case invalidParameters
    }
    /// What kind of failure.
    public let code: Code
    /// One sentence with the reason.
    public let message: String
    /// What lies beneath.
    public let underlying: (any Error)?

    init(code: Code, message: String, underlying: (any Error)? = nil) {
      self.code = code
      self.message = message
      self.underlying = underlying
    }

    static func duplicate(_ name: String) -> Self {
      Self(code: .duplicateName, message: "a tool named \(name) is registered already: unregister or replace it")
    }

    public var description: String { message }
  }
}
