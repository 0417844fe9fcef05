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
      needsContext = false
      told.take(context)
    case .runStarted(let started):
      run = RunState(budget: started.budget)
      run?.startedAt = clock
      phase = .running
      lastEnd = nil
    case .runResumed(let resumed): resume(resumed)
    case .prompt(let prompt):
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
      guard call.purpose == .turn else { return }
      run?.modelCall = call
      run?.modelCallIsLost = false
      run?.attempt = call.attempt
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
      if run?.parkedSince == nil { run?.parkedSince = clock }
    case .approvalResolved(let resolved): take(resolved)
    case .inputRequested(let request): pendingInputs.append(request)
    case .inputResolved(let resolved):
      pendingInputs.removeAll { $0.inputId == resolved.inputId }
      if phase == .waiting { phase = .running }
    case .waiting: phase = .waiting
    case .cancelRequested(let cancel):
      guard run != nil, run?.cancel == nil else { return }
      run?.cancel = cancel
      phase = .cancelling
    case .finished, .failed:
      run = nil
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
    run?.modelCall = nil
    run?.modelCallIsLost = false
    if let error = ended.error {
      if let delay = ended.nextAttemptInMs { run?.retryDelayMs = delay } else { run?.failure = error }
    }
  }

  private mutating func take(_ reply: AssistantMessage) {
    run?.needsReply = false
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
    guard let run, !run.calls.isEmpty, run.calls.allSatisfy(\.isFinished) else { return }
    append(.tool(run.calls.compactMap(\.result)))
    self.run?.calls = []
    self.run?.callsAreCut = false
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
      if let edited = resolved.arguments?.objectValue { call.arguments = .object(edited) }
      run?.calls[index].stage = .approved(call)
      if let scope = resolved.scope, scope != "once" { allowedTools.insert(call.name) }
    case .deny: run?.calls[index].stage = .denied(reason: resolved.reason)
    }
    if run?.openApprovals.isEmpty == true, let since = run?.parkedSince {
      run?.parked += clock.since(since)
      run?.parkedSince = nil
    }
    if phase == .waiting { phase = .running }
  }

  private mutating func take(_ compacted: Compacted) {
    var messages: [Message] = []
    var seqs: [Int] = []
    var insertedSummary = compacted.summary.isEmpty
    for (message, seq) in zip(history, messageSeqs) {
      let isReplaced = seq >= compacted.fromSeq && seq <= compacted.toSeq && !compacted.keep.contains(seq)
      if seq >= compacted.fromSeq, !insertedSummary {
        messages.append(Message(role: .user, content: compacted.summary))
        seqs.append(compacted.fromSeq)
        insertedSummary = true
      }
      if !isReplaced {
        messages.append(message.clearing(results: compacted.cleared))
        seqs.append(seq)
      }
    }
    setHistory(messages, seqs: seqs)
    reach.replace(at: lastSeq)
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
    messageSeqs = Array((seqs ?? []).prefix(messages.count))
    while messageSeqs.count < messages.count { messageSeqs.append(lastSeq) }
    historyBytes = messages.reduce(0) { $0 + $1.approximateBytes }
    for message in messages { for call in message.toolCalls { callIds.insert(call.id) } }
    needsContext = context != nil
    told = ToldContext(context, messages)
  }
}

extension Message {
  /// About how many bytes the message has on a wire.
  var approximateBytes: Int { content.reduce(8) { $0 + $1.approximateBytes } }

  /// The message with the content of these results left out.
  fileprivate func clearing(results: [String]) -> Message {
    guard role == .tool, !results.isEmpty else { return self }
    var message = self
    message.content = content.map { block in
      guard case .toolResult(var result) = block.kind, results.contains(result.callId) else { return block }
      result.content = [.text("(result cleared to save space)")]
      return ContentBlock(.toolResult(result), extra: block.extra)
    }
    return message
  }
}

extension ContentBlock {
  fileprivate var approximateBytes: Int {
    switch kind {
    case .text(let text): text.utf8.count + 8
    case .thinking(let thinking): thinking.text.utf8.count + 8
    case .toolCall(let call): call.name.utf8.count + call.arguments.approximateBytes + 24
    case .toolResult(let result): result.content.reduce(24) { $0 + $1.approximateBytes }
    case .media: 4_096
    case .opaque(let opaque): opaque.value.approximateBytes
    case .unknown: 0
    }
  }
}

extension ToolCall.Arguments {
  fileprivate var approximateBytes: Int {
    switch self {
    case .object(let object): JSONValue.object(object).approximateBytes
    case .unparsed(let text, _): text.utf8.count
    }
  }
}

extension JSONValue {
  fileprivate var approximateBytes: Int {
    switch self {
    case .null, .bool, .number: 5
    case .string(let text): text.utf8.count + 2
    case .array(let values): values.reduce(2) { $0 + $1.approximateBytes + 1 }
    case .object(let object): object.reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.approximateBytes }
    }
  }
}
