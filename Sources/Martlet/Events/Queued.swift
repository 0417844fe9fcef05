import MartletJSON

/// A message waits to be said.
public struct Queued: EventPayload {
  static let type = "queued"
  /// Its id in the queue.
  public var queueId: String
  /// What will be said.
  public var message: Message
  /// When.
  public var mode: QueueMode

  /// The fields of the event.
  public init(queueId: String, message: Message, mode: QueueMode) {
    self.queueId = queueId
    self.message = message
    self.mode = mode
  }

  init(_ fields: JSONFields) throws {
    self.init(
      queueId: try fields.string("queue_id"),
      message: try fields.value("message"),
      mode: try fields.value("mode"))
  }

  func write(into object: inout JSONObject) {
    object["queue_id"] = .string(queueId)
    object["message"] = message.json
    object["mode"] = mode.json
  }

  var event: AgentEvent { .queued(self) }
}
