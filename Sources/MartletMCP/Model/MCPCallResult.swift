public import MartletJSON

/// What a tool gave back.
public struct MCPCallResult: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// A result.
  public init(_ content: [MCPContent] = [], structured: JSONValue? = nil, isError: Bool = false) {
    fields = JSONObject(present: ["content": .objects(content), "structuredContent": structured])
    if isError { fields["isError"] = true }
  }

  /// The same as data and as its JSON text, for clients that do not know the one.
  public static func structured(_ value: JSONValue, text: String? = nil) -> Self {
    Self([.text(text ?? value.text())], structured: value)
  }

  /// A failure that a model can read and act on.
  public static func failure(_ message: String) -> Self { Self([.text(message)], isError: true) }

  /// The blocks. What is no block at all is left out; one of an unknown kind stays.
  public var content: [MCPContent] {
    get { fields[views: "content"] }
    set { fields[views: "content"] = newValue }
  }
  /// The result as data.
  public var structuredContent: JSONValue? {
    get { fields["structuredContent"] }
    set { fields["structuredContent"] = newValue }
  }
  /// Whether the tool failed; the blocks say why.
  public var isError: Bool { fields[bool: "isError"] ?? false }
  /// The text of all text blocks, a line each.
  public var text: String { content.compactMap(\.text).joined(separator: "\n") }
}

extension MCPCallResult: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self.init([.text(value)]) }
}
