import MartletJSON
import MartletSync

/// An agent: a model, tools and one conversation. Asks the model, runs the tools it calls, gives the results back, until
/// there is an answer.
///
/// What to do follows from the session's log alone (`AgentLoop`); the actor performs it and appends what comes of it. So a
/// conversation continues from a store as it would have in memory. One run at a time: a second `send` throws `.busy`.
public actor Agent {
  /// The session's id.
  public nonisolated let id: String
  /// The tools; shared with others if you like, changed at any time.
  public nonisolated let tools: ToolRegistry

  let model: any LanguageModel
  let owner: String
  let store: any SessionStore
  /// Whether the store keeps blobs.
  let keepsBlobs: Bool
  package nonisolated let environment: AgentEnvironment
  /// How the agent works. Changes hold from the next run.
  public var configuration: AgentConfiguration

  var loop = AgentLoop()
  var lease: SessionLease?
  /// Whether `loop` must be folded anew from the store, because an append failed.
  var needsReload = false
  /// What has to be told of the log, which could not be read to its end.
  var logWarning: Warning?
  var isClosed = false
  var activeRun: ActiveRun?
  var subscriptions: [Int: EventSubscription] = [:]
  var nextSubscription = 0

  var opening: Task<Void, any Error>?
  var isStarting = false
  /// The run that appended events belong to.
  var activeRunId: String?
  /// The observer that ends with the active run.
  var runSubscription: EventSubscription?
  /// The last record that is stored.
  var durableSeq = 0
  /// Records applied to `loop` and not yet stored.
  var outbox: [EventRecord] = []
  var isFlushing = false
  var flushWaiters: [CheckedContinuation<Void, Never>] = []
  var storageFailure: (any Error)?

  var operations: [String: Task<Void, Never>] = [:]
  var runningTools: [String: RunningTool] = [:]
  /// Approvals that the approver left open.
  var deferredApprovals: Set<String> = []
  /// Approvals whose answer is being recorded.
  var answering: Set<String> = []
  /// Inputs that the provider left open.
  var deferredInputs: Set<String> = []
  /// Approvals and inputs that somebody is being asked about right now.
  var asking: Set<String> = []
  /// The session is being given back to its store.
  var lettingGo: Task<Void, Never>?
  /// Who asked to cancel the run meanwhile.
  var lateCancel: String?
  var watchdog = Watchdog()
  var watchdogTask: Task<Void, Never>?
  var watchdogWakesAt: Duration?
  var reply: ReplyAssembler?
  /// The limits that the provider told with its last reply that told any.
  public internal(set) var rateLimits: [RateLimit] = []
  var lastModelError: ModelError?
  var prefixMonitor = PrefixMonitor()
  /// Which of the fallbacks is in use in this run, from 1; 0 for the agent's own model.
  var fallback = 0
  /// Tries of the open pass that went to models before the one in use.
  var triesBefore = 0
  /// Wakes the drive loop.
  let wakeup = Wakeup()
  /// What tools told of their progress and observers have not seen yet; the last word of each call counts.
  let progress = Locked<[String: ToolContext.Progress]>([:])
  /// Model calls that are made on behalf of a run, beside its conversation.
  let sideCalls = Locked(SideCalls())
  /// What sources of context warned of already.
  var heardWarnings: Set<Warning> = []
  /// A conversation assigned while idle, to be recorded with the next run.
  var assignedMessages: [Message]?

  /// An agent on a session of a store. Nothing happens before it is used.
  ///
  /// - Parameters:
  ///   - session: the session to continue; nil for a new one.
  ///   - messages: a conversation to start from; none keeps the session's own.
  ///   - owner: whose session it is. Default `local`.
  public init(
    model: any LanguageModel, tools: ToolRegistry, configuration: AgentConfiguration = AgentConfiguration(),
    messages: [Message] = [], session: String? = nil, owner: String = "local",
    store: any SessionStore = InMemorySessionStore(),
    environment: AgentEnvironment = AgentEnvironment()
  ) {
    self.model = model
    self.tools = tools
    self.configuration = configuration
    self.owner = owner
    self.store = store
    keepsBlobs = store is any BlobStore
    self.environment = environment
    id = session ?? environment.makeID()
    assignedMessages = messages.isEmpty ? nil : messages
  }

  /// An agent with tools of its own and a conversation to start from.
  /// - Throws: `ToolRegistry.Failure` when two tools have one name or a tool's parameters are impossible.
  public init(
    model: any LanguageModel, tools: [any Tool] = [], instructions: String = "", messages: [Message] = [],
    environment: AgentEnvironment = AgentEnvironment()
  ) throws {
    self.init(
      model: model, tools: try ToolRegistry(tools), configuration: AgentConfiguration(instructions: instructions),
      messages: messages, environment: environment)
  }

  // MARK: - Asking

  /// Says something and waits for the answer.
  ///
  /// Cancelling the calling task cancels the run and throws `CancellationError`.
  /// - Throws: `AgentError` for every end that is not an answer.
  public func send(_ prompt: String) async throws -> String {
    try await send(.user(prompt))
  }

  /// Says something and waits for the answer.
  public func send(_ message: Message) async throws -> String {
    try await answer(of: begin(message))
  }

  /// Says something and gives what happens, as it happens. The run starts when reading starts; dropping the reader
  /// cancels it. Ends after `finished`, `failed` or `waiting`; where what happens can no longer be stored, with an
  /// `AgentError`.
  public nonisolated func stream(_ prompt: String) -> EventStream {
    stream(.user(prompt))
  }

  /// Says something and gives what happens, as it happens.
  public nonisolated func stream(_ message: Message) -> EventStream {
    EventStream { try await self.openStream { try await $0.begin(message) } }
  }

  /// What happens in the session after a durable record, now and later, until the agent is closed. Dropping the reader
  /// changes nothing for the run.
  public nonisolated func events(after seq: Int = 0) -> EventStream {
    EventStream { try await self.openSubscription(after: seq) }
  }

  // MARK: - The conversation

  /// The conversation as the model sees it. Assigning replaces it, repaired where it is not valid (`HistoryRepair`); while
  /// a run is under way the assignment waits for its end.
  public var messages: [Message] {
    get { assignedMessages.map(HistoryRepair.repaired) ?? Array(loop.history) }
    set { assignedMessages = newValue }
  }

  /// Says something into the run that is under way: the model sees it after the results of the tools that run now. Gives
  /// the message's id in the queue.
  public func steer(_ text: String) async throws -> String {
    try await queue(.user(text), mode: .steer)
  }

  /// Says something when the run under way would be over, or with the next one. Gives the message's id in the queue.
  public func enqueue(_ text: String) async throws -> String {
    try await queue(.user(text), mode: .followUp)
  }

  /// Withdraws a queued message; false when it was said already or is not known.
  public func unqueue(_ queueId: String) async throws -> Bool {
    try await open()
    guard loop.queue.contains(where: { $0.queueId == queueId }) else { return false }
    try await commit([.unqueued(Unqueued(queueId: queueId))])
    return true
  }

  func queue(_ message: Message, mode: QueueMode) async throws -> String {
    try await open()
    let queueId = environment.makeID()
    try await commit([.queued(Queued(queueId: queueId, message: message, mode: mode))])
    return queueId
  }

  // MARK: - Ending and continuing

  /// Ends the run that is under way and waits until nothing of it remains. The session stays valid. Does nothing when
  /// there is no run.
  public func cancel(by: String = "user") async {
    guard let run = activeRun else { return }
    requestCancel(by: by)
    _ = await run.task.value
  }

  /// Finishes a run that was interrupted, by the end of the process or by waiting for an answer that has come since.
  /// - Throws: `AgentError` with `.notFound` when there is nothing to finish.
  public func resume() async throws -> String {
    try await answer(of: beginResume())
  }

  /// Finishes an interrupted run as `resume` does, and gives what happens from there on, as `stream` does.
  public nonisolated func streamResumed() -> EventStream {
    EventStream { try await self.openStream { try await $0.beginResume() } }
  }

  /// Ends the run, if one is under way, lets go of the session, and ends the agent's resources. The agent cannot be used
  /// afterwards.
  public func close() async {
    isClosed = true
    await cancel(by: "close")
    for subscription in subscriptions.values { subscription.finish() }
    subscriptions = [:]
    await lettingGo?.value
    if let lease { await store.release(lease) }
    lease = nil
    for resource in configuration.resources { await resource.close() }
  }
}
