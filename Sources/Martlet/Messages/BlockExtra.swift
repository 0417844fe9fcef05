public import MartletJSON

/// What a provider attached to a block and wants back unchanged: a signature, an item id, a phase, citations, the call
/// id it really sent.
public struct BlockExtra: Sendable, Hashable, JSONConvertible {
  /// The provider that made it (`anthropic`, `openai`, …). It is never sent to another.
  public var provider: String
  /// The model it is bound to, where it is bound to one.
  public var model: String?
  /// The provider's own value, kept with its unknown fields.
  public var value: JSONValue

  /// An attachment of a provider.
  public init(provider: String, model: String? = nil, value: JSONValue) {
    self.provider = provider
    self.model = model
    self.value = value
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(
      provider: try fields.string("provider"), model: try fields.stringIfPresent("model"),
      value: fields.object["value"] ?? .null)
  }

  public var json: JSONValue {
    ["provider": .string(provider), "model": model.map { .string($0) } ?? .null, "value": value]
  }
}
