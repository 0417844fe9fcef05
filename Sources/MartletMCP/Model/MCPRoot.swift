public import MartletJSON

/// A place where a server may work.
public struct MCPRoot: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  public static var requiredStrings: [String] { ["uri"] }

  /// A place.
  public init(uri: String, name: String? = nil) {
    fields = JSONObject(present: ["uri": .string(uri), "name": .text(name)])
  }

  /// A `file:` address.
  public var uri: String { fields[string: "uri"] ?? "" }
  /// A name for people.
  public var name: String? { fields[string: "name"] }
}
