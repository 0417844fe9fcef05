import MartletJSON
import MartletSync

extension Agent {
  static let busy = AgentError(
    code: .busy, message: "a run is under way: wait for it, steer it, or use another agent")

  // MARK: - Beginning

  func begin(_ message: Message) async throws -> ActiveRun {
    guard activeRun == nil, !isStarting else { throw Self.busy }
    isStarting = true
    defer { isStarting = false }
    try await open()
    try checkBudget()
    try checkSchema()
    if loop.phase != .idle { try await closeInterruptedRun() }
    activeRunId = environment.makeID()
    var events: [AgentEvent] = [.runStarted(RunStarted(budget: configuration.budget))]
    let assigned = assignedMessages
    if let assigned {
      events.append(.historyReplaced(HistoryReplaced(messages: assigned)))
      assignedMessages = nil
    }
    let change = await contextChange(replaced: assigned)
    events += change.events + prefixChanges(to: change.context, replacing: assigned)
    events.append(.prompt(Prompt(messageId: environment.makeID(), message: message.adding(change.notes))))
    return start(events)
  }

  func beginResume() async throws -> ActiveRun {
    guard activeRun == nil, !isStarting else { throw Self.busy }
    isStarting = true
    defer { isStarting = false }
    try await open()
    if loop.phase != .idle {
      activeRunId = loop.runId
      // The run goes on with the tools of its log; which of them are there is part of a recording.
      if environment.script != nil { _ = await availableTools() }
      var events: [AgentEvent] = [.runResumed(RunResumed(previousOwner: lease?.previousHolder))]
      if configuration.asksAboutLostCalls, loop.cancelRequest == nil {
        events += loop.startedOnce.map { call in
          .approvalRequested(
            ApprovalRequested(approvalId: environment.makeID(), call: call, options: ApprovalOption.afterLoss))
        }
      }
      return start(events)
    }
    guard case .failed = loop.lastEnd, let last = loop.history.last, last.role == .user || last.role == .tool else {
      throw AgentError(code: .notFound, message: "session \(id) has no interrupted run: say something new instead")
    }
    activeRunId = environment.makeID()
    var events: [AgentEvent] = [.runStarted(RunStarted(budget: configuration.budget, reason: "retry"))]
    let change = await contextChange()
    events += change.events + prefixChanges(to: change.context)
    return start(events)
  }

  private func start(_ events: [AgentEvent]) -> ActiveRun {
    append(events)
    (fallback, triesBefore) = (0, 0)
    let run = ActiveRun(id: activeRunId ?? id, task: Task(on: environment.executor) { await self.drive() })
    activeRun = run
    return run
  }

  /// Settles a run that an earlier life of the process left open, when something new is said instead of resuming it.
  private func closeInterruptedRun() async throws {
    activeRunId = loop.runId
    append(AgentLoop.superseding)
    while case .record(let events) = loop.pendingEffects.first { append(events) }
    try await flush()
  }

  private func checkBudget() throws {
    if configuration.budget.usd != nil,
      let unpriced = ([model] + configuration.fallbacks).first(where: { $0.info.price == nil })
    {
      throw AgentError(
        code: .configuration,
        message:
          "a money budget needs a model with a known price, and \(unpriced.info.name) has none: set its price, or drop the budget"
      )
    }
    if configuration.budget.iterations < 1 {
      throw AgentError(
        code: .configuration,
        message: "a budget of \(configuration.budget.iterations) iterations allows nothing: use at least 1")
    }
  }

  private func checkSchema() throws {
    guard let schema = configuration.outputSchema else { return }
    do { _ = try JSONSchema(schema) } catch {
      throw AgentError(
        code: .configuration, message: "the schema of the answer cannot be used: \(error)", underlying: error)
    }
  }

  /// Waits for a run; cancelling the waiting task cancels the run.
  func answer(of run: ActiveRun) async throws -> String {
    let outcome = await withTaskCancellationHandler {
      await run.task.value
    } onCancel: {
      run.task.cancel()
    }
    switch outcome {
    case .answer(let text): return text
    case .error(let error):
      if error.code == .cancelled { try Task.checkCancellation() }
      throw error
    }
  }

  // MARK: - Driving

