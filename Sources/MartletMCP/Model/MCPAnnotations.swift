public import MartletJSON

/// For whom a piece of content or a resource is, and how much it matters.
public struct MCPAnnotations: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }

  /// Annotations.
  public init(audience: [String] = [], priority: Double? = nil, lastModified: String? = nil) {
    fields = JSONObject(present: ["lastModified": .text(lastModified)])
    if !audience.isEmpty { fields[strings: "audience"] = audience }
    fields[double: "priority"] = priority
  }

  /// `user`, `assistant` or both; empty for anybody.
  public var audience: [String] { fields[strings: "audience"] }
  /// From 0, can be left out, to 1, is needed.
  public var priority: Double? { fields[double: "priority"] }
  /// When it last changed, as RFC 3339 has it.
  public var lastModified: String? { fields[string: "lastModified"] }
}
