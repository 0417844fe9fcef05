extension Agent {
  /// What the next prompt begins with.
  struct ContextChange {
    /// The instructions and tools from here on; nil when those of the log stand.
    var context: PromptContext?
    /// What the model is told with the prompt.
    var notes: [ContextNote] = []
    var warnings: [Warning] = []

    /// The events before the prompt.
    var events: [AgentEvent] { warnings.map { .warning($0) } + (context.map { [.context($0)] } ?? []) }
  }

  /// Compares what is configured with what the log says. Sources are read only when a new epoch starts; within one their
  /// parts stay as they were read, and news are told. They are told also where the conversation still has older news, which
  /// the model would read after the new instructions.
  /// - Parameter replaced: the conversation that takes the place of the log's, which starts a new epoch.
  func contextChange(replaced: [Message]? = nil) async -> ContextChange {
    let isForced = replaced != nil
    let base =
      [configuration.instructions] + (configuration.outputSchema.map { [TypedAnswer.instruction($0)] } ?? [])
    var next = PromptContext(
      instructions: base.filter { !$0.isEmpty }.map { .text($0) }, tools: loop.offered(await availableTools()),
      model: model.info.name, options: configuration.options, outputSchema: configuration.outputSchema,
      epoch: loop.context?.epoch ?? 0)
    let sources = configuration.sources
    var change = ContextChange()
    if !isForced, let context = loop.context {
      let kept = context.instructions.filter { block in
        ContextNote(block).map { note in sources.contains { $0.name == note.name } } ?? false
      }
      var same = next
      same.instructions += kept
      if same == context {
        await take(news: sources, since: loop.told, &change)
        return change
      }
    }
    for source in sources {
      let reading = await reading(of: source)
      if let text = reading.text, !text.isEmpty {
        next.instructions.append(ContextNote(name: source.name, text: text).block)
      }
      change.warnings += unheard(reading.warnings)
    }
    if isForced || next != loop.context {
      next.epoch += 1
      change.context = next
    }
    var told = replaced.map { ToldContext(nil, $0) } ?? loop.told
    told.take(next)
    await take(news: sources, since: told, &change)
    return change
  }

  private func take(news sources: [any ContextSource], since told: ToldContext, _ change: inout ContextChange) async {
    for source in sources {
      let news = await self.news(of: source, since: told)
      change.notes += news.notes.filter { !$0.text.isEmpty }
      change.warnings += unheard(news.warnings)
    }
  }

  private func unheard(_ warnings: [Warning]) -> [Warning] { warnings.filter { heardWarnings.insert($0).inserted } }
}

extension Message {
  /// The message with notes before what it says.
  func adding(_ notes: [ContextNote]) -> Message {
    guard !notes.isEmpty else { return self }
    return Message(role: role, content: notes.map(\.spacedBlock) + content)
  }
}
