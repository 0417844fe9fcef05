import MartletJSON

/// An approver that tells a recorder what it answers.
struct RecordingApprover: Approver {
  let base: any Approver
  let recorder: Recorder

  func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
    do {
      let decision = try await base.decide(request)
      recorder.write(
        "decision",
        ["approval_id": .string(request.approvalId), "outcome": .string(RecordedDecision.decided.rawValue)])
      return decision
    } catch {
      let outcome: RecordedDecision =
        error is ApprovalDeferred ? .deferred : error is CancellationError ? .cancelled : .failed
      recorder.write(
        "decision", ["approval_id": .string(request.approvalId), "outcome": .string(outcome.rawValue)])
      throw error
    }
  }
}

/// What came of asking an approver. What it decided is in the event that followed.
enum RecordedDecision: String, Sendable {
  case decided, deferred, cancelled, failed
}
