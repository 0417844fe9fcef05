public import MartletJSON

/// A block in its provider's own form, which nobody else understands.
public struct OpaqueBlock: Sendable, Hashable {
  /// The provider that made it, and the only one it goes back to.
  public var provider: String
  /// The block as the provider sent it.
  public var value: JSONValue

  /// A provider's block.
  public init(provider: String, value: JSONValue) {
    self.provider = provider
    self.value = value
  }

  init(_ fields: JSONFields) throws {
    self.init(provider: try fields.string("provider"), value: fields.object["value"] ?? .null)
  }

  var object: JSONObject { ["type": "opaque", "provider": .string(provider), "value": value] }
}
