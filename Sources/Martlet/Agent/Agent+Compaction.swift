extension Agent {
  /// Makes the conversation shorter now, whether or not it has to be: a model summarizes what is older than the last turn.
  ///
  /// For use between runs. The log keeps everything, and `search_history` finds it.
  /// - Returns: what was done; nil when there was nothing to make shorter, or when the policy is `.off`.
  /// - Throws: `AgentError` with `.busy` while a run is under way or waits to be resumed, `CancellationError`.
  @discardableResult
  public func compact() async throws -> Compacted? {
    guard activeRun == nil, !isStarting else { throw Self.busy }
    isStarting = true
    defer { isStarting = false }
    try await open()
    guard loop.phase == .idle else {
      throw AgentError(code: .busy, message: "session \(id) has an unfinished run: resume it first")
    }
    updateContextLimits()
    guard let plan = loop.plan(.requested) else { return nil }
    let compacted = try await outcome(of: plan)
    try await commit([.compacted(compacted)])
    return compacted
  }

  /// Tells the loop what the model in use holds.
  func updateContextLimits() {
    var limits = ContextLimits(window: modelInUse.info.contextWindow, policy: configuration.contextPolicy)
    look { loop in
      limits.canOffload = keepsBlobs && loop.definition(of: "read_file") != nil
      limits.count = loop.contextLimits?.count
      loop.contextLimits = limits
    }
  }

  /// Carries out a plan and records what came of it.
  func performCompaction(_ plan: ContextPlan) async {
    await environment.script?.turn(.model, in: id)
    guard loop.run != nil, loop.cancelRequest == nil else { return }
    do {
      // A model that counts may say that all is well after all.
      if plan.reason == .full, try await countRequest() { return }
      let compacted = try await outcome(of: plan)
      await environment.script?.turn(.model, in: id)
      try Task.checkCancellation()
      guard loop.run != nil, loop.cancelRequest == nil else { return }
      append([.compacted(compacted)])
      try await flush()
    } catch {
      // Cancelled, or nothing can be stored: the drive loop meets the same.
    }
  }

  /// Has the model count the next request, if it can and this was not done yet. Gives whether there is a new count.
  private func countRequest() async throws -> Bool {
    let bytes = loop.contextBytes + loop.historyBytes
    guard loop.contextLimits?.count?.bytes != bytes, let tokens = try await exactTokens() else { return false }
    loop.contextLimits?.count = TokenEstimator.Count(tokens: tokens, bytes: bytes)
    return true
  }

  /// The tokens of the next request as the model counts them; nil where it cannot.
  func exactTokens() async throws -> Int? {
    do {
      return try await modelInUse.tokenCount(of: loop.nextRequest(session: id))
    } catch let error as CancellationError {
      throw error
    } catch {
      environment.log.log(.info, "the model could not count its tokens", metadata: ["error": "\(error)"])
      return nil
    }
  }

  /// What a plan leads to: results are put aside, a summary is written, by a model where the plan says so.
  private func outcome(of plan: ContextPlan) async throws -> Compacted {
    var plan = plan
    try await putAside(&plan)
    let epoch = (loop.context?.epoch ?? 0) + 1
    guard plan.replacesMessages else {
      return measured(plan.outcome(summary: [], epoch: epoch, tokensAfter: nil))
    }
    let replaced = plan.replaced(in: loop.view)
    if let style = plan.style, let text = try await summary(of: replaced, in: style) {
      let compacted = measured(
        plan.outcome(summary: notes(style.opening + text, style, replaced, plan), epoch: epoch, tokensAfter: nil))
      // A summary longer than what it is to replace is none.
      if let after = compacted.tokensAfter, after < plan.tokensBefore { return compacted }
    }
    // No model, or none that gave a summary that is short enough.
    var opening = "Earlier messages of this conversation were left out."
    let limit = plan.style == nil ? plan.digestLimit : 2_048
    if limit > 0 { opening += " In short:\n\n" + HistoryDigest(replaced).text(limit: limit) }
    return measured(
      plan.outcome(
        summary: notes(opening, plan.style ?? .structured, limit > 0 ? replaced : [], plan), epoch: epoch,
        tokensAfter: nil))
  }

  /// The summary as blocks: the text, the files, and that what follows is being worked on.
  private func notes(
    _ text: String, _ style: SummaryStyle, _ replaced: [ContextView.Entry], _ plan: ContextPlan
  ) -> [ContentBlock] {
    var blocks: [ContentBlock] = [.text(text)]
    if style.listsFiles, let files = FileTrail(replaced, definition: loop.definition(of:)).text {
      blocks.append(.text(files))
    }
    var after = loop
    after.apply(.compacted(plan.outcome(summary: [], epoch: 0, tokensAfter: nil)))
    blocks += CarriedNotes(loop.told, lostIn: after.told, limit: plan.noteLimit).blocks
    if !plan.keep.isEmpty { blocks.append(.text("What follows is the request that is being worked on.")) }
    return blocks
  }

  /// With the tokens that the next request has afterwards.
  private func measured(_ compacted: Compacted) -> Compacted {
    var compacted = compacted
    var after = loop
    after.apply(.compacted(compacted))
    compacted.tokensAfter = after.estimatedInputTokens
    return compacted
  }

  /// Keeps the results that the plan takes out of the view, unless that was done when they were cut. What cannot be kept is
  /// cleared: the log has it.
  private func putAside(_ plan: inout ContextPlan) async throws {
    guard !plan.offloaded.isEmpty else { return }
    var failed: Set<String> = []
    for offloaded in plan.offloaded {
      do {
        guard let store = store as? any BlobStore, let lease else {
          failed.insert(offloaded.callId)
          continue
        }
        if try await store.blob(offloaded.blob, session: id, owner: owner) != nil { continue }
        let text = loop.history.lazy.flatMap(\.toolResults).first { $0.callId == offloaded.callId }?.content
          .compactMap(\.text).joined(separator: "\n")
        try await store.keep(Array((text ?? "").utf8), id: offloaded.blob, lease: lease)
      } catch let error as CancellationError {
        throw error
      } catch {
        environment.log.log(
          .warning, "a result could not be put aside", metadata: ["call": offloaded.callId, "error": "\(error)"])
        failed.insert(offloaded.callId)
      }
    }
    plan.cleared += plan.offloaded.map(\.callId).filter(failed.contains)
    plan.offloaded.removeAll { failed.contains($0.callId) }
  }

  // MARK: - Summaries

  /// Asks for a summary; nil when there is none, and then a digest has to do. Every call is recorded, reserved and counted.
  private func summary(of replaced: [ContextView.Entry], in style: SummaryStyle) async throws -> String? {
    let model = configuration.compactionModel ?? modelInUse
    let info = model.info
    let output = min(style.maxOutputTokens, info.maxOutputTokens ?? .max)
    let instructions = style.instructions.utf8.count / 3 + 64
    // Without a known window it may have half of what the conversation has, which was too long at worst.
    let room = info.contextWindow.map { $0 - output - instructions } ?? max(1_024, loop.estimatedInputTokens / 2)
    guard room > 256 else { return nil }
    // Three bytes a token: what is summarized is dense, and this request must fit.
    let text = ConversationText(replaced).text(limit: min(room, 10_000_000) * 3)
    let request = ModelRequest(
      instructions: [.text(style.instructions)],
      messages: [.user("Here is the conversation.\n\n<conversation>\n\(text)\n</conversation>")],
      options: ModelOptions(maxOutputTokens: output))
    let tokens = text.utf8.count / 3 + instructions
    for attempt in 1...max(1, configuration.retries + 1) {
      guard hasBudget(tokens: tokens, output: output, info) else { return nil }
      let (reply, retryDelay) = try await ask(model, request, tokens: tokens, output: output, attempt: attempt)
      if let reply { return reply }
      guard let retryDelay else { return nil }
      try await environment.clock.sleep(for: .milliseconds(retryDelay))
    }
    return nil
  }

  private func hasBudget(tokens: Int, output: Int, _ info: ModelInfo) -> Bool {
    guard let budget = loop.budget else { return true }
    if let limit = budget.tokens, loop.runUsage.total + tokens + output > limit { return false }
    if let limit = budget.usd {
      guard let price = info.price else { return false }
      return (loop.runCost ?? 0) + price.cost(of: Usage(input: tokens, output: output)) <= limit
    }
    return true
  }

  /// One call for a summary. Gives its text, or how long to wait before another try; neither when that would not help.
  private func ask(
    _ model: any LanguageModel, _ request: ModelRequest, tokens: Int, output: Int, attempt: Int
  ) async throws -> (text: String?, retryMs: Int?) {
    let info = model.info
    let messageId = environment.makeID()
    append([
      .modelCall(
        ModelCallStarted(
          purpose: .compaction, model: info.name, attempt: attempt, messageId: messageId,
          reserved: Reservation(
            tokens: tokens + output, usd: info.price?.cost(of: Usage(input: tokens, output: output)))))
    ])
    var reply = ReplyAssembler(messageId: messageId)
    do {
      try await flush()
      try await read(request, from: model) { event in
        _ = reply.take(event)
        return reply.stopReason != nil
      }
    } catch {
      let failure = Self.modelError(error)
      let delay = retryDelay(failure, tries: attempt)
      // What the provider does not say is counted as reserved.
      let usage = reply.hasContent && reply.usage == Usage() ? Usage(input: tokens) : reply.usage
      append([
        .modelCallEnded(
          ModelCallEnded(
            usage: usage, cost: info.price?.cost(of: usage), requestId: reply.requestId,
            error: CallFailure(
              code: failure.code.rawValue, message: failure.message, retryAfterMs: failure.retryAfter?.milliseconds),
            nextAttemptInMs: delay))
      ])
      try await flush()
      if error is CancellationError { throw error }
      return (nil, delay)
    }
    append([
      .modelCallEnded(
        ModelCallEnded(usage: reply.usage, cost: info.price?.cost(of: reply.usage), requestId: reply.requestId))
    ])
    try await flush()
    guard reply.stopReason != .refusal, reply.stopReason != .contentFilter else { return (nil, nil) }
    let text = reply.blocks.sorted { $0.key < $1.key }.compactMap(\.value.text).joined()
    return (text.contains { !$0.isWhitespace } ? text : nil, nil)
  }
}
