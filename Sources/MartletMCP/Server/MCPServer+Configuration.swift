extension MCPServer {
  /// How a server behaves. Every property has a default.
  public struct Configuration: Sendable {
    /// How to use the server, for a model.
    public var instructions: String?
    /// Revisions that it speaks; all by default.
    public var revisions: Set<MCPRevision>
    /// Items on one page of a list, by default 500.
    public var pageSize: Int
    /// How long a client may use lists and resources again without asking; zero, the default, for not at all.
    public var timeToLive: Duration
    /// Whether what may be used again is the same for everybody. False by default.
    public var isPublic: Bool
    /// Signs what clients hold for the server between two rounds of a request, at least 32 bytes. By default made anew for
    /// each server, so that only the same process takes it back.
    public var stateKey: [UInt8]
    /// How long such a state is good for, by default 10 min.
    public var stateLifetime: Duration
    /// How long a task is kept after it began, by default 1 h.
    public var taskLifetime: Duration
    /// The most tasks that are kept at the same time, by default 1,000.
    public var taskLimit: Int
    /// How often clients should ask about a task, by default every 500 ms.
    public var pollInterval: Duration
    /// How long a client may take to answer a question of the server, by default 10 min: a person may have to think.
    public var answerTimeout: Duration
    /// Measures and waits.
    public var clock: any Clock<Duration>
    /// Told what goes wrong and what the client is not told: a result that does not fit its schema, an error in a handler.
    public var onFault: @Sendable (_ what: String, _ error: (any Error)?) -> Void

    /// A configuration; every argument has a default.
    public init(
      instructions: String? = nil, revisions: Set<MCPRevision> = Set(MCPRevision.allCases), pageSize: Int = 500,
      timeToLive: Duration = .zero, isPublic: Bool = false, stateKey: [UInt8] = RequestState.makeKey(),
      stateLifetime: Duration = .seconds(600), taskLifetime: Duration = .seconds(3_600), taskLimit: Int = 1_000,
      pollInterval: Duration = .milliseconds(500), answerTimeout: Duration = .seconds(600),
      clock: any Clock<Duration> = ContinuousClock(),
      onFault: @escaping @Sendable (_ what: String, _ error: (any Error)?) -> Void = { _, _ in }
    ) {
      self.instructions = instructions
      self.revisions = revisions
      self.pageSize = pageSize
      self.timeToLive = timeToLive
      self.isPublic = isPublic
      self.stateKey = stateKey
      self.stateLifetime = stateLifetime
      self.taskLifetime = taskLifetime
      self.taskLimit = taskLimit
      self.pollInterval = pollInterval
      self.answerTimeout = answerTimeout
      self.clock = clock
      self.onFault = onFault
    }
  }
}
