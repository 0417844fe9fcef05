import MartletJSON

extension AgentLoop {
  /// Takes a record of the log. Ephemeral records and records already applied change nothing.
  public mutating func apply(_ record: EventRecord) {
    if let seq = record.seq {
      guard seq > lastSeq else { return }
      lastSeq = seq
    } else if record.event.isDurable {
      lastSeq += 1
    } else {
      return
    }
    clock = record.time
    if let run = record.run { runId = run }
    fold(record.event)
  }

  /// Takes records one after the other.
  mutating func apply(_ records: [EventRecord]) {
    // In place: a copy of each would take as long as what is done with it.
    records.withUnsafeBufferPointer { records in
      for index in records.indices { apply(records[index]) }
    }
  }

  /// Takes a durable event as the next of the log; an ephemeral one changes nothing.
  public mutating func apply(_ event: AgentEvent) {
    guard event.isDurable else { return }
    lastSeq += 1
    fold(event)
  }

  private mutating func fold(_ event: AgentEvent) {
    switch event {
    case .sessionCreated(let created):
      if created.format > Self.format {
        readOnlyReason =
          "the session has format \(created.format), newer than \(Self.format): update martlet to continue it"
      }
    case .context(let context):
      self.context = context
      contextBytes = context.approximateBytes
      estimator.startEpoch()
      needsContext = false
      told.take(context)
    case .runStarted(let started):
      run = RunState(budget: started.budget)
      run?.startedAt = clock
      phase = .running
      lastEnd = nil
    case .runResumed(let resumed): resume(resumed)
    case .prompt(let prompt):
      if run?.promptSeq == nil, run?.iteration == 0 {
        run?.promptSeq = lastSeq
        run?.messagesBefore = history.count
      }
      append(prompt.message)
      run?.continuesReply = false
      if run?.correction == nil { run?.corrections = 0 }
      run?.correction = nil
      run?.output = nil
      if let id = prompt.queueId { queue.removeAll { $0.queueId == id } }
      run?.outcome = nil
    case .queued(let queued): queue.append(queued)
    case .unqueued(let unqueued): queue.removeAll { $0.queueId == unqueued.queueId }
    case .iterationStarted(let iteration):
      run?.iteration = iteration
      run?.needsReply = true
      run?.attempt = 0
      run?.retryDelayMs = 0
    case .modelCall(let call):
      run?.modelCall = call
      run?.modelCallIsLost = false
      if call.purpose == .turn { run?.attempt = call.attempt }
    case .modelCallEnded(let ended): settle(ended)
    case .assistantMessage(let reply): take(reply)
    case .toolStarted(let started):
      run?.lostCalls.remove(started.call.id)
      setStage(of: started.call.id, to: .started(started.call, effect: started.effect, isLost: false))
    case .toolFinished(let finished): take(finished.toolResult)
    case .approvalRequested(let request):
      if let index = run?.index(of: request.call.id), case .started(_, .once, isLost: true) = run?.calls[index].stage {
        run?.lostCalls.insert(request.call.id)
      }
      setStage(of: request.call.id, to: .awaitingApproval(request))
      park()
    case .approvalResolved(let resolved): take(resolved)
    case .inputRequested(let request):
      pendingInputs.append(request)
      if let callId = request.callId, let index = run?.index(of: callId),
        case .started(let call, _, _) = run?.calls[index].stage
      {
        setStage(of: callId, to: .awaitingInput(call))
      }
      park()
    case .inputResolved(let resolved): take(resolved)
    case .waiting: phase = .waiting
    case .cancelRequested(let cancel):
      guard run != nil, run?.cancel == nil else { return }
      run?.cancel = cancel
      phase = .cancelling
    case .finished, .failed:
      run = nil
      pendingInputs = []
      phase = .idle
      lastEnd = event
    case .compacted(let compacted): take(compacted)
    case .historyReplaced(let replaced):
      setHistory(HistoryRepair.repaired(replaced.messages))
      reach.replace(at: lastSeq)
    case .rewound(let rewound): rewind(to: rewound.toSeq)
    case .unknown(let unknown):
      if unknown.isCritical {
        readOnlyReason =
          "the session holds a `\(unknown.type)` event that this version does not know: update martlet to continue it"
      }
    case .sessionUpdated, .handedOff, .warning:
      if case .warning(let warning) = event { run?.warnings.removeAll { $0 == warning } }
    case .text, .thinking, .toolCallDelta, .partial, .toolProgress, .metrics, .retrying, .subagent: break
    }
  }

