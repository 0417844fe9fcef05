import MartletJSON

/// A run begins: the work on one prompt.
public struct RunStarted: EventPayload {
  static let type = "run_started"
  /// What the run may use.
  public var budget: Budget
  /// Why it runs: `prompt`, or another word.
  public var reason: String

  /// The fields of the event.
  public init(budget: Budget, reason: String = "prompt") {
    self.budget = budget
    self.reason = reason
  }

  init(_ fields: JSONFields) throws {
    self.init(
      budget: try fields.value("budget"),
      reason: try fields.string("reason"))
  }

  func write(into object: inout JSONObject) {
    object["budget"] = budget.json
    object["reason"] = .string(reason)
  }

  var event: AgentEvent { .runStarted(self) }
}
