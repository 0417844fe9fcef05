import MartletJSON

/// The reply so far, for an observer that joined late or fell behind.
public struct Partial: EventPayload {
  static let type = "partial"
  /// The reply.
  public var messageId: String
  /// Its blocks so far.
  public var blocks: [ContentBlock]

  /// The fields of the event.
  public init(messageId: String, blocks: [ContentBlock] = []) {
    self.messageId = messageId
    self.blocks = blocks
  }

  init(_ fields: JSONFields) throws {
    self.init(
      messageId: try fields.string("message_id"),
      blocks: try fields.values("blocks"))
  }

  func write(into object: inout JSONObject) {
    object["message_id"] = .string(messageId)
    object["blocks"] = .array(blocks.map(\.json))
  }

  var event: AgentEvent { .partial(self) }
}
