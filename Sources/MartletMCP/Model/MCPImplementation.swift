public import MartletJSON

/// Who a peer says it is. Nothing may be decided by it.
public struct MCPImplementation: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// A program by name and version.
  public init(
    name: String, version: String, title: String? = nil, description: String? = nil, websiteURL: String? = nil
  ) {
    fields = JSONObject(present: [
      "name": .string(name), "version": .string(version), "title": .text(title), "description": .text(description),
      "websiteUrl": .text(websiteURL),
    ])
  }

  /// The name for programs.
  public var name: String { fields[string: "name"] ?? "" }
  /// The version.
  public var version: String { fields[string: "version"] ?? "" }
  /// The name for people.
  public var title: String? { fields[string: "title"] }
  /// What it is for.
  public var description: String? { fields[string: "description"] }
  /// Where to read about it.
  public var websiteURL: String? { fields[string: "websiteUrl"] }
  /// Its icons.
  public var icons: [MCPIcon] { fields[views: "icons"] }
}
