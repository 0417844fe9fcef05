import MartletJSON

/// A model answered or failed; what it used is settled.
public struct ModelCallEnded: EventPayload {
  static let type = "model_call_ended"
  /// Tokens it used, as far as known.
  public var usage: Usage
  /// USD it cost; nil where no price is known.
  public var cost: Double?
  /// The request's id at the provider.
  public var requestId: String?
  /// Why it failed; nil when it answered.
  public var error: CallFailure?
  /// Milliseconds until the next try; nil when there is none.
  public var nextAttemptInMs: Int?

  /// The fields of the event.
  public init(
    usage: Usage = Usage(), cost: Double? = nil, requestId: String? = nil, error: CallFailure? = nil,
    nextAttemptInMs: Int? = nil
  ) {
    self.usage = usage
    self.cost = cost
    self.requestId = requestId
    self.error = error
    self.nextAttemptInMs = nextAttemptInMs
  }

  init(_ fields: JSONFields) throws {
    self.init(
      usage: try fields.value("usage"),
      cost: try fields.doubleIfPresent("cost"),
      requestId: try fields.stringIfPresent("request_id"),
      error: try fields.valueIfPresent("error"),
      nextAttemptInMs: try fields.intIfPresent("next_attempt_in_ms"))
  }

  func write(into object: inout JSONObject) {
    object["usage"] = usage.json
    object["cost"] = cost.map { JSONValue(finite: $0) } ?? .null
    object.set("request_id", requestId.map { .string($0) })
    object["error"] = error?.json ?? .null
    object.set("next_attempt_in_ms", nextAttemptInMs.map { .number(JSONNumber($0)) })
  }

  var event: AgentEvent { .modelCallEnded(self) }
}
