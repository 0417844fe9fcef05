/// A recorded event and whose part it is to bring it about.
struct ReplayTurn: Sendable {
  let record: EventRecord
  let actor: Actor
  /// Whether a run is open before it.
  let isInRun: Bool

  enum Actor: Sendable, Hashable {
    /// Whoever has the agent begin a run.
    case caller
    /// Somebody outside: a message for the queue, a cancellation, an answer.
    case outside
    /// The agent's approver.
    case approver(approvalId: String)
    /// A call that is checked and run.
    case call(callId: String)
    /// The model, the loop.
    case agent
    /// Another process, while nobody here had the session.
    case elsewhere
  }

  var isOutside: Bool {
    switch actor {
    case .outside, .approver, .elsewhere: true
    default: false
    }
  }

  /// The turns of a session's events.
  static func all(_ track: Recording.Track, decisions: [String: RecordedDecision]) -> [ReplayTurn] {
    var reader = Reader(decisions: decisions)
    for record in track.prior { _ = reader.turn(of: record) }
    return track.events.map { record in
      let turn = reader.turn(of: record)
      guard let seq = record.seq, track.foreign.contains(seq) else { return turn }
      return ReplayTurn(record: record, actor: .elsewhere, isInRun: turn.isInRun)
    }
  }

  private struct Reader {
    let decisions: [String: RecordedDecision]
    var calls: [String: String] = [:]
    var denied: Set<String> = []
    /// Calls that run.
    var started: Set<String> = []
    var isInRun = false
    /// Whether a call is open that others made on behalf of the run.
    var isAskedAside = false

    mutating func turn(of record: EventRecord) -> ReplayTurn {
      let wasInRun = isInRun
      return ReplayTurn(record: record, actor: actor(of: record.event, run: record.run), isInRun: wasInRun)
    }

    private mutating func actor(of event: AgentEvent, run: String?) -> Actor {
      switch event {
      case .sessionCreated: return .caller
      case .runStarted, .runResumed:
        isInRun = true
        // What ran before is lost: the loop settles it.
        started = []
        return .caller
      case .finished, .failed, .waiting:
        isInRun = false
        return .agent
      case .cancelRequested(let request): return request.by == CancelRequested.superseded ? .caller : .outside
      case .queued, .unqueued, .inputResolved, .rewound, .sessionUpdated: return .outside
      // What follows going back; at the beginning of a run it is the run's.
      case .historyReplaced: return run == nil ? .outside : .agent
      case .approvalRequested(let request):
        calls[request.approvalId] = request.call.id
        return request.isAboutLostCall ? .caller : .call(callId: request.call.id)
      case .approvalResolved(let answer):
        if answer.decision == .deny, let callId = calls[answer.approvalId] { denied.insert(callId) }
        if answer.by == "policy" { return .agent }
        return decisions[answer.approvalId] == .decided || decisions[answer.approvalId] == .failed
          ? .approver(approvalId: answer.approvalId) : .outside
      case .toolStarted(let start):
        started.insert(start.call.id)
        return .call(callId: start.call.id)
      case .toolFinished(let finished): return actor(of: finished)
      case .modelCall(let call):
        isAskedAside = call.purpose == .sampling
        return isAskedAside ? .outside : .agent
      case .modelCallEnded:
        defer { isAskedAside = false }
        return isAskedAside ? .outside : .agent
      case .inputRequested(let request): return request.callId.map { .call(callId: $0) } ?? .agent
      default: return .agent
      }
    }

    /// A result is the call's own, unless the loop gives it in its place.
    private func actor(of finished: ToolFinished) -> Actor {
      switch finished.result.code {
      case .denied? where denied.contains(finished.callId): .agent
      case .interrupted? where !started.contains(finished.callId): .agent
      case .outcomeUnknown? where !started.contains(finished.callId): .agent
      default: .call(callId: finished.callId)
      }
    }
  }
}