  private mutating func resume(_ resumed: RunResumed) {
    if run == nil { run = RunState(budget: resumed.budget ?? Budget()) }
    if let budget = resumed.budget { run?.budget = budget }
    if run?.startedAt == nil { run?.startedAt = clock }
    run?.loseWhatWasUnderWay()
    phase = run?.cancel == nil ? .running : .cancelling
  }

  private mutating func settle(_ ended: ModelCallEnded) {
    usage += ended.usage
    guard run != nil else { return }
    run?.usage += ended.usage
    if let cost = ended.cost {
      let sum = (run?.cost ?? 0) + cost
      run?.cost = sum
    }
    let purpose = run?.modelCall?.purpose ?? .turn
    run?.modelCall = nil
    run?.modelCallIsLost = false
    guard purpose == .turn else { return }
    guard let error = ended.error else {
      estimator.learn(tokens: ended.usage.input, bytes: contextBytes + historyBytes)
      return
    }
    if let delay = ended.nextAttemptInMs {
      run?.retryDelayMs = delay
    } else if error.isAboutLength {
      run?.overflow = error
      estimator.learnOverflow()
    } else {
      run?.failure = error
    }
  }

  private mutating func take(_ reply: AssistantMessage) {
    run?.needsReply = false
    run?.compactions = 0
    if let overflow = run?.overflow {
      // Something of the reply had come already, so the request cannot be made again.
      run?.failure = overflow
      run?.overflow = nil
    }
    if reply.stopReason == .refusal {
      // What was said before a refusal does not count, and sending it back can be refused again.
      run?.outcome = .refused
      return
    }
    // An empty block is refused by providers when it is sent back, and says nothing.
    let said = reply.message.content.filter(HistoryRepair.isSayableInReply)
    if !said.isEmpty { append(Message(role: .assistant, content: said)) }
    run?.continuesReply = reply.stopReason == .pauseTurn && !said.isEmpty
    let calls = reply.message.toolCalls
    run?.calls = calls.map { CallProgress(call: $0, stage: .asked) }
    for call in calls {
      callIds.insert(call.id)
      if let warning = run?.detector.observe(call) { run?.warnings.append(warning) }
    }
    let isCut = reply.stopReason == .maxTokens || reply.stopReason == .contextWindowExceeded
    run?.callsAreCut = isCut && !calls.isEmpty
    if isCut || reply.stopReason == .contentFilter {
      run?.outcome = .truncated
    } else if calls.isEmpty, !reply.interrupted, reply.stopReason != .pauseTurn {
      answer(reply.message.text)
    }
  }

  /// Takes the text of a final reply. One that does not fit the schema is corrected once.
  private mutating func answer(_ text: String) {
    guard let schema = context?.outputSchema else {
      run?.outcome = .answered
      return
    }
    switch TypedAnswer(text, schema: schema) {
    case .value(let value):
      run?.output = value
      run?.outcome = .answered
    case .faults(let faults):
      if run?.corrections == 0 {
        run?.corrections = 1
        run?.correction = TypedAnswer.correction(faults)
      } else {
        run?.failure = CallFailure(
          code: "invalid_output", message: "the answer does not fit its schema, also when asked again: \(faults)")
      }
    }
  }

  private mutating func take(_ result: ToolResult) {
    guard run?.index(of: result.callId) != nil else { return }
    setStage(of: result.callId, to: .finished(result))
    guard let calls = run?.calls, !calls.isEmpty, calls.allSatisfy(\.isFinished) else { return }
    append(.tool(calls.compactMap(\.result)))
    run?.calls = []
    run?.inputs = [:]
    run?.callsAreCut = false
  }

