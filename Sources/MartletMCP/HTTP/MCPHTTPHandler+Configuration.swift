public import MartletHTTP

extension MCPHTTPHandler {
  /// Who may come, and how much a server takes. Every property has a default.
  public struct Configuration: Sendable {
    /// Finds out who makes a request, from its headers. Throws ``MCPAccessDenied`` or ``AccessRefusal`` for those who may
    /// not. By default all may, as nobody in particular. With OAuth:
    ///
    /// ```swift
    /// configuration.authorize = { headers in MCPCaller(try await resource.check(headers)) }  // a ResourceGuard
    /// ```
    public typealias Authorize = @Sendable (_ headers: HTTPHeaders) async throws -> MCPCaller

    /// Names that the server is called by (`Host`, without port); others are refused, so that no page of a browser gets
    /// here by a name of its own. By default those of this machine. Empty for any.
    public var hosts: Set<String>
    /// Pages that may call from a browser (`Origin`), as `https://example.com`. Pages of ``hosts`` may too.
    public var origins: Set<String>
    /// The most bytes of a request's body, by default 4 MiB.
    public var bodyLimit: Int
    /// Whether clients of revisions with a handshake get sessions, with questions to the client, a standing stream and
    /// streams that can be taken up again. Without, each request stands for itself. True by default.
    public var hasSessions: Bool
    /// The most sessions at the same time, by default 10,000. More are refused with 503.
    public var sessionLimit: Int
    /// A session that is not used for so long is ended, by default after 1 h.
    public var sessionLifetime: Duration
    /// Events of a session that are kept for clients that come back, by default 1,000.
    public var keptEvents: Int
    /// A comment is sent on a stream that is silent for so long, by default 15 s.
    public var keepAlive: Duration
    /// How long a client should wait before it takes up a stream again, by default 1 s.
    public var retryDelay: Duration
    /// Finds out who makes a request.
    public var authorize: Authorize?

    /// A configuration; every argument has a default.
    public init(
      hosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"], origins: Set<String> = [], bodyLimit: Int = 4 << 20,
      hasSessions: Bool = true, sessionLimit: Int = 10_000, sessionLifetime: Duration = .seconds(3_600),
      keptEvents: Int = 1_000, keepAlive: Duration = .seconds(15), retryDelay: Duration = .seconds(1),
      authorize: Authorize? = nil
    ) {
      self.hosts = hosts
      self.origins = origins
      self.bodyLimit = bodyLimit
      self.hasSessions = hasSessions
      self.sessionLimit = sessionLimit
      self.sessionLifetime = sessionLifetime
      self.keptEvents = keptEvents
      self.keepAlive = keepAlive
      self.retryDelay = retryDelay
      self.authorize = authorize
    }
  }
}
