import MartletJSON

/// Reasoning that a model showed or hid. Signatures live in the block's `extra`.
public struct Thinking: Sendable, Hashable {
  /// The reasoning as shown; empty when the provider keeps it to itself.
  public var text: String
  /// Whether the provider encrypted it: `extra` then holds the data.
  public var redacted: Bool

  /// Reasoning of a model.
  public init(text: String, redacted: Bool = false) {
    self.text = text
    self.redacted = redacted
  }

  init(_ fields: JSONFields) throws {
    self.init(text: try fields.string("text"), redacted: try fields.boolIfPresent("redacted") ?? false)
  }

  var object: JSONObject { ["type": "thinking", "text": .string(text), "redacted": .bool(redacted)] }
}
