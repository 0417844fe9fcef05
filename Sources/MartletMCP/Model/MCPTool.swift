public import MartletJSON

/// Something a server can do.
public struct MCPTool: MCPObject {
  /// Whether a tool runs as a task (2025-11-25 only).
  public enum TaskSupport: String, Sendable, Hashable {
    /// Never.
    case forbidden
    /// Where the client asks for it.
    case optional
    /// Always.
    case required
  }

  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  public static var requiredStrings: [String] { ["name"] }

  /// A tool.
  /// - Parameters:
  ///   - name: 1 to 128 letters, digits, `_`, `-`, `.`, `/`.
  ///   - inputSchema: the JSON Schema of its arguments, an object.
  ///   - outputSchema: the JSON Schema of `structuredContent`; a result that does not fit is an error then.
  public init(
    name: String, title: String? = nil, description: String? = nil, inputSchema: JSONValue = ["type": "object"],
    outputSchema: JSONValue? = nil, annotations: MCPToolAnnotations? = nil, icons: [MCPIcon] = [],
    taskSupport: TaskSupport? = nil
  ) {
    fields = JSONObject(present: [
      "name": .string(name), "title": .text(title), "description": .text(description), "inputSchema": inputSchema,
      "outputSchema": outputSchema, "annotations": annotations?.json,
    ])
    if !icons.isEmpty { fields[views: "icons"] = icons }
    if let taskSupport { fields["execution"] = ["taskSupport": .string(taskSupport.rawValue)] }
  }

  /// The name it is called by.
  public var name: String { fields[string: "name"] ?? "" }
  /// A name for people, with the older place of it.
  public var title: String? { fields[string: "title"] ?? annotations?.title }
  /// What it does and when to use it.
  public var description: String? { fields[string: "description"] }
  /// The JSON Schema of the arguments, exactly as the server sent it; one that is missing or null is `{"type":"object"}`.
  public var inputSchema: JSONValue {
    guard let schema = fields["inputSchema"], !schema.isNull else { return ["type": "object"] }
    return schema
  }
  /// The JSON Schema of `structuredContent`.
  public var outputSchema: JSONValue? {
    guard let schema = fields["outputSchema"], !schema.isNull else { return nil }
    return schema
  }
  /// What the server says about its manners.
  public var annotations: MCPToolAnnotations? { fields[view: "annotations"] }
  /// Its icons.
  public var icons: [MCPIcon] { fields[views: "icons"] }
  /// Whether it runs as a task (2025-11-25 only).
  public var taskSupport: TaskSupport {
    fields[object: "execution"]?[string: "taskSupport"].flatMap(TaskSupport.init(rawValue:)) ?? .forbidden
  }
}
