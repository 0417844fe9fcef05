/// What an approver throws when it cannot answer here and now: the call stays open, and once nothing else can run the run
/// is parked until somebody answers with `Agent.resolve(approval:_:)`.
public struct ApprovalDeferred: Error, Sendable {
  /// No answer, neither yes nor no.
  public init() {}
}
