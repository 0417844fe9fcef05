public import Martlet

extension MCPServerPool {
  /// How a pool works. Every property has a default.
  public struct Configuration: Sendable {
    /// How each client behaves; handlers come from ``handlers``.
    public var client: MCPClient.Configuration
    /// What is done for a server that asks, by its name. By default nothing.
    public var handlers: @Sendable (_ server: String) -> MCPClientHandlers
    /// How long a server may take to start, introduce itself and list its tools; by default 30 s. The others do not wait
    /// for longer than that.
    public var startTimeout: Duration
    /// Gets credentials for a server that wants some, or wants others for a call, perhaps from a person; then it is tried
    /// once more. Nil, the default: such a server, or call, has failed.
    public var signIn: (@Sendable (MCPServerEntry) async throws -> Void)?
    /// Where servers' log messages go, and what goes wrong with them.
    public var log: any LogSink

    /// A configuration; every argument has a default.
    public init(
      client: MCPClient.Configuration = MCPClient.Configuration(),
      handlers: @escaping @Sendable (_ server: String) -> MCPClientHandlers = { _ in MCPClientHandlers() },
      startTimeout: Duration = .seconds(30), signIn: (@Sendable (MCPServerEntry) async throws -> Void)? = nil,
      log: any LogSink = NoLogSink()
    ) {
      self.client = client
      self.handlers = handlers
      self.startTimeout = startTimeout
      self.signIn = signIn
      self.log = log
    }
  }
}
