import MartletJSON

/// Somebody wants the run to end; recorded before anything is cancelled.
public struct CancelRequested: EventPayload {
  static let type = "cancel_requested"
  /// Who: `user`, `time_budget`, or another word.
  public var by: String

  /// The fields of the event.
  public init(by: String = "user") {
    self.by = by
  }

  init(_ fields: JSONFields) throws {
    self.init(
      by: try fields.string("by"))
  }

  func write(into object: inout JSONObject) {
    object["by"] = .string(by)
  }

  var event: AgentEvent { .cancelRequested(self) }
}

extension CancelRequested {
  /// The word for a run that its time budget ends.
  static let timeBudget = "time_budget"
  /// The word for a run that was cut off and is closed because a new prompt came instead of a resume.
  static let superseded = "superseded"
}
