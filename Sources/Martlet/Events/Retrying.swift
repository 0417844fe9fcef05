import MartletJSON

/// The model is asked again after a failure.
public struct Retrying: EventPayload {
  static let type = "retrying"
  /// Which try comes, from 2.
  public var attempt: Int
  /// Milliseconds until then.
  public var afterMs: Int
  /// Why the last one failed.
  public var reason: String

  /// The fields of the event.
  public init(attempt: Int, afterMs: Int, reason: String) {
    self.attempt = attempt
    self.afterMs = afterMs
    self.reason = reason
  }

  init(_ fields: JSONFields) throws {
    self.init(
      attempt: try fields.int("attempt"),
      afterMs: try fields.int("after_ms"),
      reason: try fields.string("reason"))
  }

  func write(into object: inout JSONObject) {
    object["attempt"] = .number(JSONNumber(attempt))
    object["after_ms"] = .number(JSONNumber(afterMs))
    object["reason"] = .string(reason)
  }

  var event: AgentEvent { .retrying(self) }
}
