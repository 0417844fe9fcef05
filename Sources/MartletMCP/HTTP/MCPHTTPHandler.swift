import MartletCrypto
public import MartletHTTP
import MartletJSON
import MartletSync

/// Serves an ``MCPServer`` over Streamable HTTP, to clients of every revision that has it, at one address.
///
/// Works on values, so it goes with any HTTP server. With `MartletHTTPServer`:
///
/// ```swift
/// let handler = MCPHTTPHandler(server)
/// let routes = [HTTPRequest.Method.post, .get, .delete].map { method in
///   HTTPRoute(method, "/mcp") { try await handler.respond(to: $0.method, headers: $0.headers, body: $0.body) }
/// }
/// ```
///
/// Requests that describe themselves are answered each for itself; dropping their response cancels them. For clients with a
/// handshake there are sessions: dropping a response cancels nothing, the client can come back for the rest. End it with
/// ``close()``.
public final class MCPHTTPHandler: Sendable {
  private struct Entry {
    let session: HTTPSession
    /// Serves the session; owned by this handler.
    let serving: Task<Void, Never>
  }

  private struct State {
    var sessions: [String: Entry] = [:]
    /// Work on requests that stand for themselves, and ends of sessions; owned by this handler.
    var work: [Int: Task<Void, Never>] = [:]
    /// Which of it would go on for ever.
    var listening: Set<Int> = []
    var nextKey = 0
    /// When idle sessions are looked for next.
    var nextLook = Duration.zero
    var isClosed = false
  }

  let server: MCPServer
  /// Who may come, and how much it takes.
  public let configuration: Configuration
  private let state = Locked(State())
  private let listeners = ListenGroup()
  /// How long clients that listen may take to hear the end: one that reads is quick.
  private static let goodbyeTime = Duration.seconds(1)

  /// A handler for a server. Nothing runs yet.
  public init(_ server: MCPServer, configuration: Configuration = Configuration()) {
    self.server = server
    self.configuration = configuration
  }

  /// How many sessions there are.
  public var sessionCount: Int { state.withLock { $0.sessions.count } }

  /// Ends all sessions and all work, and waits for them; clients that listen for changes are told that there will be no more.
  /// Requests that come later get 503. The server itself goes on.
  public func close() async {
    let (sessions, work, listening) = state.withLock { state in
      state.isClosed = true
      defer { state.sessions = [:] }
      let listening = state.work.filter { state.listening.contains($0.key) }
      let work = state.work.filter { !state.listening.contains($0.key) }
      return (Array(state.sessions.values), Array(work.values), Array(listening.values))
    }
    for task in work { task.cancel() }
    listeners.end()
    await waitPatiently(for: listening)
    for entry in sessions { await end(entry) }
    for task in work { await task.value }
  }

