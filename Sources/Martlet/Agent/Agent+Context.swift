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
  /// parts stay as they were read, and news are told.
  func contextChange(isForced: Bool) async -> ContextChange {
    let base =
      [configuration.instructions] + (configuration.outputSchema.map { [TypedAnswer.instruction($0)] } ?? [])
    var next = PromptContext(
      instructions: base.filter { !$0.isEmpty }.map { .text($0) }, tools: loop.offered(await tools.definitions),
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
        for source in sources {
          let news = await source.news(since: loop.told)
          change.notes += news.notes.filter { !$0.text.isEmpty }
          change.warnings += unheard(news.warnings)
        }
        return change
      }
    }
    for source in sources {
      let reading = await source.read()
      if let text = reading.text, !text.isEmpty {
        next.instructions.append(ContextNote(name: source.name, text: text).block)
      }
      change.warnings += unheard(reading.warnings)
    }
    if isForced || next != loop.context {
      next.epoch += 1
      change.context = next
    }
    return change
  }

  private func unheard(_ warnings: [Warning]) -> [Warning] { warnings.filter { heardWarnings.insert($0).inserted } }
}

extension Message {
  /// The message with notes before what it says.
  func adding(_ notes: [ContextNote]) -> Message {
    guard !notes.isEmpty else { return self }
    return Message(role: role, content: notes.map(\.block) + content)
  }
}
