public import MartletJSON

extension MCPClient {
  /// Which revisions a client tries.
  public struct Revisions: Sendable, Hashable {
    enum Value: Sendable, Hashable { case automatic, modern, legacy(MCPRevision) }
    let value: Value

    /// The newest first; a server that does not know it is asked in the older way.
    public static let automatic = Self(value: .automatic)
    /// Only those in which requests describe themselves.
    public static let modern = Self(value: .modern)
    /// Only those with a handshake, offering this one. A modern revision offers the newest with a handshake.
    public static func legacy(_ revision: MCPRevision = .latestLegacy) -> Self {
      Self(value: .legacy(revision.facts.hasHandshake ? revision : .latestLegacy))
    }
  }

  /// How long things may take.
  public struct Timeouts: Sendable, Hashable {
    /// For a server to start and introduce itself, by default 30 s.
    public var start: Duration
    /// For an answer to the question for the newest revision, which old servers may leave open: by default 3 s. Over HTTP,
    /// where they say no, at least half of ``start``.
    public var probe: Duration
    /// For a request without any sign of life, by default 60 s. Progress renews it.
    public var request: Duration
    /// For a request in all, whatever progress it tells; by default 10 min.
    public var total: Duration

    /// Limits of time; every argument has a default.
    public init(
      start: Duration = .seconds(30), probe: Duration = .seconds(3), request: Duration = .seconds(60),
      total: Duration = .seconds(600)
    ) {
      self.start = start
      self.probe = probe
      self.request = request
      self.total = total
    }
  }

  /// How a client behaves. Every property has a default.
  public struct Configuration: Sendable {
    /// Who the client says it is.
    public var info: MCPImplementation
    /// Who answers the server's questions. What has no handler is not offered to the server.
    public var handlers: MCPClientHandlers
    /// Which revisions are tried.
    public var revisions: Revisions
    /// How long things may take.
    public var timeouts: Timeouts
    /// The most pages of one list, by default 1,000.
    public var pageLimit: Int
    /// How often one request may ask for input, by default 10.
    public var roundLimit: Int
    /// Whether structured content is checked against the schema that its tool promised. True by default.
    public var validatesOutput: Bool
    /// How often a server that has ended is started again within a minute, when it is needed; by default 3.
    public var restartLimit: Int
    /// Extensions that are offered to servers, by id with their settings; by default tasks.
    public var extensions: JSONObject
    /// Log messages of this level and above are asked for; nil, the default, for none.
    public var logLevel: MCPLogLevel?
    /// Measures and waits.
    public var clock: any Clock<Duration>
    /// Told what servers do wrong. Must not take long.
    public var onIncident: @Sendable (MCPIncident) -> Void

    /// A configuration; every argument has a default.
    public init(
      info: MCPImplementation = MCPImplementation(name: "martlet", version: "0.1.0"),
      handlers: MCPClientHandlers = MCPClientHandlers(), revisions: Revisions = .automatic,
      timeouts: Timeouts = Timeouts(), pageLimit: Int = 1_000, roundLimit: Int = 10, validatesOutput: Bool = true,
      restartLimit: Int = 3, extensions: JSONObject = [MCPExtension.tasks: [:]], logLevel: MCPLogLevel? = nil,
      clock: any Clock<Duration> = ContinuousClock(), onIncident: @escaping @Sendable (MCPIncident) -> Void = { _ in }
    ) {
      self.info = info
      self.handlers = handlers
      self.revisions = revisions
      self.timeouts = timeouts
      self.pageLimit = pageLimit
      self.roundLimit = roundLimit
      self.validatesOutput = validatesOutput
      self.restartLimit = restartLimit
      self.extensions = extensions
      self.logLevel = logLevel
      self.clock = clock
      self.onIncident = onIncident
    }
  }
}