  /// Performs what is pending until nothing is, or until a person has to answer who is not there.
  private func drive() async -> RunOutcome {
    scheduleTimeBudget()
    do {
      try await flush()
      try await performEffects()
    } catch {
      // Nothing can be recorded any more: stop everything, and say why.
    }
    await stopOperations()
    var outcome = outcome()
    if loop.phase == .waiting { await letGo() }
    if let by = lateCancel {
      lateCancel = nil
      outcome = await cancelParkedRun(by: by)
    }
    watchdogTask?.cancel()
    await watchdogTask?.value
    watchdogTask = nil
    watchdog = Watchdog()
    activeRun = nil
    activeRunId = nil
    runSubscription?.finish(storageFailure.map(Self.storageError))
    runSubscription = nil
    subscriptions = subscriptions.filter { !$0.value.isOver }
    return outcome
  }

  /// Ends a run that was cancelled while its session was being given back: takes the session again, unless somebody else
  /// has it by now, who then goes on with it.
  private func cancelParkedRun(by: String) async -> RunOutcome {
    do {
      try await open()
      requestCancel(by: by)
      try await flush()
      try await performEffects()
    } catch {
      environment.log.log(.warning, "a waiting run could not be cancelled", metadata: ["error": "\(error)"])
    }
    await stopOperations()
    return outcome()
  }

  private func performEffects() async throws {
    while true {
      if Task.isCancelled { requestCancel(by: "caller") }
      var isParked = false
      var hasRecorded = false
      updateContextLimits()
      recordSideCalls()
      for effect in await effectsInTurn() {
        switch effect {
        case .record(let events):
          append(events)
          hasRecorded = true
        case .deliver(let queued):
          append([.prompt(Prompt(messageId: environment.makeID(), message: queued.message, queueId: queued.queueId))])
          hasRecorded = true
        case .correct(let message):
          append([.prompt(Prompt(messageId: environment.makeID(), message: message))])
          hasRecorded = true
        case .compact(let plan): begin(operation: "model:compaction") { await $0.performCompaction(plan) }
        case .callModel(let call):
          begin(operation: "model:\(call.iteration):\(call.attempt)") { await $0.performModelCall(call) }
        case .runTool(let call, let approved):
          guard hasRoom(for: call) else { break }
          begin(operation: "tool:\(call.id)") { await $0.performTool(call, approved: approved) }
        case .awaitApproval(let request):
          if let answer = standingAnswer(to: request) {
            append([.approvalResolved(ApprovalResolved(approvalId: request.approvalId, answer))])
            hasRecorded = true
            break
          }
          guard let approver = configuration.approver, !deferredApprovals.contains(request.approvalId) else { break }
          begin(operation: "approval:\(request.approvalId)") { await $0.ask(approver, request) }
        case .awaitInput(let request):
          if isExpired(request) {
            append([.inputResolved(InputResolved(inputId: request.inputId, declined: true))])
            hasRecorded = true
            break
          }
          guard let provider = configuration.inputProvider, !deferredInputs.contains(request.inputId) else { break }
          begin(operation: "input:\(request.inputId)") { await $0.ask(provider, request) }
        case .park(let approvals, let inputs):
          guard !hasRecorded, configuration.approver == nil || deferredApprovals.isSuperset(of: approvals),
            configuration.inputProvider == nil || deferredInputs.isSuperset(of: inputs)
          else { break }
          append([.waiting(Waiting(approvals: approvals, inputs: inputs))])
          isParked = true
        case .stopModelCall(let messageId): stopModelCall(messageId)
        case .stopTool(let callId): stopTool(callId)
        }
      }
      endAnsweredQuestions()
      if hasRecorded {
        if loop.run == nil { break }
        continue
      }
      if isParked || operations.isEmpty { break }
      try await flush()
      // Once a cancel request is recorded, this task's own cancellation has nothing more to say.
      await wakeup.wait(noticesCancellation: loop.cancelRequest == nil)
      publishProgress()
    }
    try await flush()
  }

  private func hasRoom(for call: ToolCall) -> Bool {
    operations["tool:\(call.id)"] != nil
      || operations.keys.count { $0.hasPrefix("tool:") } < max(1, configuration.toolConcurrency)
  }

