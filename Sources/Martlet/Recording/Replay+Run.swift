extension Replay {
  /// One of the recorded runs: how to have it begin.
  public enum Beginning: Sendable {
    /// Something is said.
    case message(Message)
    /// An interrupted run is finished.
    case resume
  }

  /// Plays all runs of the recording with an agent that takes its world from here, and everything that others did to the
  /// session meanwhile.
  ///
  /// - Parameters:
  ///   - agent: made with the replay's session, store, environment, model (or transport) and approver.
  ///   - show: gets every record of the runs, as `Agent.stream` gives them.
  /// - Throws: `RecordingError` for the first event that differs, and where the recording was cut off.
  public func run(_ agent: Agent, show: (EventRecord) async throws -> Void = { _ in }) async throws {
    try await perform(agent) { beginning in
      let stream =
        switch beginning {
        case .message(let message): agent.stream(message)
        case .resume: agent.streamResumed()
        }
      for try await record in stream { try await show(record) }
    }
  }

  /// Like `run`, with a body that has each run begin and waits for its end.
  public func perform(_ agent: Agent, _ body: (Beginning) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.watch() }
      group.addTask { await self.act(on: agent) }
      defer { group.cancelAll() }
      do {
        while let beginning = try await nextBeginning(agent) {
          let before = applied
          try await body(beginning)
          if let failure { throw failure }
          guard applied > before else {
            throw RecordingError(.stalled, "the recording begins a run in a way that no agent does", seq: before + 1)
          }
        }
      } catch {
        if let failure { throw failure }
        throw error
      }
      if !isLive { try checkEnd() }
      end()
    }
  }

  /// The next run; nil after the last.
  private func nextBeginning(_ agent: Agent) async throws -> Beginning? {
    // What others did between two runs comes before the next one.
    await wait(in: session, isHeld: false) { turn in
      turn.map { !$0.isOutside || $0.actor == .elsewhere } ?? true
    }
    if let failure { throw failure }
    guard !isLive || !hasBegun(session), let turn = next(in: session) else { return nil }
    if Self.isCompaction(turn) {
      // Asked for between two runs.
      _ = try await agent.compact()
      return try await nextBeginning(agent)
    }
    let events = turns(after: turn)
    for event in events {
      switch event {
      case .historyReplaced(let replaced): await agent.assign(replaced.messages)
      case .prompt(let prompt) where prompt.queueId == nil: return .message(prompt.message.withoutNotes)
      case .runResumed(let resumed) where resumed.reason != CancelRequested.superseded: return .resume
      case .runStarted(let started) where started.reason == "retry": return .resume
      default: break
      }
    }
    // Cut off before its prompt: what comes before the prompt is replayed.
    return recording.isComplete ? nil : .message(.user(""))
  }

  /// Does what others did while the run was recorded.
  private func act(on agent: Agent) async {
    while !Task.isCancelled {
      await wait(in: session, forLoop: true, isHeld: false) { turn in
        guard let turn else { return false }
        return turn.actor == .outside || self.deadline(of: turn) != nil
      }
      guard !isLive, failure == nil, !Task.isCancelled, let turn = next(in: session) else { return }
      if let (callId, deadlines) = deadline(of: turn) {
        await agent.replay(.timeout, of: callId)
        if deadlines.contains(.abandon) { await agent.replay(.abandon, of: callId) }
      } else if turn.actor == .outside {
        do { try await agent.replay(records(from: turn)) } catch {
          return fail(
            RecordingError(
              .diverged, "event \(turn.record.seq ?? 0) (\(turn.record.event.type)) cannot be brought about: \(error)",
              seq: turn.record.seq, underlying: error))
        }
      }
      let seq = turn.record.seq
      await wait(in: session, isHeld: false) { $0?.record.seq != seq }
    }
  }

  /// An event, and the warnings that came with it.
  private func records(from turn: ReplayTurn) -> [EventRecord] {
    let events = recording.events
    guard let start = events.firstIndex(where: { $0.seq == turn.record.seq }) else { return [turn.record] }
    let warnings = events[(start + 1)...].prefix { record in
      if case .warning(let warning) = record.event { warning.code == "rule_not_kept" } else { false }
    }
    return [turn.record] + warnings
  }

  private static func isCompaction(_ turn: ReplayTurn) -> Bool {
    guard !turn.isInRun else { return false }
    switch turn.record.event {
    case .compacted: return true
    case .modelCall(let call): return call.purpose == .compaction
    default: return false
    }
  }

  private func deadline(of turn: ReplayTurn) -> (String, Set<ScriptDeadline>)? {
    guard case .toolFinished(let finished) = turn.record.event, turn.actor == .call(callId: finished.callId),
      let deadlines = recording.deadlines[Recording.CallKey(session: session, callId: finished.callId)]
    else { return nil }
    return (finished.callId, deadlines)
  }

  private func turns(after turn: ReplayTurn) -> [AgentEvent] {
    let events = recording.events
    guard let start = events.firstIndex(where: { $0.seq == turn.record.seq }) else { return [] }
    return events[start...].map(\.event)
  }
}

extension Message {
  /// As it was said, before the agent added its notes.
  fileprivate var withoutNotes: Message {
    Message(role: role, content: content.filter { ContextNote($0) == nil })
  }
}

extension Agent {
  func assign(_ messages: [Message]) { self.messages = messages }
}
