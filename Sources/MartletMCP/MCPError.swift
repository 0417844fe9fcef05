/// Why something between an MCP client and a server did not work.
///
/// A tool that fails is no error: look at ``MCPCallResult/isError``. Cancellation is thrown as `CancellationError`.
public struct MCPError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case refused, timedOut, connectionClosed, cannotStart, unsupportedRevision, invalidResponse, tooLarge
      case toolNotSupported, invalidOutput, notSupported, tooManyRounds, inputDeclined, unauthorized, httpStatus, closed
      case taskFailed, overloaded, invalidArguments, sessionExpired
    }
    private let value: Value

    /// The peer answered with an error: ``MCPError/reply`` is what it said.
    public static let refused = Self(value: .refused)
    /// No answer in time.
    public static let timedOut = Self(value: .timedOut)
    /// The peer is gone: it ended, or the connection broke.
    public static let connectionClosed = Self(value: .connectionClosed)
    /// The server could not be started or reached.
    public static let cannotStart = Self(value: .cannotStart)
    /// The two have no revision in common.
    public static let unsupportedRevision = Self(value: .unsupportedRevision)
    /// The peer answered with something that the protocol does not allow.
    public static let invalidResponse = Self(value: .invalidResponse)
    /// A message is larger than the limit.
    public static let tooLarge = Self(value: .tooLarge)
    /// The server has no such tool.
    public static let toolNotSupported = Self(value: .toolNotSupported)
    /// A tool's structured content is missing or does not fit the schema that it promised.
    public static let invalidOutput = Self(value: .invalidOutput)
    /// The peer does not offer this, or not in the revision that was agreed on.
    public static let notSupported = Self(value: .notSupported)
    /// The server kept asking for more input, or listed pages without an end.
    public static let tooManyRounds = Self(value: .tooManyRounds)
    /// The server needs input that nobody here gives.
    public static let inputDeclined = Self(value: .inputDeclined)
    /// The server wants other credentials.
    public static let unauthorized = Self(value: .unauthorized)
    /// An HTTP status that says no and explains nothing.
    public static let httpStatus = Self(value: .httpStatus)
    /// It was closed on this side.
    public static let closed = Self(value: .closed)
    /// A task failed or was cancelled by the server.
    public static let taskFailed = Self(value: .taskFailed)
    /// The server has ended the session; the next request begins another.
    public static let sessionExpired = Self(value: .sessionExpired)
    /// Arguments that cannot be sent as they are.
    public static let invalidArguments = Self(value: .invalidArguments)
    /// Too much at once.
    public static let overloaded = Self(value: .overloaded)

    public var description: String { value.rawValue }
  }

  /// What kind of failure.
  public let code: Code
  /// One sentence, safe to show and to log.
  public let message: String
  /// What the peer said, for ``Code/refused``.
  public let reply: MCPErrorObject?
  /// The HTTP status, where there was one.
  public let status: Int?
  /// The last lines that the server wrote to its standard error. They may hold secrets: for a person, not for a log.
  public let serverOutput: [String]
  /// What lies beneath.
  public let underlying: (any Error)?

  /// A failure. The message must be safe to log.
  public init(
    _ code: Code, _ message: String, reply: MCPErrorObject? = nil, status: Int? = nil, serverOutput: [String] = [],
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.reply = reply
    self.status = status
    self.serverOutput = serverOutput
    self.underlying = underlying
  }

  /// A peer's error as an error here.
  init(_ reply: MCPErrorObject, status: Int? = nil) {
    self.init(.refused, reply.message, reply: reply, status: status)
  }

  /// What an ``MCPServerProtocol`` throws for a tool that it does not have.
  public static func toolNotSupported(_ name: String) -> Self {
    Self(.toolNotSupported, "there is no tool \"\(name)\"")
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.message == right.message && left.reply == right.reply && left.status == right.status
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }

  public var description: String { message }
}
