public import MartletJSON

/// What a resource, or a part of it, holds: text or bytes.
public struct MCPResourceContents: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// Text.
  public init(uri: String, text: String, mimeType: String? = nil) {
    fields = JSONObject(present: ["uri": .string(uri), "mimeType": .text(mimeType), "text": .string(text)])
  }

  /// Bytes in base64.
  public init(uri: String, base64: String, mimeType: String? = nil) {
    fields = JSONObject(present: ["uri": .string(uri), "mimeType": .text(mimeType), "blob": .string(base64)])
  }

  /// Its address.
  public var uri: String { fields[string: "uri"] ?? "" }
  /// Its type.
  public var mimeType: String? { fields[string: "mimeType"] }
  /// The text, if it is one.
  public var text: String? { fields[string: "text"] }
  /// The bytes in base64, if it is no text.
  public var base64: String? { fields[string: "blob"] }
}
