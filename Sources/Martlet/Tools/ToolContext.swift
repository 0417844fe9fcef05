/// What a tool may know about the call it answers.
public struct ToolContext: Sendable {
  /// The session's id.
  public var session: String
  /// The user, where the app knows one.
  public var user: String?
  /// The call's id.
  public var callId: String
  /// The user's locale, as "de_DE".
  public var locale: String
  /// The user's time zone, as "Europe/Oslo".
  public var timeZone: String
  /// About how many tokens the result may take in the context.
  public var tokenLimit: Int
  /// The directory where relative paths start.
  public var workingDirectory: String
  /// Stable for this call, also when it runs again after a crash: pass it on to services that take one.
  public var idempotencyKey: String
  /// What the call asked for with ``InputNeeded`` and was given, oldest first; empty when it runs for the first time.
  public var inputs: [ToolInput]
  /// Clock, ids, randomness and sinks.
  public var environment: AgentEnvironment
  private let results: (@Sendable (String) async throws -> [UInt8]?)?
  private let report: (@Sendable (Progress) -> Void)?

  /// How far a call has come.
  public struct Progress: Sendable, Hashable {
    /// Done so far, in the tool's own unit.
    public var progress: Double
    /// All there is to do, where that is known.
    public var total: Double?
    /// What is being done.
    public var message: String?

    /// A step.
    public init(progress: Double, total: Double? = nil, message: String? = nil) {
      self.progress = progress
      self.total = total
      self.message = message
    }
  }

  /// A context; every argument has a default that suits tests.
  public init(
    session: String = "session", user: String? = nil, callId: String = "call_00000000",
    locale: String = "en_US_POSIX", timeZone: String = "UTC", tokenLimit: Int = 8_192,
    workingDirectory: String = ".", idempotencyKey: String = "call_00000000",
    inputs: [ToolInput] = [],
    environment: AgentEnvironment = AgentEnvironment(),
    results: (@Sendable (_ callId: String) async throws -> [UInt8]?)? = nil,
    report: (@Sendable (Progress) -> Void)? = nil
  ) {
    self.session = session
    self.user = user
    self.callId = callId
    self.locale = locale
    self.timeZone = timeZone
    self.tokenLimit = tokenLimit
    self.workingDirectory = workingDirectory
    self.idempotencyKey = idempotencyKey
    self.inputs = inputs
    self.environment = environment
    self.results = results
    self.report = report
  }

  /// Tells observers how far the call has come. Never waits; may be dropped under load.
  public func progress(_ progress: Double, total: Double? = nil, message: String? = nil) {
    report?(Progress(progress: progress, total: total, message: message))
  }

  /// The whole text, in UTF-8, of an earlier result of the session that was cut for the context; nil when it is not kept.
  public func keptResult(of callId: String) async throws -> [UInt8]? { try await results?(callId) }

  /// Writes to the log sink.
  public func log(_ level: LogLevel, _ message: String, metadata: [String: String] = [:]) {
    environment.log.log(level, message, metadata: metadata)
  }
}
