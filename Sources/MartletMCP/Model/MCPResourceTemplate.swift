public import MartletJSON

/// A family of resources, by a URI template (RFC 6570).
public struct MCPResourceTemplate: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  public static var requiredStrings: [String] { ["uriTemplate"] }

  /// A template.
  public init(
    uriTemplate: String, name: String, title: String? = nil, description: String? = nil, mimeType: String? = nil,
    annotations: MCPAnnotations? = nil, icons: [MCPIcon] = []
  ) {
    fields = JSONObject(present: [
      "uriTemplate": .string(uriTemplate), "name": .string(name), "title": .text(title),
      "description": .text(description), "mimeType": .text(mimeType), "annotations": annotations?.json,
    ])
    if !icons.isEmpty { fields[views: "icons"] = icons }
  }

  /// The template, such as `notes://{year}/{name}`.
  public var uriTemplate: String { fields[string: "uriTemplate"] ?? "" }
  /// Its name; the template where there is none.
  public var name: String { fields[string: "name"] ?? uriTemplate }
  /// A name for people.
  public var title: String? { fields[string: "title"] }
  /// What the resources are.
  public var description: String? { fields[string: "description"] }
  /// The type of all of them.
  public var mimeType: String? { fields[string: "mimeType"] }
  /// For whom they are.
  public var annotations: MCPAnnotations? { fields[view: "annotations"] }
  /// Its icons.
  public var icons: [MCPIcon] { fields[views: "icons"] }
}
