public import MartletJSON

/// Something that happened in a session. The list, and the JSON form of each, is the event format: the same in process,
/// on `--output jsonl`, over the wire and in the store.
///
/// *Durable* events are facts: numbered, appended to the session's log, and the only thing history, transcript and resume
/// are made from. *Ephemeral* events are only streamed.
public enum AgentEvent: Sendable, Hashable {
  // Durable: the session
  /// The session begins: format, owner, where it comes from. The first record of every log.
  indirect case sessionCreated(SessionCreated)
  /// Title, meta data or settings changed.
  case sessionUpdated(SessionUpdated)
  /// What requests are built from: instructions, tools, model, options. A new epoch begins.
  indirect case context(PromptContext)
  // Durable: a run
  /// A run begins, with its budget.
  case runStarted(RunStarted)
  /// An interrupted run goes on.
  case runResumed(RunResumed)
  /// Something was said to the model.
  case prompt(Prompt)
  /// A message waits to be said.
  case queued(Queued)
  /// A waiting message was taken back.
  case unqueued(Unqueued)
  /// A pass of the loop begins; the number counts from 1.
  case iterationStarted(Int)
  /// The model is about to be asked; what the call may use is reserved.
  case modelCall(ModelCallStarted)
  /// The call is over: what it used, or why it failed.
  case modelCallEnded(ModelCallEnded)
  /// What the model replied, or as much of it as stands.
  case assistantMessage(AssistantMessage)
  /// Somebody wants the run to end. Comes before anything is stopped.
  case cancelRequested(CancelRequested)
  /// The run is over, with an answer or without.
  case finished(Finished)
  /// The run ended with an error.
  case failed(Failed)
  /// Something that should be known but stopped nothing.
  case warning(Warning)
  // Durable: tools and people
  /// A call runs, with the arguments as they are.
  case toolStarted(ToolStarted)
  /// A call has its result.
  case toolFinished(ToolFinished)
  /// A call waits for permission.
  case approvalRequested(ApprovalRequested)
  /// Permission was given or refused.
  case approvalResolved(ApprovalResolved)
  /// A call waits for something that only somebody outside can give.
  case inputRequested(InputRequested)
  /// The input was given or declined.
  case inputResolved(InputResolved)
  /// Nothing can run before an approval or input is answered.
  case waiting(Waiting)
  // Durable: changes of the view
  /// Earlier messages were shortened. A new epoch begins.
  indirect case compacted(Compacted)
  /// The app put another conversation in place of this one.
  case historyReplaced(HistoryReplaced)
  /// The conversation goes on from an earlier record.
  case rewound(Rewound)
  /// Another agent takes over.
  case handedOff(HandedOff)
  // Ephemeral
  /// A piece of the reply's text.
  case text(Delta)
  /// A piece of the reply's reasoning.
  case thinking(Delta)
  /// A piece of a call on its way.
  case toolCallDelta(CallDelta)
  /// The reply so far, for an observer that joins or fell behind.
  case partial(Partial)
  /// How far a call has come.
  case toolProgress(ToolProgress)
  /// How fast the model goes and how full the context is.
  case metrics(Metrics)
  /// The model will be asked again.
  case retrying(Retrying)
  /// A record of a child's session.
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