  private func begin(operation id: String, _ body: @escaping @Sendable (isolated Agent) async -> Void) {
    guard operations[id] == nil else { return }
    operations[id] = Task(on: environment.executor) {
      await body(self)
      self.operations[id] = nil
      self.signal()
    }
  }

  /// Ends what is under way and waits until it is over.
  private func stopOperations() async {
    for operation in operations.values { operation.cancel() }
    for callId in runningTools.keys { stopTool(callId) }
    while let operation = operations.values.first { await operation.value }
  }

  /// Nobody is asked any longer what somebody else, or a rule, has answered.
  private func endAnsweredQuestions() {
    // Only while they are asked: an operation that records an answer must get to its end.
    if asking.isEmpty { return }
    let open = loop.openApprovals.map(\.approvalId) + loop.openInputs.map(\.inputId)
    for id in asking.subtracting(open) {
      operations["approval:\(id)"]?.cancel()
      operations["input:\(id)"]?.cancel()
    }
  }

  func requestCancel(by: String) {
    guard loop.run != nil, loop.cancelRequest == nil else { return }
    guard lease != nil else {
      // Without the session nothing can be recorded: the run takes it again when it is given back.
      if lateCancel == nil { lateCancel = by }
      return
    }
    append([.cancelRequested(CancelRequested(by: by))])
    for (id, operation) in operations where !id.hasPrefix("tool:") { operation.cancel() }
    for callId in runningTools.keys { stopTool(callId) }
    signal()
  }

  private func stopModelCall(_ messageId: String) {
    for (id, operation) in operations where id.hasPrefix("model:") { operation.cancel() }
    guard !operations.keys.contains(where: { $0.hasPrefix("model:") }) else { return }
    append([
      .modelCallEnded(
        ModelCallEnded(error: CallFailure(code: ModelError.Code.cancelled.rawValue, message: "the call was cancelled")))
    ])
    signal()
  }

  /// Makes the drive loop look again at what is pending.
  func signal() { wakeup.set() }

  // MARK: - Outcomes

  private func outcome() -> RunOutcome {
    if let storageFailure { return .error(Self.storageError(storageFailure)) }
    let text = lastReplyText
    func error(_ code: AgentError.Code, _ message: String) -> RunOutcome {
      .error(AgentError(code: code, message: message, partial: text))
    }
    switch loop.lastEnd {
    case .finished(let finished):
      switch finished.reason {
      case .answered: return .answer(text)
      case .budget: return error(.budget, budgetMessage(finished))
      case .cancelled: return error(.cancelled, "the run was cancelled")
      case .refused: return error(.refused, "the model refused to answer: say it in another way")
      case .truncated: return error(.truncated, "the answer was cut off by the output limit: raise it to get all of it")
      }
    case .failed(let failed):
      let cause = ModelError(
        code: ModelError.Code(rawValue: failed.code), message: failed.message, isRetryable: failed.retryable)
      return .error(
        AgentError(code: .model, message: failed.message, partial: text, underlying: lastModelError ?? cause))
    default:
      let open = loop.openApprovals.map { "\($0.call.name) (\($0.approvalId))" }.joined(separator: ", ")
      let inputs = loop.openInputs.map { "\($0.kind) \($0.inputId)" }.joined(separator: ", ")
      let wanted = [open.isEmpty ? nil : "allow or deny \(open)", inputs.isEmpty ? nil : "give \(inputs)"]
      return error(
        .waiting, "the run waits for an answer: \(wanted.compactMap { $0 }.joined(separator: "; "))")
    }
  }

  private func budgetMessage(_ finished: Finished) -> String {
    let budget = configuration.budget
    if finished.iterations >= budget.iterations {
      return "no answer after \(finished.iterations) iterations, all that the run may take: raise the limit to go on"
    }
    if let limit = budget.tokens, budget.usd == nil, budget.time == nil {
      return
        "the token budget of \(limit) does not allow another model call (\(finished.usage.total) used): raise it to go on"
    }
    return "the run's budget of tokens, money or time is used up: raise it to go on"
  }

  private var lastReplyText: String {
    for message in loop.history.reversed() {
      if message.role == .assistant { return message.text }
      if message.role == .user { return "" }
    }
    return ""
  }
}
