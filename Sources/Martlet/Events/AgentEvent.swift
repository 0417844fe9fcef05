public import MartletJSON

/// Something that happened in a session. The list, and the JSON form of each, is the event format: the same in process,
/// on `--output jsonl`, over the wire and in the store.
///
/// *Durable* events are facts: numbered, appended to the session's log, and the only thing history, transcript and resume
/// are made from. *Ephemeral* events are only streamed.
public enum AgentEvent: Sendable, Hashable {
  // Durable: the session
  case sessionCreated(SessionCreated)
  case sessionUpdated(SessionUpdated)
  case context(PromptContext)
  // Durable: a run
  case runStarted(RunStarted)
  case runResumed(RunResumed)
  case prompt(Prompt)
  case queued(Queued)
  case unqueued(Unqueued)
  case iterationStarted(Int)
  case modelCall(ModelCallStarted)
  case modelCallEnded(ModelCallEnded)
  case assistantMessage(AssistantMessage)
  case cancelRequested(CancelRequested)
  case finished(Finished)
  case failed(Failed)
  case warning(Warning)
  // Durable: tools and people
  case toolStarted(ToolStarted)
  case toolFinished(ToolFinished)
  case approvalRequested(ApprovalRequested)
  case approvalResolved(ApprovalResolved)
  case inputRequested(InputRequested)
  case inputResolved(InputResolved)
  case waiting(Waiting)
  // Durable: changes of the view
  case compacted(Compacted)
  case historyReplaced(HistoryReplaced)
  case rewound(Rewound)
  case handedOff(HandedOff)
  // Ephemeral
  case text(Delta)
  case thinking(Delta)
  case toolCallDelta(CallDelta)
  case partial(Partial)
  case toolProgress(ToolProgress)
  case metrics(Metrics)
  case retrying(Retrying)
  case subagent(SubagentEvent)
  /// An event of a later format, kept whole.
  case unknown(UnknownEvent)
}

/// The fields of one type of event.
protocol EventPayload: Sendable, Hashable {
  /// The event's `type`.
  static var type: String { get }
  init(_ fields: JSONFields) throws
  func write(into object: inout JSONObject)
  var event: AgentEvent { get }
}

/// An event of a type that this version does not know.
public struct UnknownEvent: Sendable, Hashable {
  /// The event's `type`.
  public var type: String
  /// All its fields.
  public var fields: JSONObject
  /// Whether it was numbered in the log.
  public var isDurable: Bool
  /// Whether a reader that does not know it must not go on (`"critical": true`).
  public var isCritical: Bool { fields["critical"]?.boolValue ?? false }

  /// An unknown event.
  public init(type: String, fields: JSONObject, isDurable: Bool) {
    self.type = type
    self.fields = fields
    self.isDurable = isDurable
  }
}
