public import MartletHTTP
import MartletJSON
import MartletSync

/// A server at a URL, by Streamable HTTP; one that only knows HTTP with server-sent events, as of 2024-11-05, is found out
/// and talked to in its way.
///
/// Each request has a stream of its own. One that breaks off is taken up again where the revision allows that, without
/// doubled messages; else its request fails.
public final class HTTPClientTransport: MCPTransport {
  /// How a server is talked to.
  public struct Options: Sendable {
    /// Sent with each request: an API key, perhaps. Values are never logged.
    public var headers: HTTPHeaders
    /// Brings credentials, and gets others when the server wants them: an ``OAuthAuthorizer``, perhaps.
    public var authorizer: (any RequestAuthorizer)?
    /// The most bytes of one message, by default 64 MiB.
    public var messageSize: Int
    /// How often a stream is taken up again without having told anything new, by default 5.
    public var resumptionLimit: Int
    /// How long to wait before a stream is taken up again, if the server does not say; by default 1 s.
    public var resumptionDelay: Duration
    /// The most that a server may make a stream wait, by default 30 s.
    public var longestDelay: Duration
    /// Measures and waits.
    public var clock: any Clock<Duration>

    /// Options; every argument has a default.
    public init(
      headers: HTTPHeaders = [:], authorizer: (any RequestAuthorizer)? = nil, messageSize: Int = 64 << 20,
      resumptionLimit: Int = 5, resumptionDelay: Duration = .seconds(1), longestDelay: Duration = .seconds(30),
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.headers = headers
      self.authorizer = authorizer
      self.messageSize = messageSize
      self.resumptionLimit = resumptionLimit
      self.resumptionDelay = resumptionDelay
      self.longestDelay = longestDelay
      self.clock = clock
    }
  }

  private enum Manner {
    case streamable
    /// One stream for everything the server says, and an address for what the client says.
    case separate(postURL: String)
  }

  private struct State {
    var manner = Manner.streamable
    var queue: MessageQueue<MCPIncoming>?
    var sessionID: String?
    var revision: MCPRevision?
    /// Everything that runs for this transport, by key.
    var tasks: [Int: Task<Void, Never>] = [:]
    var nextKey = 0
    /// The task of each request that waits for its answer.
    var requests: [MCPRequestID: Int] = [:]
  }

  /// Where the server is.
  public let url: String
  private let http: any HTTPTransport
  private let options: Options
  private let state = Locked(State())

  /// A server at a URL. Nothing is sent yet.
  public init(_ url: String, over http: any HTTPTransport = SystemTransport(), options: Options = Options()) {
    self.url = url
    self.http = options.authorizer.map { AuthorizedTransport(http, authorizer: $0) } ?? http
    self.options = options
  }

  public var hasStreamPerRequest: Bool {
    state.withLock { if case .streamable = $0.manner { true } else { false } }
  }

  public func open() async throws {
    let old = state.withLock { state in
      defer { state = State(queue: MessageQueue()) }
      return Array(state.tasks.values)
    }
    for task in old { task.cancel() }
    for task in old { await task.value }
  }

  public func receive() async throws -> MCPIncoming {
    guard let queue = state.withLock({ $0.queue }) else {
      throw MCPError(.connectionClosed, "the transport is not open")
    }
    return try await queue.take()
  }

  public func abandon(_ id: MCPRequestID) async {
    let task = state.withLock { state in state.requests.removeValue(forKey: id).flatMap { state.tasks[$0] } }
    task?.cancel()
  }

  public func close() async {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.queue?.end(MCPError(.connectionClosed, "the connection was closed"))
    for task in old.tasks.values { task.cancel() }
    for task in old.tasks.values { await task.value }
    guard let session = old.sessionID else { return }
    // In a task of its own, so that the server is told also by one that is cancelled; a server may not care.
    await Task { [self] in
      let request = HTTPRequest(
        .delete, url, headers: headers(session: session, revision: old.revision), timeouts: .init(total: .seconds(2)))
      do { try await http.send(request).body.finish() } catch {}
    }.value
  }

