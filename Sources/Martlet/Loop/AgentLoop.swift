import MartletJSON

/// The agent's loop as a value: it folds the log and says what should be going on.
///
/// `apply` takes one event, `pendingEffects` follows from all events so far; there is no I/O, clock or task inside. So a
/// crash is nothing special: fold the log, perform what is pending. Folding any prefix of a log gives exactly the state
/// that the live loop had at that point.
public struct AgentLoop: Sendable, Hashable {
  /// The newest log format this version can write.
  public static let format = 1
  /// Output tokens of a reply where neither the options nor the model's table say otherwise.
  public static let defaultMaxOutputTokens = 4_096

  /// Where the session stands.
  public internal(set) var phase: LoopPhase = .idle
  /// What requests are built from; nil before the first `context` event.
  public internal(set) var context: PromptContext?
  /// The conversation as the model sees it. Within an epoch it only grows.
  public internal(set) var history = MessageHistory()
  /// What the model was told last by each source of context.
  public internal(set) var told = ToldContext()
  /// Messages that wait to be said, oldest first.
  public internal(set) var queue: [Queued] = []
  /// The number of the last durable event that was applied; 0 before the first.
  public internal(set) var lastSeq = 0
  /// The id of the open run, or of the last one.
  public internal(set) var runId: String?
  /// Why nothing may be appended any more: the log holds something this version must not ignore. Nil when all is well.
  public internal(set) var readOnlyReason: String?
  /// What people allowed or forbade for the rest of the session.
  public internal(set) var sessionRules = PermissionRules()
  /// How the last run ended; nil while one is open and before the first.
  public internal(set) var lastEnd: AgentEvent?
  /// Tokens used by all runs.
  public internal(set) var usage = Usage()
  /// Tells how many tokens requests have; learns from what the log says of them.
  public internal(set) var estimator = TokenEstimator()
  /// Whether earlier messages were ever left out of the view.
  public internal(set) var hasCompacted = false
  /// The place that requests must fit into; nil where nothing is ever compacted. Not from the log: whoever drives the loop
  /// says what the model in use holds, and what is pending follows from the log and from this.
  public var contextLimits: ContextLimits?

  var run: RunState?
  /// The seq of the record that completed each message of `history`.
  var messageSeqs: [Int] = []
  /// Which records `history` can be cut back to.
  var reach = HistoryReach()
  /// Whether the view was replaced, so that a new epoch must be declared before the next request.
  var needsContext = false
  /// About how many bytes `history` has on a wire.
  var historyBytes = 0
  /// About how many bytes come before it.
  var contextBytes = 0
  /// What the first message is made of, after a compaction.
  var head: [ContextView.Part] = []
  var clock = Timestamp(milliseconds: 0)
  var pendingInputs: [InputRequested] = []
  /// Ids of calls seen so far, so that none comes twice in a session.
  var callIds: Set<String> = []

  /// A session before its first event.
  public init() {}

  /// The loop after a log, or a prefix of one.
  public init(folding records: some Sequence<EventRecord>) {
    self.init()
    for record in records { apply(record) }
  }

  /// Whether a call id was used before in the session.
  public func hasSeen(callId: String) -> Bool { callIds.contains(callId) }

  /// The pass of the loop under way, from 1; 0 outside a run.
  public var iteration: Int { run?.iteration ?? 0 }

  /// What the open run has used so far.
  public var runUsage: Usage { run?.usage ?? Usage() }

  /// What the open run has cost so far, in USD; nil where no price is known.
  public var runCost: Double? { run?.cost }

  /// What the open run may use; nil outside a run.
  public var budget: Budget? { run?.budget }

  /// Approvals that are asked and not answered.
  public var openApprovals: [ApprovalRequested] { run?.openApprovals ?? [] }

  /// Inputs that are asked for and have not come.
  public var openInputs: [InputRequested] { pendingInputs }

  /// The rule that an answer beyond this one call makes: the one that was shown or, where the arguments were edited, its
  /// like for them. Nil where there is none, or none that this version can read.
  func rule(of request: ApprovalRequested, edited: JSONObject?) -> PermissionRule? {
    guard let text = request.options.compactMap(\.rule).first, let rule = try? PermissionRule(text) else { return nil }
    guard let edited, !rule.isAboutWholeTool else { return rule }
    var call = request.call
    call.arguments = .object(edited)
    return definition(of: call.name).flatMap { PermissionRule.covering(call, $0) }
  }

  /// Calls of the open run that must not be repeated, were started and have no result.
  var startedOnce: [ToolCall] {
    run?.calls.compactMap { progress in
      if case .started(let call, .once, _) = progress.stage { call } else { nil }
    } ?? []
  }

  /// Who asked for the open run's end; nil when nobody did.
  public var cancelRequest: CancelRequested? { run?.cancel }

  /// Time left in the open run's budget at a moment; nil when it has no time limit.
  public func timeLeft(at now: Timestamp) -> Duration? {
    guard let run, let limit = run.budget.time else { return nil }
    return limit - run.elapsed(at: now)
  }

  /// The messages, with what was put together in the first one apart.
  var view: ContextView { ContextView(history, seqs: messageSeqs, head: head) }

  /// The request for a pending model call: a pure function of the log.
  public func request(for call: PendingModelCall, session: String) -> ModelRequest {
    var options = context?.options ?? ModelOptions()
    options.maxOutputTokens = call.maxOutputTokens
    return request(options, session: session)
  }

  /// A request of all that there is now.
  func nextRequest(session: String) -> ModelRequest { request(context?.options ?? ModelOptions(), session: session) }

  private func request(_ options: ModelOptions, session: String) -> ModelRequest {
    ModelRequest(
      instructions: context?.instructions ?? [], tools: context?.tools ?? [], messages: history, options: options,
      outputSchema: context?.outputSchema, prefix: PromptPrefix(session: session, epoch: context?.epoch ?? 0))
  }
}
