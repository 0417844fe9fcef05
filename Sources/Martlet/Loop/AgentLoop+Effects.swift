import MartletJSON

extension AgentLoop {
  /// What should be going on now. Empty when nothing is: no run is open, or the log must not be continued.
  public var pendingEffects: [LoopEffect] {
    guard let run, readOnlyReason == nil else { return [] }
    if let cancel = run.cancel { return effects(ending: run, on: cancel) }
    if !run.warnings.isEmpty { return [.record(run.warnings.map { .warning($0) })] }
    if let call = run.modelCall {
      if run.modelCallIsLost { return [.record([.modelCallEnded(lost(call, nextAttemptInMs: 0))])] }
      // A call for a summary is a part of the compaction that is pending below.
      if call.purpose == .turn { return [.callModel(pendingCall(run, attempt: call.attempt))] }
    }
    if let overflow = run.overflow {
      if let plan = plan(.overflow, from: run.compactions) { return [.compact(plan)] }
      return [.record([.failed(end(with: overflow))])]
    }
    if let failure = run.failure { return [.record([.failed(end(with: failure))])] }
    if !run.calls.isEmpty { return effects(forCallsOf: run) }
    if needsContext, var context {
      context.epoch += 1
      context.tools = offered(context.tools)
      return [.record([.context(context)])]
    }
    if run.needsReply, let plan = pendingCompaction(run) { return [.compact(plan)] }
    if run.needsReply { return [.callModel(pendingCall(run, attempt: run.attempt + 1))] }
    if let correction = run.correction { return [.correct(.user(correction))] }
    if let outcome = run.outcome {
      if outcome == .answered, let next = queue.first { return [.deliver(next)] }
      return [.record([.finished(end(of: run, outcome))])]
    }
    if let steering = queue.first(where: { $0.mode == .steer }) { return [.deliver(steering)] }
    guard run.continuesReply || history.last.map({ $0.role != .assistant }) == true else {
      return [.record([.failed(Self.nothingToAnswer)])]
    }
    guard hasBudget(run) else { return [.record([.finished(end(of: run, .budget))])] }
    return [.record([.iterationStarted(run.iteration + 1)])]
  }

  /// A log that was cut between a run's start and its prompt.
  private static let nothingToAnswer = Failed(
    code: "no_prompt", message: "the run ended before its prompt was recorded: say it again", retryable: false)

  private func effects(ending run: RunState, on cancel: CancelRequested) -> [LoopEffect] {
    if let call = run.modelCall {
      if run.modelCallIsLost { return [.record([.modelCallEnded(lost(call, nextAttemptInMs: nil))])] }
      return [.stopModelCall(messageId: call.messageId)]
    }
    var settled: [AgentEvent] = []
    var stops: [LoopEffect] = []
    for progress in run.calls {
      if run.lostCalls.contains(progress.call.id), !progress.isFinished {
        settled.append(.toolFinished(ToolFinished(Self.lostResult(of: progress.call, effect: .once))))
        continue
      }
      switch progress.stage {
      case .finished: break
      case .started(let call, let effect, let isLost):
        if isLost {
          settled.append(.toolFinished(ToolFinished(Self.lostResult(of: call, effect: effect))))
        } else {
          stops.append(.stopTool(callId: call.id))
        }
      case .asked, .awaitingApproval, .approved, .awaitingInput, .denied:
        settled.append(
          .toolFinished(ToolFinished(.failure(progress.call, code: .interrupted, "Not run: the user stopped the run.")))
        )
      }
    }
    if !settled.isEmpty { return [.record(settled)] }
    if !stops.isEmpty { return stops }
    let reason: FinishReason = cancel.by == CancelRequested.timeBudget ? .budget : .cancelled
    return [.record([.finished(end(of: run, reason))])]
  }

