import MartletJSON

/// A waiting message was withdrawn.
public struct Unqueued: EventPayload {
  static let type = "unqueued"
  /// Its id in the queue.
  public var queueId: String

  /// The fields of the event.
  public init(queueId: String) {
    self.queueId = queueId
  }

  init(_ fields: JSONFields) throws {
    self.init(
      queueId: try fields.string("queue_id"))
  }

  func write(into object: inout JSONObject) {
    object["queue_id"] = .string(queueId)
  }

  var event: AgentEvent { .unqueued(self) }
}
