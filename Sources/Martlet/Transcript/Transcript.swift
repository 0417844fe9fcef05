/// What a person sees of a session: a fold of its events that a view can render.
///
/// Total: records that come twice change nothing, gaps are survived, and the complete message puts right what dropped
/// deltas left out.
public struct Transcript: Sendable, Hashable {
  /// What happened, oldest first.
  public private(set) var items: [TranscriptItem] = []
  /// The figures of the current or last reply.
  public private(set) var metrics = Metrics()
  /// The pass of the loop under way, from 1; 0 before the first.
  public private(set) var iteration = 0
  /// Whether a run is under way.
  public private(set) var isRunning = false
  /// Each tool call of the session: arguments, times, result.
  public private(set) var executions: [ExecutionRecord] = []
  /// Approvals that wait for an answer.
  public private(set) var approvals: [ApprovalRequested] = []
  /// Inputs that are asked for and have not come.
  public private(set) var inputs: [InputRequested] = []
  /// The number of the last durable record that was applied.
  public private(set) var lastSeq = 0

  private var nextID = 0
  /// The number of the durable record that each of `items` came with, as far as known: where a rewind cuts.
  private var seqs: [Int] = []
  /// The items of the reply under way, by block.
  private var open: [Int: OpenItem] = [:]
  private var openMessageId: String?

  private struct OpenItem: Sendable, Hashable {
    var index: Int
    /// UTF-8 bytes shown so far.
    var length: Int
  }

  /// An empty conversation.
  public init() {}

  /// The transcript of a log.
  public init(folding records: some Sequence<EventRecord>) {
    for record in records { apply(record) }
  }

  /// Shows something the user said, before any event of it; the event itself then adds nothing.
  public mutating func user(_ text: String) {
    add(.user(text))
    announced.append(text)
  }

  private var announced: [String] = []

  /// Adds a remark.
  public mutating func note(_ text: String) { add(.note(text)) }

  /// Forgets everything shown; numbering of records goes on.
  public mutating func clear() {
    let (seq, id) = (lastSeq, nextID)
    self = Transcript()
    lastSeq = seq
    nextID = id
  }

  /// Takes a record; true when the list of items changed (grown text does not count). A durable record that was applied
  /// before changes nothing.
  @discardableResult
  public mutating func apply(_ record: EventRecord) -> Bool {
    if let seq = record.seq {
      guard seq > lastSeq else { return false }
      lastSeq = seq
    }
    return apply(record.event, at: record.time)
  }

  /// Takes an event as the next one; true when the list of items changed.
  @discardableResult
  public mutating func apply(_ event: AgentEvent) -> Bool { apply(event, at: nil) }

  private mutating func apply(_ event: AgentEvent, at time: Timestamp?) -> Bool {
    let count = nextID
    switch event {
    case .runStarted, .runResumed: isRunning = true
    case .prompt(let prompt):
      if let index = announced.firstIndex(of: prompt.message.saidText) {
        announced.remove(at: index)
      } else {
        add(.user(prompt.message.saidText))
      }
    case .iterationStarted(let iteration): self.iteration = iteration
    case .text(let delta): grow(delta, isThinking: false)
    case .thinking(let delta): grow(delta, isThinking: true)
    case .partial(let partial): show(partial.blocks, of: partial.messageId)
    case .assistantMessage(let reply): close(reply)
    case .metrics(let metrics): self.metrics = metrics
    case .toolStarted(let started): start(started, at: time)
    case .toolFinished(let finished): finish(finished, at: time)
    case .approvalRequested(let request): approvals.append(request)
    case .approvalResolved(let resolved): approvals.removeAll { $0.approvalId == resolved.approvalId }
    case .inputRequested(let request): inputs.append(request)
    case .inputResolved(let resolved): inputs.removeAll { $0.inputId == resolved.inputId }
    case .warning(let warning): add(.warning(warning.message))
    case .retrying(let retrying): add(.note("Trying again: \(retrying.reason)"))
    case .waiting: isRunning = false
    case .finished(let finished):
      isRunning = false
      if finished.reason != .answered { add(.note(finished.reason.sentence)) }
      (approvals, inputs) = ([], [])
    case .failed(let failed):
      isRunning = false
      add(.warning(failed.message))
      (approvals, inputs) = ([], [])
    case .historyReplaced(let replaced): self.replace(by: replaced.messages)
    case .rewound(let rewound): cut(after: rewound.toSeq)
    case .compacted(let compacted):
      let what = compacted.toSeq >= compacted.fromSeq ? "messages were summarized" : "results were shortened"
      add(.note("Earlier \(what)."))
    default: break
    }
    return nextID != count
  }

  private mutating func add(_ kind: TranscriptItem.Kind) {
    items.append(TranscriptItem(id: nextID, kind: kind))
    seqs.append(lastSeq)
    nextID += 1
  }

  private mutating func grow(_ delta: Delta, isThinking: Bool) {
    if openMessageId != delta.messageId {
      open = [:]
      openMessageId = delta.messageId
    }
    guard let item = open[delta.block] else {
      open[delta.block] = OpenItem(index: items.count, length: delta.offset + delta.delta.utf8.count)
      add(isThinking ? .thinking(delta.delta) : .assistant(delta.delta))
      return
    }
    // Deltas seen before are skipped; after a gap the partial or the complete message puts things right.
    guard delta.offset >= item.length else { return }
    open[delta.block]?.length = delta.offset + delta.delta.utf8.count
    switch items[item.index].kind {
    case .assistant(var text):
      items[item.index].kind = .note("")
      text += delta.delta
      items[item.index].kind = .assistant(text)
    case .thinking(var text):
      items[item.index].kind = .note("")
      text += delta.delta
      items[item.index].kind = .thinking(text)
    default: break
    }
  }

