import MartletJSON

extension Agent {
  /// Makes a model call and records how it went. Always settles what it started, also when cancelled.
  func performModelCall(_ call: PendingModelCall) async {
    do {
      await environment.script?.turn(.model, in: id)
      if call.delayMs > 0 { try await environment.clock.sleep(for: .milliseconds(call.delayMs)) }
      try Task.checkCancellation()
    } catch {
      return
    }
    guard loop.run != nil, loop.cancelRequest == nil else { return }
    if call.attempt == 1 { triesBefore = 0 }
    let model = modelInUse
    let info = model.info
    let messageId = environment.makeID()
    let reservedCost = info.price.map { price in
      price.cost(of: Usage(input: call.reservedTokens - call.maxOutputTokens, output: call.maxOutputTokens))
    }
    if let limit = loop.budget?.usd, let reservedCost, (loop.runCost ?? 0) + reservedCost > limit {
      append([
        .finished(
          Finished(iterations: loop.iteration - 1, reason: .budget, usage: loop.runUsage, cost: loop.runCost))
      ])
      return
    }
    append([
      .modelCall(
        ModelCallStarted(
          model: info.name, attempt: call.attempt, messageId: messageId,
          reserved: Reservation(tokens: call.reservedTokens, usd: reservedCost)))
    ])
    let request = look { [id] in $0.request(for: call, session: id) }
    if let warning = prefixMonitor.take(request) { append([.warning(warning)]) }
    reply = ReplyAssembler(messageId: messageId)
    do {
      try await flush()
      if let trace = environment.trace {
        try await trace.withSpan(GenAI.chat) { span in
          span.setAttribute(GenAI.provider, info.provider)
          span.setAttribute(GenAI.requestModel, info.id)
          try await read(request, from: model)
        }
      } else {
        try await read(request, from: model)
      }
      settle(nil, call, info)
    } catch {
      settle(error, call, info)
    }
    reply = nil
    do { try await flush() } catch {
      // The drive loop meets the same failure and ends the run with it.
    }
  }

  /// The agent's own model, or the fallback that this run has turned to.
  var modelInUse: any LanguageModel {
    let fallbacks = configuration.fallbacks
    return fallback > 0 && fallback <= fallbacks.count ? fallbacks[fallback - 1] : model
  }

  private func read(_ request: ModelRequest, from model: any LanguageModel) async throws {
    try await read(request, from: model) { event in
      if let shown = reply?.take(event) {
        if shown.isDurable { append([shown]) } else { publish(shown) }
      }
      return reply?.stopReason != nil
    }
  }

  /// Reads a reply to its last event, which `take` tells.
  func read(_ request: ModelRequest, from model: any LanguageModel, take: (ModelEvent) -> Bool) async throws {
    var iterator = model.stream(request).makeAsyncIterator()
    while let batch = try await iterator.nextBatch() {
      var isOver = false
      for event in batch where take(event) { isOver = true }
      if isOver { return }
    }
    throw ModelError(code: .truncatedStream, message: "the model's stream ended before its reply was complete")
  }

  /// Records the end of a model call: its reply, or its failure and what may stand of the reply.
  private func settle(_ error: (any Error)?, _ call: PendingModelCall, _ info: ModelInfo) {
    guard let reply else { return }
    if !reply.rateLimits.isEmpty { rateLimits = reply.rateLimits }
    var ended = ModelCallEnded(usage: reply.usage, requestId: reply.requestId)
    ended.cost = info.price?.cost(of: reply.usage)
    guard let error else {
      let content = reply.content(
        provider: info.provider, isUsed: { id in look { $0.hasSeen(callId: id) } }, makeCallId: environment.makeCallID)
      append([
        .modelCallEnded(ended),
        .assistantMessage(
          AssistantMessage(
            messageId: reply.messageId, message: Message(role: .assistant, content: content),
            stopReason: reply.stopReason, usage: reply.usage)),
      ])
      environment.metrics?.add(reply.usage.input, to: GenAI.tokenUsage, dimensions: [(GenAI.tokenType, "input")])
      environment.metrics?.add(reply.usage.output, to: GenAI.tokenUsage, dimensions: [(GenAI.tokenType, "output")])
      return
    }
    let failure = Self.modelError(error)
    lastModelError = failure
    ended.error = CallFailure(
      code: failure.code.rawValue, message: failure.message, retryAfterMs: failure.retryAfter?.milliseconds)
    if reply.usage == Usage(), reply.hasContent {
      // The provider did not say what the cut reply used: count what was reserved for its input, and what came.
      ended.usage = Usage(input: call.reservedTokens - call.maxOutputTokens, output: reply.approximateTokens)
      ended.cost = info.price?.cost(of: ended.usage)
    }
    if !reply.hasContent, let next = nextTry(after: failure, call) {
      ended.nextAttemptInMs = next.afterMs
      append([.modelCallEnded(ended)])
      publish(.retrying(next))
      return
    }
    append([.modelCallEnded(ended)])
    let kept = reply.interruptedContent
    if !kept.isEmpty, loop.run != nil {
      append([
        .assistantMessage(
          AssistantMessage(
            messageId: reply.messageId, message: Message(role: .assistant, content: kept), interrupted: true,
            usage: ended.usage))
      ])
    }
  }

  /// The next try of a call that failed before anything came: the same model again, or the next one; nil when there is
  /// neither.
  private func nextTry(after failure: ModelError, _ call: PendingModelCall) -> Retrying? {
    let tries = call.attempt - triesBefore
    if let delay = retryDelay(failure, tries: tries) {
      return Retrying(attempt: call.attempt + 1, afterMs: delay, reason: failure.message)
    }
    // A conversation that is too long is made shorter before another model is asked.
    if failure.code == .contextOverflow || failure.code == .requestTooLarge, loop.canShorten { return nil }
    guard failure.code != .cancelled, fallback < configuration.fallbacks.count else { return nil }
    triesBefore = call.attempt
    fallback += 1
    return Retrying(
      attempt: call.attempt + 1, afterMs: 0, reason: "\(failure.message); going on with \(modelInUse.info.name)")
  }

  /// Milliseconds until the next try of a call that failed after so many; nil when there is to be none.
  func retryDelay(_ failure: ModelError, tries: Int) -> Int? {
    RetryPolicy(limit: configuration.retries).delay(after: failure, tries: tries, random: environment.random)?
      .milliseconds
  }

  static func modelError(_ error: any Error) -> ModelError {
    if let error = error as? ModelError { return error }
    if error is CancellationError { return ModelError(code: .cancelled, message: "the call was cancelled") }
    if let error = error as? AgentError {
      return ModelError(code: .cancelled, message: error.message, underlying: error)
    }
    return ModelError(code: .serverError, message: "the model failed: \(error)", isRetryable: false, underlying: error)
  }
}
