public import MartletJSON

/// A list of tools from elsewhere, such as a server: other words for tools that are here, and further tools made of them.
///
/// It holds text and data, never code. Each entry names an implementation that is already here; what that does, what
/// effect it has and whether it needs permission an entry cannot change. As JSON:
/// ```json
/// {"version": 1, "tools": [
///   {"name": "calculator", "description": "Computes prices. Use it for all sums."},
///   {"name": "office_time", "implementation": "currentDateTime", "description": "The time at the office.",
///    "preset": {"timeZoneID": "Europe/Oslo"}}]}
/// ```
public struct ToolCatalogue: Sendable, Hashable {
  /// One tool of a catalogue.
  public struct Entry: Sendable, Hashable {
    /// What the model calls it by.
    public var name: String
    /// The tool that does the work; the one of this name where none is given.
    public var implementation: String
    /// A name for people; nil for the implementation's.
    public var title: String?
    /// What it does and when to use it; nil for the implementation's own words.
    public var description: String?
    /// The JSON Schema of its arguments; nil for the implementation's, less what is preset. What passes it must still pass
    /// the implementation's own.
    public var parameters: JSONValue?
    /// Arguments that the model does not give and cannot change.
    public var preset: JSONObject

    /// An entry.
    public init(
      name: String, implementation: String? = nil, title: String? = nil, description: String? = nil,
      parameters: JSONValue? = nil, preset: JSONObject = [:]
    ) {
      self.name = name
      self.implementation = implementation ?? name
      self.title = title
      self.description = description
      self.parameters = parameters
      self.preset = preset
    }
  }

  /// Why a catalogue is refused.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// Where in the document, such as `tools[2].name`.
    public let path: String
    /// One sentence with the reason.
    public let message: String

    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
  }

  /// The tools, in the order the model sees them.
  public var entries: [Entry]

  /// A catalogue.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// Entries that a catalogue may have.
  public static let limit = 256
  private static let textLimit = 8_192

  /// The catalogue of a document. Fields that are not known are ignored, since a later version may have them.
  /// - Throws: ``Failure`` when the document is not as described; no part of it is used then.
  public init(json: JSONValue) throws {
    guard let document = json.objectValue else { throw Failure(path: "", message: "a JSON object is expected") }
    guard document["version"]?.intValue == 1 else { throw Failure(path: "version", message: "only 1 is known here") }
    guard let tools = document["tools"]?.arrayValue else { throw Failure(path: "tools", message: "a list is expected") }
    guard tools.count <= Self.limit else {
      throw Failure(path: "tools", message: "\(tools.count) tools are too many, \(Self.limit) are allowed")
    }
    entries = []
    var names: Set<String> = []
    for (index, tool) in tools.enumerated() {
      let entry = try Self.entry(tool, at: "tools[\(index)]")
      guard names.insert(entry.name).inserted else {
        throw Failure(path: "tools[\(index)].name", message: "there is another tool named \(entry.name)")
      }
      entries.append(entry)
    }
  }

  /// The catalogue as a document.
  public var json: JSONValue {
    let tools = entries.map { entry -> JSONValue in
      var tool: JSONObject = ["name": .string(entry.name), "implementation": .string(entry.implementation)]
      if let title = entry.title { tool["title"] = .string(title) }
      if let description = entry.description { tool["description"] = .string(description) }
      if let parameters = entry.parameters { tool["parameters"] = parameters }
      if !entry.preset.isEmpty { tool["preset"] = .object(entry.preset) }
      return .object(tool)
    }
    return ["version": 1, "tools": .array(tools)]
  }

  private static func entry(_ json: JSONValue, at path: String) throws -> Entry {
    guard let fields = json.objectValue else { throw Failure(path: path, message: "an object is expected") }
    func text(_ key: String) throws -> String? {
      guard let value = fields[key], !value.isNull else { return nil }
      guard let text = value.stringValue, !text.isEmpty, text.utf8.count <= textLimit else {
        throw Failure(path: "\(path).\(key)", message: "a text of 1 to \(textLimit) bytes is expected")
      }
      return text
    }
    func object(_ key: String) throws -> JSONObject? {
      guard let value = fields[key], !value.isNull else { return nil }
      guard let object = value.objectValue else {
        throw Failure(path: "\(path).\(key)", message: "an object is expected")
      }
      return object
    }
    guard let name = try text("name"), AnyTool.isAllowed(name: name) else {
      throw Failure(path: "\(path).name", message: "1 to 64 letters, digits, underscores and hyphens are expected")
    }
    let parameters = try object("parameters").map { JSONValue.object($0) }
    if let parameters {
      guard parameters["type"] == "object" else {
        throw Failure(path: "\(path).parameters", message: "a JSON Schema of type object is expected")
      }
      do { _ = try JSONSchema(parameters) } catch {
        throw Failure(path: "\(path).parameters", message: "this is no JSON Schema that can be used: \(error)")
      }
    }
    return Entry(
      name: name, implementation: try text("implementation"), title: try text("title"),
      description: try text("description"), parameters: parameters, preset: try object("preset") ?? [:])
  }

  // MARK: - Applying

  /// The tools with this catalogue applied, in their order and then the new ones, and what of it cannot be used here: the
  /// rest is used all the same, since servers serve programs of several versions.
  func applied(to tools: [AnyTool]) -> (tools: [AnyTool], problems: [String]) {
    var result = tools
    var problems: [String] = []
    let positions = Dictionary(
      tools.enumerated().map { ($1.definition.name, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      guard let position = positions[entry.implementation] else {
        problems.append("\(entry.name) is left out: there is no tool \(entry.implementation) here that could do it")
        continue
      }
      let own = positions[entry.name]
      if let own, own != position {
        problems.append("\(entry.name) is left out: the tool of this name cannot become another one")
        continue
      }
      do {
        let tool = try tools[position].described(by: entry)
        if let own { result[own] = tool } else { result.append(tool) }
      } catch {
        problems.append("\(entry.name) is left out: \(error)")
      }
    }
    return (result, problems)
  }
}