  /// Shows blocks of a reply in place of what was shown of it.
  private mutating func show(_ blocks: [ContentBlock], of messageId: String) {
    if openMessageId != messageId {
      open = [:]
      openMessageId = messageId
    }
    for (index, block) in blocks.enumerated() {
      let kind: TranscriptItem.Kind
      switch block.kind {
      case .text(let text): kind = .assistant(text)
      case .thinking(let thinking): kind = .thinking(thinking.text)
      default: continue
      }
      let length = kind.text.utf8.count
      if let item = open[index] {
        items[item.index].kind = kind
        open[index]?.length = length
      } else if !kind.text.isEmpty {
        open[index] = OpenItem(index: items.count, length: length)
        add(kind)
      }
    }
  }

  /// Puts the complete message in the place of what was streamed of it.
  private mutating func close(_ reply: AssistantMessage) {
    let streamed = openMessageId == reply.messageId ? open.sorted { $0.key < $1.key }.map(\.value.index) : []
    var places = streamed[...]
    for block in reply.message.content {
      let kind: TranscriptItem.Kind
      switch block.kind {
      case .text(let text) where !text.isEmpty: kind = .assistant(text)
      case .thinking(let thinking) where !thinking.text.isEmpty: kind = .thinking(thinking.text)
      case .toolCall(let call):
        add(.toolCall(call, result: nil))
        executions.append(ExecutionRecord(call: call))
        continue
      default: continue
      }
      if let place = places.popFirst() { items[place].kind = kind } else { add(kind) }
    }
    // Blocks that were streamed and are not in the message (a refusal, an unsigned thought of a cut reply) go.
    remove(Array(places))
    open = [:]
    openMessageId = nil
  }

  private mutating func remove(_ indices: [Int]) {
    for index in indices.sorted(by: >) where index < items.count {
      items.remove(at: index)
      seqs.remove(at: index)
    }
  }

  /// Leaves out what a rewind took back. The calls stay in `executions`: they were made.
  private mutating func cut(after seq: Int) {
    remove(items.indices.filter { seqs[$0] > seq })
    open = [:]
    openMessageId = nil
    isRunning = false
    (approvals, inputs) = ([], [])
  }

  private mutating func start(_ started: ToolStarted, at time: Timestamp?) {
    setCall(started.call, result: nil)
    if let index = executions.lastIndex(where: { $0.id == started.call.id }) {
      executions[index].start(started, at: time)
    } else {
      var record = ExecutionRecord(call: started.call)
      record.start(started, at: time)
      executions.append(record)
    }
  }

  private mutating func finish(_ finished: ToolFinished, at time: Timestamp?) {
    let result = finished.toolResult
    let index = items.lastIndex {
      if case .toolCall(let call, _) = $0.kind { call.id == finished.callId } else { false }
    }
    if let index, case .toolCall(let call, _) = items[index].kind {
      items[index].kind = .toolCall(call, result: result)
    } else {
      add(.toolCall(ToolCall(id: finished.callId, name: finished.name), result: result))
      executions.append(ExecutionRecord(call: ToolCall(id: finished.callId, name: finished.name)))
    }
    if let index = executions.lastIndex(where: { $0.id == finished.callId }) {
      executions[index].finish(finished, at: time)
    }
    approvals.removeAll { $0.call.id == finished.callId }
    inputs.removeAll { $0.callId == finished.callId }
  }

  private mutating func setCall(_ call: ToolCall, result: ToolResult?) {
    let index = items.lastIndex { if case .toolCall(let shown, _) = $0.kind { shown.id == call.id } else { false } }
    if let index {
      items[index].kind = .toolCall(call, result: result)
    } else {
      add(.toolCall(call, result: result))
    }
  }

  private mutating func replace(by messages: [Message]) {
    items = []
    seqs = []
    open = [:]
    openMessageId = nil
    for message in messages {
      switch message.role {
      case .user: add(.user(message.saidText))
      case .assistant:
        if !message.text.isEmpty { add(.assistant(message.text)) }
        for call in message.toolCalls { add(.toolCall(call, result: nil)) }
      case .tool:
        for result in message.toolResults {
          let index = items.lastIndex {
            if case .toolCall(let call, _) = $0.kind { call.id == result.callId } else { false }
          }
          if let index, case .toolCall(let call, _) = items[index].kind {
            items[index].kind = .toolCall(call, result: result)
          }
        }
      case .system: break
      }
    }
  }
}

extension TranscriptItem.Kind {
  fileprivate var text: String {
    switch self {
    case .user(let text), .assistant(let text), .thinking(let text), .warning(let text), .note(let text): text
    case .toolCall: ""
    }
  }
}

extension FinishReason {
  /// The reason as a sentence for people.
  fileprivate var sentence: String {
    switch self {
    case .answered: "Answered."
    case .budget: "Stopped: the budget is used up."
    case .cancelled: "Cancelled."
    case .refused: "The model refused."
    case .truncated: "The answer was cut off by the output limit."
    }
  }
}
