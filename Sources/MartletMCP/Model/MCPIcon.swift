public import MartletJSON

/// A picture for a tool, a resource, a prompt or a program.
public struct MCPIcon: MCPObject {
  public var fields: JSONObject
  public init(fields: JSONObject) { self.fields = fields }
  public static var requiredStrings: [String] { ["src"] }

  /// An icon at an address.
  public init(source: String, mimeType: String? = nil, sizes: [String] = [], theme: String? = nil) {
    fields = JSONObject(present: ["src": .string(source), "mimeType": .text(mimeType), "theme": .text(theme)])
    if !sizes.isEmpty { fields[strings: "sizes"] = sizes }
  }

  /// An `https:` or `data:` address. Load it without credentials, and nothing else.
  public var source: String { fields[string: "src"] ?? "" }
  /// Its type.
  public var mimeType: String? { fields[string: "mimeType"] }
  /// As `48x48`, or `any`.
  public var sizes: [String] { fields[strings: "sizes"] }
  /// `light` or `dark`.
  public var theme: String? { fields[string: "theme"] }
  /// Whether the address is of a kind that may be loaded.
  public var isLoadable: Bool { source.hasPrefix("https://") || source.hasPrefix("data:") }
}
