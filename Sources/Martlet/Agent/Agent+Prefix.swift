extension Agent {
  /// What the next request has in it, in tokens, by category: counted where the model can count, else estimated.
  ///
  /// Asks a model that counts over the network. Before the first prompt it says what a request would begin with.
  /// - Throws: `AgentError` when the session cannot be read, `CancellationError`.
  public var contextUsage: ContextUsage {
    get async throws {
      try await open()
      updateContextLimits()
      let context = if let known = loop.context { known } else { await firstContext() }
      let exact = loop.history.isEmpty ? nil : try await exactTokens()
      let bytes = context.approximateBytes + loop.historyBytes
      let estimate = loop.context == nil ? loop.estimator.tokens(of: bytes) : loop.estimatedInputTokens
      var usage = ContextUsage(context, historyBytes: loop.historyBytes, total: exact ?? estimate)
      usage.isEstimated = exact == nil
      usage.window = loop.contextLimits?.window
      usage.reserved = loop.contextLimits?.reserved(for: context.options.maxOutputTokens) ?? 0
      return usage
    }
  }

  /// What the first request would begin with, as things are now.
  private func firstContext() async -> PromptContext {
    var context = PromptContext(
      instructions: configuration.instructions.isEmpty ? [] : [.text(configuration.instructions)],
      tools: loop.offered(await tools.definitions), model: model.info.name, options: configuration.options, epoch: 0)
    for source in configuration.sources {
      guard let text = await source.read().text, !text.isEmpty else { continue }
      context.instructions.append(ContextNote(name: source.name, text: text).block)
    }
    return context
  }

  /// What another beginning of requests costs, if there is one.
  /// - Parameters:
  ///   - context: what requests begin with from here on; nil where that does not change.
  ///   - messages: what the app puts in place of the conversation.
  func prefixChanges(to context: PromptContext?, replacing messages: [Message]? = nil) -> [AgentEvent] {
    // Nothing was sent yet, or a compaction has said already that all is new.
    guard let old = loop.context, !loop.history.isEmpty, !loop.needsContext else { return [] }
    let historyBytes = messages?.reduce(0) { $0 + $1.approximateBytes } ?? loop.historyBytes
    var newBytes = historyBytes
    let change: PrefixChange
    if let context, let difference = PrefixChange(from: old, to: context) {
      change = difference
      newBytes += context.segments.reduce(0) { $0 + $1.bytes }
    } else if let messages, let difference = PrefixChange(from: loop.history, to: HistoryRepair.repaired(messages)) {
      change = difference
    } else {
      return []
    }
    return [.warning(change.warning(tokens: loop.estimator.tokens(of: max(0, newBytes - change.commonBytes))))]
  }
}
