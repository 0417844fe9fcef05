import MartletJSON

/// Answers as was recorded.
struct ReplayApprover: Approver {
  let replay: Replay
  let live: (any Approver)?

  func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
    if !replay.isLive, replay.recording.decisions[request.approvalId] == .deferred { throw ApprovalDeferred() }
    let actor = ReplayTurn.Actor.approver(approvalId: request.approvalId)
    await replay.wait(in: replay.session, forLoop: true) { $0?.actor == actor }
    try Task.checkCancellation()
    if let turn = replay.next(in: replay.session), turn.actor == actor,
      case .approvalResolved(let answer) = turn.record.event
    {
      return ApprovalDecision(answer)
    }
    guard let live, replay.isLive else { throw ApprovalDeferred() }
    return try await live.decide(request)
  }
}

extension ApprovalDecision {
  /// The answer of an event.
  init(_ answer: ApprovalResolved) {
    self.init(
      answer.decision, scope: answer.scope.flatMap(ApprovalScope.init(rawValue:)) ?? .once,
      arguments: answer.arguments?.objectValue, reason: answer.reason,
      by: answer.by)
  }
}
