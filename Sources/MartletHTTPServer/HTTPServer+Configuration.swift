public import MartletHTTP

extension HTTPServer {
  /// Where a server listens, and its limits.
  public struct Configuration: Sendable {
    /// The address to listen on; only this machine by default.
    public var address: String
    /// 0 takes a free port; ``HTTPServer/port`` tells which.
    public var port: UInt16
    /// The memory of a connection, which bounds the head of a request: 32 KiB by default. Larger heads are answered with
    /// 431 or 414.
    public var headLimit: Int
    /// The most bytes of a request's body: 32 MiB by default. Larger ones are answered with 413.
    public var bodyLimit: Int
    /// How many connections there may be at the same time: 1,000 by default. Others wait to be accepted.
    public var connectionLimit: Int
    /// A connection on which nothing moves for so long is closed, unless a handler is at work: 60 s by default.
    public var idleTimeout: Duration
    /// The head of a request must be complete so long after its connection was opened or became free, however it drips in:
    /// 60 s by default. A kept connection without a request is closed then too.
    public var headTimeout: Duration
    /// The answer to an error that a handler throws, and to requests that no route fits. By default the message of
    /// ``HTTPStatusError/init(_:)`` as text.
    public var failure: @Sendable (any Error) -> HTTPResponse

    /// A configuration; every argument has a default.
    public init(
      address: String = "127.0.0.1", port: UInt16 = 0, headLimit: Int = 32 << 10, bodyLimit: Int = 32 << 20,
      connectionLimit: Int = 1_000, idleTimeout: Duration = .seconds(60),
      headTimeout: Duration = .seconds(60),
      failure: @escaping @Sendable (any Error) -> HTTPResponse = Self.plainFailure
    ) {
      self.address = address
      self.port = port
      self.headLimit = headLimit
      self.bodyLimit = bodyLimit
      self.connectionLimit = connectionLimit
      self.idleTimeout = idleTimeout
      self.headTimeout = headTimeout
      self.failure = failure
    }

    /// The default ``failure``.
    @Sendable public static func plainFailure(_ error: any Error) -> HTTPResponse {
      let status = HTTPStatusError(error)
      var headers = status.headers
      headers["content-type"] = "text/plain; charset=utf-8"
      return HTTPResponse(status: status.status, headers: headers, body: HTTPBody(Array((status.message + "\n").utf8)))
    }
  }
}
