import MartletJSON

extension AgentEvent {
  /// Every type of event and how it is read: the one place where types are told apart by name.
  private static let readers: [String: @Sendable (JSONFields) throws -> AgentEvent] = {
    var readers: [String: @Sendable (JSONFields) throws -> AgentEvent] = [:]
    func add<Payload: EventPayload>(_ payload: Payload.Type) {
      readers[payload.type] = { try payload.init($0).event }
    }
    add(SessionCreated.self)
    add(SessionUpdated.self)
    add(PromptContext.self)
    add(RunStarted.self)
    add(RunResumed.self)
    add(Prompt.self)
    add(Queued.self)
    add(Unqueued.self)
    add(IterationStarted.self)
    add(ModelCallStarted.self)
    add(ModelCallEnded.self)
    add(AssistantMessage.self)
    add(CancelRequested.self)
    add(Finished.self)
    add(Failed.self)
    add(Warning.self)
    add(ToolStarted.self)
    add(ToolFinished.self)
    add(ApprovalRequested.self)
    add(ApprovalResolved.self)
    add(InputRequested.self)
    add(InputResolved.self)
    add(Waiting.self)
    add(Compacted.self)
    add(HistoryReplaced.self)
    add(Rewound.self)
    add(HandedOff.self)
    add(TextDelta.self)
    add(ThinkingDelta.self)
    add(CallDelta.self)
    add(Partial.self)
    add(ToolProgress.self)
    add(MetricsPayload.self)
    add(Retrying.self)
    add(SubagentEvent.self)
    return readers
  }()

  init(type: String, fields: JSONFields, isDurable: Bool) throws {
    if let read = Self.readers[type] {
      self = try read(fields)
    } else {
      self = .unknown(UnknownEvent(type: type, fields: fields.object, isDurable: isDurable))
    }
  }

  /// The payload behind an event; nil for an unknown one.
  private var payload: (any EventPayload)? {
    switch self {
    case .sessionCreated(let payload): payload
    case .sessionUpdated(let payload): payload
    case .context(let payload): payload
    case .runStarted(let payload): payload
    case .runResumed(let payload): payload
    case .prompt(let payload): payload
    case .queued(let payload): payload
    case .unqueued(let payload): payload
    case .iterationStarted(let iteration): IterationStarted(iteration: iteration)
    case .modelCall(let payload): payload
    case .modelCallEnded(let payload): payload
    case .assistantMessage(let payload): payload
    case .cancelRequested(let payload): payload
    case .finished(let payload): payload
    case .failed(let payload): payload
    case .warning(let payload): payload
    case .toolStarted(let payload): payload
    case .toolFinished(let payload): payload
    case .approvalRequested(let payload): payload
    case .approvalResolved(let payload): payload
    case .inputRequested(let payload): payload
    case .inputResolved(let payload): payload
    case .waiting(let payload): payload
    case .compacted(let payload): payload
    case .historyReplaced(let payload): payload
    case .rewound(let payload): payload
    case .handedOff(let payload): payload
    case .text(let delta): TextDelta(delta: delta)
    case .thinking(let delta): ThinkingDelta(delta: delta)
    case .toolCallDelta(let payload): payload
    case .partial(let payload): payload
    case .toolProgress(let payload): payload
    case .metrics(let metrics): MetricsPayload(metrics: metrics)
    case .retrying(let payload): payload
    case .subagent(let payload): payload
    case .unknown: nil
    }
  }

  /// The event's `type` in the event format.
  public var type: String {
    if case .unknown(let unknown) = self { return unknown.type }
    guard let payload else { return "" }
    return Swift.type(of: payload).type
  }

  /// Whether the event is a fact that belongs in the log.
  public var isDurable: Bool {
    switch self {
    case .text, .thinking, .toolCallDelta, .partial, .toolProgress, .metrics, .retrying, .subagent: false
    case .unknown(let unknown): unknown.isDurable
    default: true
    }
  }

  /// Writes the event's type and fields.
  func write(into object: inout JSONObject) {
    if case .unknown(let unknown) = self {
      object["type"] = .string(unknown.type)
      for (key, value) in unknown.fields where object[key] == nil { object[key] = value }
      return
    }
    guard let payload else { return }
    object["type"] = .string(Swift.type(of: payload).type)
    payload.write(into: &object)
  }
}

extension AgentEvent {
  /// Whether the event is a piece of a reply that a `partial` can make up for.
  var isDelta: Bool {
    switch self {
    case .text, .thinking, .toolCallDelta: true
    default: false
    }
  }
}
