/// Somebody who can be asked whether a call may run.
public protocol Approver: Sendable {
  /// Decides on a call. Its task is cancelled when the run is. `ApprovalDeferred` leaves the call open; any other error
  /// denies it.
  func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision
}