  /// Waits for work that comes to its end by itself, unless nobody reads what it says.
  private func waitPatiently(for work: [Task<Void, Never>]) async {
    if work.isEmpty { return }
    let clock = server.clock
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await clock.sleep(clock.now() + Self.goodbyeTime)  // ended early only when all is done
        for task in work { task.cancel() }
      }
      for task in work { await task.value }
      group.cancelAll()
    }
  }

  /// Ends all sessions; others may begin.
  package func endSessions() async {
    let sessions = state.withLock { state in
      defer { state.sessions = [:] }
      return Array(state.sessions.values)
    }
    for entry in sessions { await end(entry) }
  }

  private func end(_ entry: Entry) async {
    await entry.session.close()
    entry.serving.cancel()
    await entry.serving.value
  }

  // MARK: Requests

  /// Answers a request. Never throws: what is wrong is in the status, and in the body as JSON-RPC.
  ///
  /// Cancel the task when the client has gone before the head of the response is out; drop the body when it has gone after.
  public func respond(to method: HTTPRequest.Method, headers: HTTPHeaders, body: HTTPBody) async -> HTTPResponse {
    do {
      try checkPlace(headers)
      let caller: MCPCaller
      do {
        caller = try await configuration.authorize?(headers) ?? MCPCaller()
      } catch let denied as MCPAccessDenied {
        var answer = Refusal(
          denied.status, .invalidRequest, denied.status == 403 ? "this is not allowed" : "credentials are needed")
        if let challenge = denied.challenge { answer.headers["WWW-Authenticate"] = challenge }
        throw answer
      } catch let refusal as AccessRefusal {
        throw Refusal(refusal.status, .invalidRequest, refusal.message, refusal.headers)
      }
      switch method {
      case .post: return try await post(headers, body, caller)
      case .get: return try get(headers, caller)
      case .delete: return try await delete(headers, caller)
      default:
        throw Refusal(405, .invalidRequest, "this address takes POST, GET and DELETE", ["Allow": "POST, GET, DELETE"])
      }
    } catch let refusal as Refusal {
      return refusal.response
    } catch is CancellationError {
      return Refusal(503, .internalError, "the server is stopping").response
    } catch {
      server.configuration.onFault("a request over HTTP failed", error)
      return Refusal(500, .internalError, "the server failed").response
    }
  }

  /// A browser must not be led here by a page of somebody else.
  private func checkPlace(_ headers: HTTPHeaders) throws(Refusal) {
    if state.withLock({ $0.isClosed }) { throw Refusal(503, .internalError, "the server is stopping") }
    if !configuration.hosts.isEmpty {
      let host = headers["Host"].map { Self.name(ofHost: $0) } ?? ""
      guard configuration.hosts.contains(host) else {
        throw Refusal(403, .invalidRequest, "this server is not called by this name")
      }
    }
    if let origin = headers["Origin"] {
      let text = origin.lowercased()
      let authority =
        text.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first.map(String.init) ?? ""
      guard configuration.origins.contains(text) || configuration.hosts.contains(Self.name(ofHost: authority)) else {
        throw Refusal(403, .invalidRequest, "pages of this origin may not call here")
      }
    }
  }

  /// Without the port.
  private static func name(ofHost host: String) -> String {
    let host = host.lowercased()
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
    return String(host.prefix { $0 != ":" })
  }

  private func post(_ headers: HTTPHeaders, _ body: HTTPBody, _ caller: MCPCaller) async throws -> HTTPResponse {
    let type = headers["Content-Type"]?.prefix { $0 != ";" }.trimmed.lowercased()
    guard type == nil || type == "application/json" else {
      throw Refusal(415, .invalidRequest, "the body must be application/json")
    }
    let bytes: [UInt8]
    do {
      bytes = try await body.bytes(limit: configuration.bodyLimit)
    } catch let error as HTTPError where error.code == .tooLarge {
      throw Refusal(413, .invalidRequest, "the body is larger than \(configuration.bodyLimit) bytes")
    }
    let incoming = MCPIncoming(decoding: bytes)
    if case .fault(let fault) = incoming { throw Refusal(400, fault.error, id: fault.id) }
    let request = HTTPMessage(incoming, headers: headers, caller: caller)
    return request.isModern(server) ? try await answerAlone(request) : try await answerInSession(request)
  }

  private func get(_ headers: HTTPHeaders, _ caller: MCPCaller) throws -> HTTPResponse {
    let session = try session(headers, caller, for: "GET")
    session.use()
    var (key, place): (String, Int?) = (HTTPSession.standingKey, nil)
    if let last = headers[HTTPHeaderName.lastEvent], !last.isEmpty {
      guard let parsed = EventLog.parse(last) else {
        throw Refusal(400, .invalidRequest, "`Last-Event-ID` is no id of this server")
      }
      (key, place) = parsed
    }
    guard let body = session.body(of: key, after: place) else {
      throw Refusal(404, .invalidRequest, "this stream is no longer kept")
    }
    return Self.stream(body)
  }

  private func delete(_ headers: HTTPHeaders, _ caller: MCPCaller) async throws -> HTTPResponse {
    let session = try session(headers, caller, for: "DELETE")
    if let entry = state.withLock({ $0.sessions.removeValue(forKey: session.id) }) { await end(entry) }
    return HTTPResponse(status: 200)
  }

  private func session(_ headers: HTTPHeaders, _ caller: MCPCaller, for method: String) throws -> HTTPSession {
    let version = headers[HTTPHeaderName.revision].flatMap { MCPRevision(rawValue: $0.trimmed) }
    guard configuration.hasSessions, version?.facts.hasHandshake ?? true else {
      throw Refusal(405, .invalidRequest, "there is no \(method) here", ["Allow": "POST"])
    }
    return try session(headers[HTTPHeaderName.session], caller)
  }

  private func session(_ id: String?, _ caller: MCPCaller) throws -> HTTPSession {
    endIdleSessions()
    guard let id else { throw Refusal(400, .invalidRequest, "`Mcp-Session-Id` is missing; begin with `initialize`") }
    guard let entry = state.withLock({ $0.sessions[id] }), entry.session.caller.principal == caller.principal else {
      throw Refusal(404, .invalidRequest, "there is no such session; begin another with `initialize`")
    }
    return entry.session
  }

  static func stream(_ body: HTTPBody, status: Int = 200) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        "Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no",
      ], body: body)
  }

  static func json(_ message: MCPMessage, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: HTTPBody(message.bytes))
  }

  // MARK: Requests that stand for themselves

  private func answerAlone(_ request: HTTPMessage) async throws -> HTTPResponse {
    guard case .message(let message) = request.incoming else {
      throw Refusal(400, .invalidRequest, "this revision has no arrays of messages")
    }
    guard case .request(let id, let method, let params) = message else {
      if case .notification = message {
        try request.checkHeaders(message, self.server, marked: nil)
        return HTTPResponse(status: 202)
      }
      throw Refusal(400, .invalidRequest, "this revision has no answers of clients")
    }
    do {
      return try await answer(id, method, params ?? [:], request)
    } catch let error as MCPErrorObject {
      // The request itself is at fault; what a handler says comes as an answer.
      throw Refusal(400, error, id: id)
    }
  }

  private func answer(
    _ id: MCPRequestID, _ method: String, _ params: JSONObject, _ request: HTTPMessage
  ) async throws -> HTTPResponse {
    let opening = Settlement<HTTPSession.Opening>()
    let (work, server, configuration) = (WorkHandle(), server, configuration)
    let body = StreamBody(keepAlive: configuration.keepAlive, clock: server.clock, onDrop: { work.cancel() })
    let output = body.input
    let channel = ServerCall.Channel(
      notify: { method, params in
        try await output.put(EventText.event(.notification(method: method, params: params)))
        opening.settle(.success(.stream))
      }, ask: nil, disconnect: nil, listeners: listeners)
    // Before what the body says is looked at: a proxy has gone by the header.
    try request.checkRevision(params)
    let call = try server.described(id, method, params, caller: request.caller, channel: channel)
    try request.checkHeaders(
      .request(id, method: method, params: params), server,
      marked: method == Method.callTool ? try await server.marked(params[string: "name"] ?? "") : nil)
    run(work, listens: method == Method.listen) {
      let answer: MCPMessage
      do {
        answer = .result(id, try await server.answer(call))
      } catch {
        answer = .failure(id, MCPErrorObject(answering: error))
      }
      if opening.settle(.success(.answer(answer))) { return }
      do {
        try await output.put(EventText.event(answer))
      } catch {
        // The client is gone.
        server.discard(answer, caller: call.caller)
      }
      StreamBody.end(output)
    }
    let first: HTTPSession.Opening
    do {
      first = try await opening.value()
    } catch {
      work.cancel()
      if !opening.settle(.failure(error)), case .success(.answer(let answer))? = opening.outcome {
        // It came in between.
        server.discard(answer, caller: call.caller)
      }
      throw error
    }
    switch first {
    case .stream, .nothing: return Self.stream(HTTPBody(body))
    case .answer(let message):
      if case .failure(_, let error) = message { return Self.json(message, status: HTTPMessage.status(of: error)) }
      return Self.json(message)
    }
  }

  /// Runs something that this handler owns.
  private func run(
    _ handle: WorkHandle? = nil, listens: Bool = false, _ body: @escaping @Sendable () async -> Void
  ) {
    state.withLock { state in
      state.nextKey += 1
      let key = state.nextKey
      let task = Task { [self] in
        await body()
        self.state.withLock { state in
          state.work[key] = nil
          state.listening.remove(key)
        }
      }
      state.work[key] = task
      if listens { state.listening.insert(key) }
      if state.isClosed { task.cancel() }
      handle?.set(task)
    }
  }

  // MARK: Requests in a session

  private func answerInSession(_ request: HTTPMessage) async throws -> HTTPResponse {
    if let version = request.version, MCPRevision(rawValue: version)?.facts.hasHandshake != true {
      throw Refusal(400, .invalidRequest, "this server does not speak the revision in `\(HTTPHeaderName.revision)`")
    }
    guard configuration.hasSessions else { return try await answerWithoutSession(request) }
    if case .message(.request(let id, Method.initialize, _)) = request.incoming {
      guard request.sessionID == nil else {
        throw Refusal(400, MCPErrorObject(.invalidRequest, "a session begins once"), id: id)
      }
      let session = try begin(request.caller)
      var response = try await respond(request.incoming, [id], session)
      if session.hasBegun {
        response.headers[HTTPHeaderName.session] = session.id
      } else if let entry = state.withLock({ $0.sessions.removeValue(forKey: session.id) }) {
        await end(entry)
      }
      return response
    }
    if request.sessionID == nil, case .message(.request(let id, _, _)) = request.incoming {
      let error = MCPErrorObject(.invalidParams, "the request is in no session and does not describe itself in `_meta`")
      throw Refusal(400, error, id: id)
    }
    let session = try session(request.sessionID, request.caller)
    session.use()
    if case .batch = request.incoming, !session.revision.facts.takesBatches {
      throw Refusal(400, .invalidRequest, "this revision has no arrays of messages")
    }
    let ids = request.ids
    guard !ids.isEmpty else {
      try await session.take(request.incoming)
      return HTTPResponse(status: 202)
    }
    return try await respond(request.incoming, ids, session)
  }

  private func respond(
    _ incoming: MCPIncoming, _ ids: [MCPRequestID], _ session: HTTPSession
  ) async throws -> HTTPResponse {
    let (key, opening): (String, Settlement<HTTPSession.Opening>)
    do {
      (key, opening) = try await session.take(incoming, ids: ids)
    } catch let error as MCPErrorObject {
      throw Refusal(400, error, id: ids.first)
    }
    let first: HTTPSession.Opening
    do {
      first = try await opening.value()
    } catch let error as MCPError where error.code == .connectionClosed {
      if state.withLock({ $0.isClosed }) { throw Refusal(503, .internalError, "the server is stopping") }
      throw Refusal(404, .invalidRequest, "the session has ended; begin another with `initialize`")
    }
    switch first {
    case .answer(let message): return Self.json(message)
    // A status must come, and no message may.
    case .nothing: return Self.stream(HTTPBody([]))
    case .stream:
      guard let body = session.body(of: key) else { throw Refusal(500, .internalError, "the stream is gone") }
      return Self.stream(body)
    }
  }

  private func begin(_ caller: MCPCaller) throws -> HTTPSession {
    endIdleSessions()
    let id = RandomBytes.make(count: 16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let session = HTTPSession(id: id, caller: caller, clock: server.clock, settings: configuration)
    let (agreement, connection) = server.connect(session, caller: caller)
    session.attach(agreement)
    let server = server
    let isIn = state.withLock { state -> Bool in
      guard !state.isClosed, state.sessions.count < configuration.sessionLimit else { return false }
      let serving = Task {
        let listener = server.follow(agreement, connection)
        await connection.run()
        server.changes.remove(listener)
      }
      state.sessions[id] = Entry(session: session, serving: serving)
      return true
    }
    guard isIn else { throw Refusal(503, .internalError, "there are too many sessions; try again later") }
    return session
  }

  private func endIdleSessions() {
    let limit = server.clock.now() - configuration.sessionLifetime
    let idle = state.withLock { state -> [Entry] in
      // Looked through now and then, not at each of many requests.
      guard state.nextLook <= server.clock.now() else { return [] }
      state.nextLook = server.clock.now() + configuration.sessionLifetime / 16
      let idle = state.sessions.values.filter { $0.session.lastUse < limit && !$0.session.isBusy }
      for entry in idle { state.sessions[entry.session.id] = nil }
      return idle
    }
    for entry in idle { run { await self.end(entry) } }
  }

  /// A request of a client with a handshake, where sessions are not kept: what the handshake would have settled is taken
  /// from the request's header.
  private func answerWithoutSession(_ request: HTTPMessage) async throws -> HTTPResponse {
    guard case .message(let message) = request.incoming else {
      throw Refusal(400, .invalidRequest, "this server takes no arrays of messages")
    }
    guard case .request(let id, let method, let params) = message else { return HTTPResponse(status: 202) }
    let (server, session) = (server, ServerSession())
    let output = Locked<[MCPMessage]>([])
    let revision = request.version.flatMap(MCPRevision.init(rawValue:)) ?? .ofUnnamedRequests
    do {
      let result: JSONObject
      if method == Method.initialize {
        result = try server.initialize(params ?? [:], session).result
      } else {
        result = try await server.answer(
          ServerCall(
            id: id, method: method, params: params ?? [:], revision: revision, client: MCPClientCapabilities(),
            clientInfo: nil, caller: request.caller,
            channel: ServerCall.Channel(
              notify: { method, params in output.withLock { $0.append(.notification(method: method, params: params)) }
              },
              ask: { _, _ in throw MCPErrorObject(.invalidRequest, "this server cannot ask: it keeps no sessions") },
              disconnect: nil, listeners: listeners),
            logLevel: .debug, session: session))
      }
      output.withLock { $0.append(.result(id, result)) }
    } catch {
      if error is CancellationError { throw error }
      output.withLock { $0.append(.failure(id, MCPErrorObject(answering: error))) }
    }
    let messages = output.withLock { $0 }
    if messages.count == 1 { return Self.json(messages[0]) }
    return Self.stream(HTTPBody(chunks: messages.map { EventText.event($0) }))
  }
}

/// A task that is not there yet and may have to be cancelled before it is.
private final class WorkHandle: Sendable {
  private let state = Locked<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

  func set(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
