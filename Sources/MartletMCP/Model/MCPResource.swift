public import MartletJSON

/// Something that can be read from a server.
public struct MCPResource: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  public static var requiredStrings: [String] { ["uri"] }

  /// A resource.
  public init(
    uri: String, name: String, title: String? = nil, description: String? = nil, mimeType: String? = nil,
    size: Int? = nil, annotations: MCPAnnotations? = nil, icons: [MCPIcon] = []
  ) {
    fields = JSONObject(present: [
      "uri": .string(uri), "name": .string(name), "title": .text(title), "description": .text(description),
      "mimeType": .text(mimeType), "size": size.map { JSONValue($0) }, "annotations": annotations?.json,
    ])
    if !icons.isEmpty { fields[views: "icons"] = icons }
  }

  /// Its address; the scheme is the server's affair.
  public var uri: String { fields[string: "uri"] ?? "" }
  /// Its name; the address where there is none.
  public var name: String { fields[string: "name"] ?? uri }
  /// A name for people.
  public var title: String? { fields[string: "title"] }
  /// What it is.
  public var description: String? { fields[string: "description"] }
  /// Its type.
  public var mimeType: String? { fields[string: "mimeType"] }
  /// Its size in bytes.
  public var size: Int? { fields[int: "size"] }
  /// For whom it is.
  public var annotations: MCPAnnotations? { fields[view: "annotations"] }
  /// Its icons.
  public var icons: [MCPIcon] { fields[views: "icons"] }
}
