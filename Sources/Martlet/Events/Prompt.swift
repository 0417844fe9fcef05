import MartletJSON

/// A message to the model that is not one of its own or a tool result.
public struct Prompt: EventPayload {
  static let type = "prompt"
  /// The message's id.
  public var messageId: String
  /// What is said.
  public var message: Message
  /// Its place in the queue, if it was queued.
  public var queueId: String?

  /// The fields of the event.
  public init(messageId: String, message: Message, queueId: String? = nil) {
    self.messageId = messageId
    self.message = message
    self.queueId = queueId
  }

  init(_ fields: JSONFields) throws {
    self.init(
      messageId: try fields.string("message_id"),
      message: try fields.value("message"),
      queueId: try fields.stringIfPresent("queue_id"))
  }

  func write(into object: inout JSONObject) {
    object["message_id"] = .string(messageId)
    object["message"] = message.json
    object.set("queue_id", queueId.map { .string($0) })
  }

  var event: AgentEvent { .prompt(self) }
}
