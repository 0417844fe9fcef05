import MartletJSON

/// A run goes on that another process, or an earlier life of this one, began. What was under way then is lost.
public struct RunResumed: EventPayload {
  static let type = "run_resumed"
  /// What the run may use from here; nil leaves it as it was.
  public var budget: Budget?
  /// Why it goes on.
  public var reason: String
  /// Who held the session before.
  public var previousOwner: String?

  /// The fields of the event.
  public init(budget: Budget? = nil, reason: String = "resume", previousOwner: String? = nil) {
    self.budget = budget
    self.reason = reason
    self.previousOwner = previousOwner
  }

  init(_ fields: JSONFields) throws {
    self.init(
      budget: try fields.valueIfPresent("budget"),
      reason: try fields.string("reason"),
      previousOwner: try fields.stringIfPresent("previous_owner"))
  }

  func write(into object: inout JSONObject) {
    object.set("budget", budget?.json)
    object["reason"] = .string(reason)
    object.set("previous_owner", previousOwner.map { .string($0) })
  }

  var event: AgentEvent { .runResumed(self) }
}