  private mutating func take(_ resolved: ApprovalResolved) {
    guard
      let index = run?.calls.firstIndex(where: {
        if case .awaitingApproval(let request) = $0.stage { request.approvalId == resolved.approvalId } else { false }
      }), case .awaitingApproval(let request) = run?.calls[index].stage
    else { return }
    switch resolved.decision {
    case .allow:
      var call = request.call
      if let edited = resolved.arguments, !edited.isNull {
        // Whoever edited them did not agree to the ones that were there before.
        guard case .object(let arguments) = edited else {
          run?.calls[index].stage = .denied(reason: "the edited arguments are no JSON object")
          unpark()
          return
        }
        call.arguments = .object(arguments)
      }
      run?.calls[index].stage = .approved(call)
    case .deny: run?.calls[index].stage = .denied(reason: resolved.reason)
    }
    if resolved.scope == ApprovalScope.session.rawValue {
      let rule = rule(of: request, edited: resolved.arguments?.objectValue)
      // Without a rule for calls like it, the answer is about this one.
      if let rule { sessionRules.add(rule, resolved.decision) }
    }
    unpark()
  }

  private mutating func take(_ resolved: InputResolved) {
    guard let position = pendingInputs.firstIndex(where: { $0.inputId == resolved.inputId }) else { return }
    let request = pendingInputs.remove(at: position)
    if let callId = request.callId, let index = run?.index(of: callId) {
      run?.inputs[callId, default: []].append(ToolInput(request, resolved))
      // What it was allowed to do it still is.
      if case .awaitingInput(let call) = run?.calls[index].stage,
        !pendingInputs.contains(where: { $0.callId == callId })
      {
        run?.calls[index].stage = .approved(call)
      }
    }
    unpark()
  }

  /// Somebody's answer is outstanding.
  private mutating func park() {
    if run?.parkedSince == nil { run?.parkedSince = clock }
  }

  /// An answer has come.
  private mutating func unpark() {
    if run?.openApprovals.isEmpty == true, pendingInputs.isEmpty, let since = run?.parkedSince {
      run?.parked += clock.since(since)
      run?.parkedSince = nil
    }
    if phase == .waiting { phase = .running }
  }

  private mutating func take(_ compacted: Compacted) {
    var view = view
    view.apply(compacted)
    let (messages, seqs, head) = view.merged
    setHistory(messages, seqs: seqs)
    reach.replace(at: lastSeq)
    self.head = head
    hasCompacted = true
    run?.compactions += 1
    run?.overflow = nil
    run?.retryDelayMs = 0
  }

  private mutating func setStage(of callId: String, to stage: CallProgress.Stage) {
    guard let index = run?.index(of: callId) else { return }
    // The first result of a call is its result.
    if run?.calls[index].isFinished == true { return }
    run?.calls[index].stage = stage
  }

  private mutating func append(_ message: Message) {
    history.append(message)
    messageSeqs.append(lastSeq)
    historyBytes += message.approximateBytes
    told.take(message)
  }

  mutating func setHistory(_ messages: [Message], seqs: [Int]? = nil) {
    history = MessageHistory(messages)
    head = []
    messageSeqs = Array((seqs ?? []).prefix(messages.count))
    while messageSeqs.count < messages.count { messageSeqs.append(lastSeq) }
    historyBytes = messages.reduce(0) { $0 + $1.approximateBytes }
    for message in messages { for call in message.toolCalls { callIds.insert(call.id) } }
    needsContext = context != nil
    told = ToldContext(context, messages)
    estimator.startEpoch()
  }
}

extension CallFailure {
  /// Whether the request was too long, so that a shorter one may be taken.
  fileprivate var isAboutLength: Bool {
    [ModelError.Code.contextOverflow, .requestTooLarge].contains(ModelError.Code(rawValue: code))
  }
}
