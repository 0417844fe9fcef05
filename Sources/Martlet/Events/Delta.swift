import MartletJSON

/// A piece of text or thinking on its way.
public struct Delta: Sendable, Hashable {
  /// The reply.
  public var messageId: String
  /// The block's index in the reply.
  public var block: Int
  /// Where the piece starts in the block's text, in UTF-8 bytes.
  public var offset: Int
  /// The piece.
  public var delta: String

  /// A piece.
  public init(messageId: String, block: Int, offset: Int, delta: String) {
    self.messageId = messageId
    self.block = block
    self.offset = offset
    self.delta = delta
  }

  init(_ fields: JSONFields) throws {
    self.init(
      messageId: try fields.string("message_id"), block: try fields.int("block"), offset: try fields.int("offset"),
      delta: try fields.string("delta"))
  }

  func write(into object: inout JSONObject) {
    object["message_id"] = .string(messageId)
    object["block"] = .number(JSONNumber(block))
    object["offset"] = .number(JSONNumber(offset))
    object["delta"] = .string(delta)
  }
}

struct TextDelta: EventPayload {
  static let type = "text"
  var delta: Delta
  init(delta: Delta) { self.delta = delta }
  init(_ fields: JSONFields) throws { delta = try Delta(fields) }
  func write(into object: inout JSONObject) { delta.write(into: &object) }
  var event: AgentEvent { .text(delta) }
}

struct ThinkingDelta: EventPayload {
  static let type = "thinking"
  var delta: Delta
  init(delta: Delta) { self.delta = delta }
  init(_ fields: JSONFields) throws { delta = try Delta(fields) }
  func write(into object: inout JSONObject) { delta.write(into: &object) }
  var event: AgentEvent { .thinking(delta) }
}
