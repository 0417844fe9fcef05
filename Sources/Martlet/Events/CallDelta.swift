import MartletJSON

/// A piece of a tool call on its way.
public struct CallDelta: EventPayload {
  static let type = "tool_call_delta"
  /// The reply.
  public var messageId: String
  /// The block's index in the reply.
  public var block: Int
  /// Where the piece starts in the arguments' text, in UTF-8 bytes.
  public var offset: Int
  /// The piece.
  public var delta: String
  /// The call's id, where known.
  public var callId: String?
  /// The tool, where known.
  public var name: String?

  /// The fields of the event.
  public init(messageId: String, block: Int, offset: Int, delta: String, callId: String? = nil, name: String? = nil) {
    self.messageId = messageId
    self.block = block
    self.offset = offset
    self.delta = delta
    self.callId = callId
    self.name = name
  }

  init(_ fields: JSONFields) throws {
    self.init(
      messageId: try fields.string("message_id"),
      block: try fields.int("block"),
      offset: try fields.int("offset"),
      delta: try fields.string("delta"),
      callId: try fields.stringIfPresent("call_id"),
      name: try fields.stringIfPresent("name"))
  }

  func write(into object: inout JSONObject) {
    object["message_id"] = .string(messageId)
    object["block"] = .number(JSONNumber(block))
    object["offset"] = .number(JSONNumber(offset))
    object["delta"] = .string(delta)
    object.set("call_id", callId.map { .string($0) })
    object.set("name", name.map { .string($0) })
  }

  var event: AgentEvent { .toolCallDelta(self) }
}
