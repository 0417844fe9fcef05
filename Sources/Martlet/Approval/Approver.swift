/// Somebody who can be asked whether a call may run.
public protocol Approver: Sendable {
  /// Decides on a call. Its task is cancelled when the run is; an error counts as no answer and denies the call.
  func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision
}
