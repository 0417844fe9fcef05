import MartletJSON

/// A reply is complete, or as complete as it will get.
public struct AssistantMessage: EventPayload {
  static let type = "assistant_message"
  /// The message's id.
  public var messageId: String
  /// What the model said.
  public var message: Message
  /// Why it ended; nil when it was cut.
  public var stopReason: StopReason?
  /// Whether the stream was cut: only what may stand is kept.
  public var interrupted: Bool
  /// Tokens it used.
  public var usage: Usage

  /// The fields of the event.
  public init(
    messageId: String, message: Message, stopReason: StopReason? = nil, interrupted: Bool = false,
    usage: Usage = Usage()
  ) {
    self.messageId = messageId
    self.message = message
    self.stopReason = stopReason
    self.interrupted = interrupted
    self.usage = usage
  }

  init(_ fields: JSONFields) throws {
    self.init(
      messageId: try fields.string("message_id"),
      message: try fields.value("message"),
      stopReason: try fields.valueIfPresent("stop_reason"),
      interrupted: try fields.boolIfPresent("interrupted") ?? false,
      usage: try fields.value("usage"))
  }

  func write(into object: inout JSONObject) {
    object["message_id"] = .string(messageId)
    object["message"] = message.json
    object.set("stop_reason", stopReason?.json)
    object["interrupted"] = .bool(interrupted)
    object["usage"] = usage.json
  }

  var event: AgentEvent { .assistantMessage(self) }
}