  // MARK: Sending

  public func send(_ message: MCPMessage, _ context: MCPSendContext) async throws {
    switch message {
    case .request(let id, _, _):
      if case .separate(let postURL) = state.withLock({ $0.manner }) {
        return try await post(message, context, to: postURL)
      }
      start(for: id) {
        try await self.exchange(message, id, context)
      } failed: {
        .lost(id, $0)
      }
    case .notification(let method, _):
      try await post(message, context, to: postAddress)
      if method == Method.initialized { startStanding(context.revision) }
    case .result, .failure: try await post(message, context, to: postAddress)
    }
  }

  private var postAddress: String {
    state.withLock { if case .separate(let postURL) = $0.manner { postURL } else { url } }
  }

  /// Runs something that this transport owns.
  private func start(
    for id: MCPRequestID? = nil, _ body: @escaping @Sendable () async throws -> Void,
    failed: @escaping @Sendable (MCPError) -> MCPIncoming?
  ) {
    state.withLock { state in
      guard let queue = state.queue else { return }
      state.nextKey += 1
      let key = state.nextKey
      if let id { state.requests[id] = key }
      state.tasks[key] = Task { [self] in
        do {
          try await body()
        } catch is CancellationError {
        } catch {
          if let incoming = failed(Self.error(error)) { try? await queue.put(incoming) }
        }
        self.state.withLock { state in
          state.tasks[key] = nil
          if let id, state.requests[id] == key { state.requests[id] = nil }
        }
      }
    }
  }

  static func error(_ error: any Error) -> MCPError {
    switch error {
    case let error as MCPError: error
    case let error as HTTPError:
      switch error.code {
      case .cannotResolve, .cannotConnect, .connectTimeout, .tls, .invalidURL, .invalidRequest, .unavailable:
        MCPError(.cannotStart, "the server cannot be reached: \(error.message)", underlying: error)
      case .tooLarge: MCPError(.tooLarge, error.message, underlying: error)
      default: MCPError(.connectionClosed, error.message, underlying: error)
      }
    case let error as AuthorizationError: MCPError(.unauthorized, error.message, underlying: error)
    default: MCPError(.connectionClosed, "the connection broke", underlying: error)
    }
  }

  private func headers(session: String?, revision: MCPRevision?) -> HTTPHeaders {
    var headers = options.headers
    headers[HTTPHeaderName.session] = session
    if let revision, revision.facts.hasVersionHeader { headers[HTTPHeaderName.revision] = revision.rawValue }
    return headers
  }

  private func request(_ message: MCPMessage, _ context: MCPSendContext, to url: String) -> HTTPRequest {
    let facts = context.revision?.facts
    let isHandshake = message.method == Method.initialize
    var headers = headers(
      session: facts?.hasHTTPSessions == false ? nil : state.withLock { $0.sessionID },
      revision: isHandshake ? nil : context.revision)
    headers["Accept"] = "application/json, text/event-stream"
    headers["Content-Type"] = "application/json"
    if facts?.mirrorsHeaders ?? false {
      if let method = message.method { headers[HTTPHeaderName.method] = method }
      if let name = message.routedName { headers[HTTPHeaderName.name] = HeaderText.encoded(name) }
      for (name, value) in context.headers { headers[name] = value }
    }
    return HTTPRequest(
      .post, url, headers: headers, body: .bytes(message.bytes), timeouts: .init(idle: nil),
      redirects: .follow(limit: 5))
  }