  private func effects(forCallsOf run: RunState) -> [LoopEffect] {
    var settled: [AgentEvent] = []
    for progress in run.calls {
      switch progress.stage {
      case .denied where run.lostCalls.contains(progress.call.id):
        settled.append(.toolFinished(ToolFinished(Self.lostResult(of: progress.call, effect: .once))))
      case .denied(let reason):
        let because = reason.map { ": \($0)" } ?? "."
        settled.append(
          .toolFinished(
            ToolFinished(.failure(progress.call, code: .denied, "The user did not allow this call\(because)"))))
      case .started(let call, .once, isLost: true):
        settled.append(.toolFinished(ToolFinished(Self.lostResult(of: call, effect: .once))))
      case .asked where run.callsAreCut:
        settled.append(
          .toolFinished(
            ToolFinished(
              .failure(progress.call, code: .interrupted, "Not run: the reply was cut off by the output limit."))))
      default: break
      }
    }
    if !settled.isEmpty { return [.record(settled)] }

    var effects: [LoopEffect] = []
    var isBlocked = false  // by an exclusive call that is not finished
    var isFirst = true  // no unfinished call before this one
    for progress in run.calls where !progress.isFinished {
      let runsConcurrently = definition(of: progress.call.name)?.runsConcurrently ?? true
      let mayRun = !isBlocked && (runsConcurrently || isFirst)
      switch progress.stage {
      case .asked: if mayRun { effects.append(.runTool(progress.call, approved: false)) }
      case .approved(let call): if mayRun { effects.append(.runTool(call, approved: true)) }
      case .started(let call, _, _): effects.append(.runTool(call, approved: true))
      case .awaitingApproval(let request): effects.append(.awaitApproval(request))
      case .awaitingInput, .denied, .finished: break
      }
      if !runsConcurrently { isBlocked = true }
      isFirst = false
    }
    effects += pendingInputs.map { .awaitInput($0) }
    let canGoOn = effects.contains { if case .runTool = $0 { true } else { false } }
    if !canGoOn, phase != .waiting {
      effects.append(
        .park(approvals: run.openApprovals.map(\.approvalId), inputs: pendingInputs.map(\.inputId)))
    }
    return effects
  }

  /// What a call that was running when its process ended is answered with.
  static func lostResult(of call: ToolCall, effect: ToolEffect) -> ToolResult {
    effect == .once
      ? .failure(
        call, code: .outcomeUnknown,
        "The program ended while this call ran. It may or may not have taken effect: check before doing it again.")
      : .failure(call, code: .interrupted, "The program ended while this call ran. It can be called again.")
  }

  func definition(of name: String) -> ToolDefinition? { context?.tools.first { $0.name == name } }

  private func lost(_ call: ModelCallStarted, nextAttemptInMs: Int?) -> ModelCallEnded {
    // What a lost call used is not known; what was reserved counts (invariant I4).
    ModelCallEnded(
      usage: Usage(input: call.reserved.tokens), cost: call.reserved.usd,
      error: CallFailure(code: ModelError.Code.lost.rawValue, message: "the program ended during the call"),
      nextAttemptInMs: nextAttemptInMs)
  }

  private func end(with failure: CallFailure) -> Failed {
    Failed(
      code: failure.code, message: failure.message, retryable: ModelError.Code(rawValue: failure.code).isRetryable)
  }

  private func end(of run: RunState, _ reason: FinishReason) -> Finished {
    Finished(
      iterations: run.iteration, reason: reason, output: reason == .answered ? run.output : nil, usage: run.usage,
      cost: run.cost)
  }

  private func pendingCall(_ run: RunState, attempt: Int) -> PendingModelCall {
    let input = estimatedInputTokens
    var output = context?.options.maxOutputTokens ?? Self.defaultMaxOutputTokens
    // The reply has what the request leaves of the window.
    if let window = contextLimits?.window { output = max(1, min(output, window - input)) }
    if let limit = run.budget.tokens { output = max(1, min(output, limit - run.usage.total - input)) }
    return PendingModelCall(
      iteration: run.iteration, attempt: attempt, delayMs: attempt > 1 ? run.retryDelayMs : 0, maxOutputTokens: output,
      reservedTokens: input + output)
  }

  /// Whether another pass fits the budget: at least a few tokens of output beside the input.
  private func hasBudget(_ run: RunState) -> Bool {
    if run.iteration >= run.budget.iterations { return false }
    if let limit = run.budget.tokens, run.usage.total + estimatedInputTokens + 16 > limit { return false }
    if let limit = run.budget.usd, (run.cost ?? 0) >= limit { return false }
    if let limit = run.budget.time, run.elapsed(at: clock) >= limit { return false }
    return true
  }
}
