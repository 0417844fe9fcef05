/// A model that writes its tool calls and its thinking as text, with both read out of it.
///
/// For runtimes that only produce text: they describe the tools in their prompt, and their text is read in the model's
/// dialect (`ToolCallParser`) while it streams.
public struct CallReadingModel: LanguageModel {
  private let base: any LanguageModel
  private let dialect: ToolCallDialect
  private let options: ToolCallParser.Options

  /// Reads the calls in what `base` writes.
  public init(
    _ base: any LanguageModel, dialect: ToolCallDialect = .auto,
    options: ToolCallParser.Options = ToolCallParser.Options()
  ) {
    self.base = base
    self.dialect = dialect
    self.options = options
  }

  public var info: ModelInfo { base.info }

  public func stream(_ request: ModelRequest) -> ModelStream {
    let parser = ToolCallParser(dialect, tools: OfferedTools(request.tools), options: options)
    let stream = base.stream(request)
    return ModelStream { Reading(base: stream.makeAsyncIterator(), blocks: BlockWriter(parser: parser)) }
  }

  public func tokenCount(of request: ModelRequest) async throws -> Int? { try await base.tokenCount(of: request) }

  private struct Reading: ModelStream.Source {
    var base: ModelStream.AsyncIterator
    var blocks: BlockWriter

    mutating func next() async throws -> [ModelEvent]? {
      while let batch = try await base.nextBatch() {
        let events = batch.flatMap { blocks.take($0) }
        if !events.isEmpty { return events }
      }
      return nil
    }
  }
}

/// Makes blocks of what a parser finds: texts, thoughts and calls in the order they were written.
private struct BlockWriter {
  private var parser: ToolCallParser
  private var events: [ModelEvent] = []
  private var index = 0
  /// The block under way, if it is text or thinking.
  private var open: (isThinking: Bool, text: String)?
  private var hasCalls = false
  /// Blocks of the base whose text has been read already.
  private var streamed: Set<Int> = []

  init(parser: ToolCallParser) { self.parser = parser }

  mutating func take(_ event: ModelEvent) -> [ModelEvent] {
    switch event {
    case .text(let delta, let block):
      streamed.insert(block)
      write(parser.feed(delta))
    case .block(let block, let position):
      switch block.kind {
      case .text(let text): if !streamed.contains(position) { write(parser.feed(text)) }
      default:
        close()
        events.append(.block(block, index: index))
        index += 1
      }
    case .finished(let reason, let usage):
      write(parser.finish(truncated: reason == .maxTokens))
      close()
      events.append(.finished(hasCalls && reason == .endTurn ? .toolUse : reason, usage))
    case .thinking(let delta, _): add(delta, isThinking: true)
    default: events.append(event)
    }
    defer { events = [] }
    return events
  }

  private mutating func write(_ outputs: [ToolCallParser.Output]) {
    for output in outputs {
      switch output {
      case .text(let text): add(text, isThinking: false)
      case .thinking(let text): add(text, isThinking: true)
      case .callStarted(_, let name):
        close()
        events.append(.toolCallDelta(ToolCallDelta(name: Self.shown(name), arguments: ""), index: index))
      case .callArguments(_, let delta):
        events.append(.toolCallDelta(ToolCallDelta(arguments: delta), index: index))
      case .call(_, let call):
        close()
        hasCalls = true
        // A call without an id of its own is given one by the agent.
        events.append(
          .block(
            .toolCall(ToolCall(id: call.writtenID ?? "", name: Self.shown(call.name), arguments: call.arguments)),
            index: index))
        index += 1
      case .markup: break
      }
    }
  }

  /// A call of which no name could be read needs one in the history: no provider accepts a call without.
  private static func shown(_ name: String) -> String { name.isEmpty ? "unreadable_call" : name }

  private mutating func add(_ text: String, isThinking: Bool) {
    if let open, open.isThinking != isThinking { close() }
    open = (isThinking, (open?.text ?? "") + text)
    events.append(isThinking ? .thinking(text, index: index) : .text(text, index: index))
  }

  private mutating func close() {
    guard let open else { return }
    events.append(
      .block(open.isThinking ? .thinking(Thinking(text: open.text)) : .text(open.text), index: index))
    index += 1
    self.open = nil
  }
}