  private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let response = try await http.send(request)
    guard response.status == 401 || response.status == 403 else { return response }
    response.body.finish()
    let what = response.status == 401 ? "wants credentials" : "does not allow this with these credentials"
    throw MCPError(.unauthorized, "the server \(what)", status: response.status)
  }

  /// Sends what nobody answers.
  private func post(_ message: MCPMessage, _ context: MCPSendContext, to url: String) async throws {
    do {
      let response = try await send(request(message, context, to: url))
      defer { response.body.finish() }
      // Any success will do: some servers answer 200 or 204 where 202 is due.
      guard (200..<300).contains(response.status) else { throw try await failure(response, hadSession: true) }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw Self.error(error)
    }
  }

  /// What a response without success means.
  private func failure(_ response: HTTPResponse, hadSession: Bool) async throws -> MCPError {
    if response.status == 404, hadSession, state.withLock({ $0.sessionID }) != nil {
      let error = MCPError(.sessionExpired, "the server has ended the session", status: 404)
      let queue = state.withLock { state in
        state.sessionID = nil
        return state.queue
      }
      queue?.end(error)
      return error
    }
    // What is no JSON-RPC is none of ours, and may be anything: not shown.
    if let bytes = try? await response.body.bytes(limit: 1 << 20),
      case .message(.failure(_, let error)) = MCPIncoming(decoding: bytes)
    {
      return MCPError(error, status: response.status)
    }
    return Self.refusal(response.status)
  }

  private static func refusal(_ status: Int) -> MCPError {
    // What servers of another kind say to a path or a method that they do not have.
    let doubt = [404, 405, 501].contains(status) ? "; is this the address of an MCP server?" : ""
    return MCPError(.httpStatus, "the server answered with the status \(status)\(doubt)", status: status)
  }

  // MARK: Requests

  private func exchange(_ message: MCPMessage, _ id: MCPRequestID, _ context: MCPSendContext) async throws {
    let response = try await send(request(message, context, to: url))
    guard (200..<300).contains(response.status) else {
      throw try await failure(response, hadSession: context.revision?.facts.hasHTTPSessions ?? true)
    }
    if message.method == Method.initialize { try takeSession(response, context.revision) }
    var stream = ReplyStream(id: id, limit: options.messageSize)
    switch response.mediaType {
    case "application/json":
      stream.take(MCPIncoming(decoding: try await response.body.bytes(limit: options.messageSize)))
      try await deliver(&stream)
      if !stream.isAnswered { throw MCPError(.invalidResponse, "the server answered with something else") }
    case "text/event-stream":
      try await read(response, &stream, canResume: context.revision?.facts.hasHTTPSessions ?? true)
    case let type:
      response.body.finish()
      let what = type.map { "of the type \($0.prefix(64))" } ?? "without a type"
      throw MCPError(.invalidResponse, "the server answered with a body \(what)", status: response.status)
    }
  }

  private func takeSession(_ response: HTTPResponse, _ revision: MCPRevision?) throws {
    let session = response.headers[HTTPHeaderName.session]
    if let session, session.isEmpty || !session.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      throw MCPError(.invalidResponse, "the server gave a session an id that no header can have")
    }
    state.withLock { state in
      state.sessionID = session
      state.revision = revision
    }
  }

  private func deliver(_ stream: inout ReplyStream) async throws {
    guard let queue = state.withLock({ $0.queue }) else { throw CancellationError() }
    for incoming in stream.takeAll() { try await queue.put(incoming) }
  }

  /// Reads a stream until it has the answer, and takes it up again where it broke off.
  private func read(_ first: HTTPResponse, _ stream: inout ReplyStream, canResume: Bool) async throws {
    var response = first
    var attempts = 0
    while true {
      do {
        let before = stream.lastEventID
        defer { if stream.lastEventID != before { attempts = 0 } }
        for try await chunk in response.body {
          try stream.append(chunk)
          try await deliver(&stream)
          if stream.isAnswered { return response.body.finish() }
        }
        try stream.finish()
        try await deliver(&stream)
        if stream.isAnswered { return }
      } catch let error as HTTPError where error.isTransient {
        // Broke off; below.
      }
      guard canResume, !stream.lastEventID.isEmpty, attempts < options.resumptionLimit else {
        throw MCPError(.connectionClosed, "the stream ended before the answer came")
      }
      attempts += 1
      try await options.clock.sleep(for: min(stream.delay ?? options.resumptionDelay, options.longestDelay))
      if let next = try await resumed(after: stream.lastEventID) { response = next }
      stream.restart()
    }
  }

  /// A stream that goes on where it broke off; nil if the server is not there at the moment.
  private func resumed(after lastEventID: String?) async throws -> HTTPResponse? {
    let (session, revision) = state.withLock { ($0.sessionID, $0.revision) }
    var headers = headers(session: session, revision: revision)
    headers["Accept"] = "text/event-stream"
    if let lastEventID { headers[HTTPHeaderName.lastEvent] = lastEventID }
    do {
      let response = try await send(
        HTTPRequest(.get, url, headers: headers, timeouts: .init(idle: nil), redirects: .follow(limit: 5)))
      if response.status == 200, response.mediaType == "text/event-stream" { return response }
      if response.status >= 500 { return nil }
      // Many servers say 404 where they have no such stream: that says nothing about the session.
      throw try await failure(response, hadSession: false)
    } catch let error as HTTPError where error.isTransient {
      return nil
    }
  }

  // MARK: The standing stream

  /// For what the server says without being asked, in revisions that have such a stream. A server need not offer it.
  private func startStanding(_ revision: MCPRevision?) {
    guard case .streamable = state.withLock({ $0.manner }), revision?.facts.hasStandingStream ?? false else { return }
    start {
      var stream = ReplyStream(id: nil, limit: self.options.messageSize)
      var attempts = 0
      while attempts < self.options.resumptionLimit {
        let before = stream.lastEventID
        if let response = try await self.resumed(after: before.isEmpty ? nil : before) {
          attempts = 0
          do {
            for try await chunk in response.body {
              try stream.append(chunk)
              try await self.deliver(&stream)
            }
          } catch let error as HTTPError where error.isTransient {
            // Taken up again.
          }
        }
        attempts += 1
        stream.restart()
        try await self.options.clock.sleep(
          for: min(stream.delay ?? self.options.resumptionDelay * attempts, self.options.longestDelay))
      }
    } failed: { _ in
      // The rest works without it.
      nil
    }
  }

  // MARK: HTTP with server-sent events (2024-11-05)

  public func fallBack() async throws -> Bool {
    try await open()
    let endpoint = Settlement<String>()
    start {
      let request = HTTPRequest(
        .get, self.url, headers: self.headers(session: nil, revision: nil).adding("Accept", "text/event-stream"),
        timeouts: .init(idle: nil), redirects: .follow(limit: 5))
      let response: HTTPResponse
      do {
        response = try await self.send(request)
        guard response.status == 200, response.mediaType == "text/event-stream" else {
          response.body.finish()
          if response.status != 200 { throw Self.refusal(response.status) }
          throw MCPError(
            .httpStatus, "the server answered with a page; is this the address of an MCP server?", status: 200)
        }
      } catch {
        endpoint.settle(.failure(Self.error(error)))
        throw error
      }
      var stream = ReplyStream(id: nil, limit: self.options.messageSize)
      let base = response.url.isEmpty ? self.url : response.url
      do {
        for try await chunk in response.body {
          try stream.append(chunk)
          if let address = stream.endpoint { endpoint.settle(Self.address(address, from: base)) }
          try await self.deliver(&stream)
        }
      } catch {
        endpoint.settle(.failure(Self.error(error)))
        throw error
      }
      let error = MCPError(.connectionClosed, "the server has ended the stream")
      endpoint.settle(.failure(error))
      throw error
    } failed: { [weak self] error in
      self?.state.withLock { $0.queue }?.end(error)
      return nil
    }
    let address = try await endpoint.value()
    state.withLock { $0.manner = .separate(postURL: address) }
    return true
  }

  /// Where to post to: only at the same place, for credentials go there.
  private static func address(_ address: String, from base: String) -> Result<String, any Error> {
    guard let resolved = URLText.resolve(address, against: base), let origin = URLText.origin(resolved),
      origin == URLText.origin(base)
    else {
      return .failure(MCPError(.invalidResponse, "the server wants messages sent to another place"))
    }
    return .success(resolved)
  }
}

extension HTTPHeaders {
  fileprivate func adding(_ name: String, _ value: String) -> Self {
    var headers = self
    headers[name] = value
    return headers
  }
}
