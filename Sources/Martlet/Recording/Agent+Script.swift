extension Agent {
  /// The time of events that are about to be recorded.
  func stamp(_ count: Int) -> Timestamp {
    guard let script = environment.script else { return environment.now() }
    let time = script.appending(count, after: loop.lastSeq, to: id)
    // A script is told of every state that the drive loop has seen, so it must see all of them.
    signal()
    return time ?? environment.now()
  }

  /// Whether performing it appends to the log at once.
  private func isRecorded(_ effect: LoopEffect) -> Bool {
    switch effect {
    case .record, .deliver, .correct, .park: true
    case .awaitApproval(let request): standingAnswer(to: request) != nil
    case .awaitInput(let request): isExpired(request)
    default: false
    }
  }

  /// The tools that the next run may use.
  func availableTools() async -> [ToolDefinition] {
    guard let script = environment.script else { return await tools.definitions }
    return script.tools(await tools.all, in: id).map(\.definition)
  }

  func availableTool(named name: String) async -> AnyTool? {
    let own = await tools.tool(named: name)
    guard let script = environment.script else { return own }
    return script.tool(named: name, own, in: id)
  }

  func reading(of source: any ContextSource) async -> ContextReading {
    if let reading = await environment.script?.reading(of: source) { return reading }
    return await source.read()
  }

  func news(of source: any ContextSource, since told: ToldContext) async -> ContextNews {
    if let news = await environment.script?.news(of: source, since: told) { return news }
    return await source.news(since: told)
  }

  /// What is pending, once it may be recorded.
  func effectsInTurn() async -> [LoopEffect] {
    guard let script = environment.script else { return look { $0.pendingEffects } }
    while true {
      let effects = loop.pendingEffects
      let seq = loop.lastSeq
      if effects.contains(where: isRecorded) {
        // Nothing is begun before its records are there, so others may go on meanwhile.
        script.sees(seq, in: id)
        await script.turn(.drive(isAlone: operations.isEmpty), in: id)
      }
      // While it waited, something else may have been recorded.
      guard loop.lastSeq == seq else { continue }
      script.sees(seq, in: id)
      return effects
    }
  }

  /// Does what somebody outside did to the session while a run was recorded.
  func replay(_ records: [EventRecord]) async throws {
    guard let record = records.first else { return }
    try await open()
    // The id of a message in the queue was drawn for it.
    if case .queued = record.event { _ = environment.makeID() }
    let run = activeRunId
    // The run may have come to its end a moment earlier or later then.
    activeRunId = record.run
    if case .cancelRequested(let request) = record.event {
      requestCancel(by: request.by)
    } else {
      append(records.map(\.event))
      signal()
    }
    activeRunId = run
    try await flush()
  }

  func replay(_ deadline: ScriptDeadline, of callId: String) {
    switch deadline {
    case .timeout: act(on: .timeout(callId: callId))
    case .abandon: act(on: .abandon(callId: callId))
    }
  }
}
