public import MartletJSON

/// The tools a model was offered in a turn, as far as reading its calls needs them.
public struct OfferedTools: Sendable {
  private var schemas: [String: JSONValue]

  /// No tools: text that merely looks like JSON is never taken for a call.
  public init() {
    schemas = [:]
  }

  /// Tools of which only the names are known.
  public init(names: some Sequence<String>) {
    schemas = Dictionary(names.map { ($0, .bool(true)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Tools by name with the JSON Schema of their parameters, which types the values of dialects that write them as
  /// plain text and gives positional arguments their names.
  public init(schemas: [String: JSONValue]) {
    self.schemas = schemas
  }

  /// The tools of a request.
  public init(_ definitions: some Sequence<ToolDefinition>) {
    schemas = Dictionary(definitions.map { ($0.name, $0.parameters) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether there is no tool.
  public var isEmpty: Bool { schemas.isEmpty }

  /// Whether a tool of this name was offered.
  public func contains(_ name: String) -> Bool {
    schemas[name] != nil
  }

  /// The schema of a tool's parameters, `true` (anything goes) when only the name is known.
  func schema(of name: String) -> JSONValue? {
    schemas[name]
  }
}
