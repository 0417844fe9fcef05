/// A way to a peer and back.
///
/// One task receives; any may send, also at once. ``open()`` after ``close()`` begins anew: another process, another
/// session.
public protocol MCPTransport: Sendable {
  /// Whether each request has a stream of its own (HTTP), or all share one (standard streams).
  var hasStreamPerRequest: Bool { get }

  /// Begins. Called once before anything else, and again after each ``close()``.
  /// - Throws: ``MCPError`` with ``MCPError/Code/cannotStart``.
  func open() async throws

  /// Sends a message; returns when it is on its way. Answers come by ``receive()``.
  /// - Throws: ``MCPError``, or `CancellationError`.
  func send(_ message: MCPMessage, _ context: MCPSendContext) async throws

  /// The next thing that arrives.
  /// - Throws: the end, as ``MCPError`` with the reason; `CancellationError`.
  func receive() async throws -> MCPIncoming

  /// Nobody waits for the answer to a request any more. Only called where each request has a stream of its own.
  func abandon(_ id: MCPRequestID) async

  /// The last lines that the peer wrote beside its messages, for a person; empty where there is no such way.
  var errorLines: [String] { get }

  /// A request of the peer was cancelled: it gets no answer.
  func release(_ id: MCPRequestID) async

  /// Begins anew in an older manner, for a server that does not know the newer one.
  /// - Returns: false where there is none.
  func fallBack() async throws -> Bool

  /// Ends it, and waits until nothing is left. Completes also when the task is cancelled. May be called again.
  func close() async
}

extension MCPTransport {
  public var hasStreamPerRequest: Bool { false }
  public var errorLines: [String] { [] }
  public func abandon(_ id: MCPRequestID) async {}
  public func release(_ id: MCPRequestID) async {}
  public func fallBack() async throws -> Bool { false }
}

/// What a transport has to know about a message beside the message.
public struct MCPSendContext: Sendable {
  /// The revision that was agreed on, or is being tried; nil before.
  public var revision: MCPRevision?
  /// Marked arguments of a tool call that go into headers too, for HTTP: `Mcp-Param-…`, encoded.
  public var headers: [(String, String)]
  /// Of what a server sends: the request of the client that it belongs to; nil if it belongs to none.
  public var related: MCPRequestID?

  /// A context.
  public init(revision: MCPRevision? = nil, headers: [(String, String)] = [], related: MCPRequestID? = nil) {
    self.revision = revision
    self.headers = headers
    self.related = related
  }
}
