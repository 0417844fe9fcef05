public import MartletJSON
import MartletSync

/// A client of one server.
///
/// Connects when it is first needed, finds out by itself which revision the server speaks, and connects anew when the
/// server has ended. Requests may be made at the same time; cancelling the task of one cancels it at the server. End it
/// with ``close()``; one that is merely dropped ends its server without waiting for that.
///
/// ```swift
/// let client = MCPClient(StdioTransport("uvx", ["mcp-server-time"]))
/// let tools = try await client.tools()
/// let result = try await client.call("get_current_time", ["timezone": "Europe/Oslo"])
/// print(result.text)
/// await client.close()
/// ```
public actor MCPClient {
  private enum State {
    case idle
    case connecting(Settlement<ClientSession>, Task<Void, Never>)
    case ready(ClientSession)
    case closed
  }

  /// How it behaves.
  public nonisolated let configuration: Configuration
  private let transport: any MCPTransport
  let clock: PeerClock
  private var state = State.idle
  /// What worked last time.
  private var knownRevision: MCPRevision?
  /// Why connecting did not work last time.
  private var lastFailure: MCPError?
  /// When the server had to be started again.
  private var restarts: [Duration] = []

  nonisolated let cache = ResultCache()
  nonisolated let hub = NotificationHub()
  nonisolated let listeners = ListenerTable()
  /// Tools by name, from the last list.
  var knownTools: [String: KnownTool] = [:]
  var hasListedTools = false
  /// Resources watched by subscription (legacy), with how often each is wanted.
  nonisolated let watched = Locked<[String: Int]>([:])
  /// The connection there is, for what must be told to the server without waiting.
  nonisolated let current = Locked<ClientSession?>(nil)

  /// A client over a transport, which it owns from now on. Nothing is started yet.
  public init(_ transport: any MCPTransport, configuration: Configuration = Configuration()) {
    self.transport = transport
    self.configuration = configuration
    clock = PeerClock(configuration.clock)
  }

  deinit {
    // Ends what reads and writes, and with it the last hold on the transport: the connection's handlers hold `current`,
    // which holds the connection.
    current.withLock { $0 = nil }
    if case .ready(let session) = state { session.running.cancel() }
  }

  /// Connects, unless it is connected, and tells what the server says about itself.
  /// - Throws: ``MCPError``: ``MCPError/Code/cannotStart``, ``MCPError/Code/connectionClosed`` with the server's last
  ///   words in ``MCPError/serverOutput``, ``MCPError/Code/timedOut``, ``MCPError/Code/unsupportedRevision``.
  @discardableResult
  public func connect() async throws -> MCPServerInfo { try await session().server }

  /// What the server says about itself; nil while it is not connected.
  public var server: MCPServerInfo? {
    guard case .ready(let session) = state, session.connection.end == nil else { return nil }
    return session.server
  }

  /// What the server tells unasked, from now on.
  public nonisolated func notifications() -> MCPNotifications {
    let subscriber = NotificationSubscriber()
    hub.add(subscriber)
    return MCPNotifications(subscriber: subscriber)
  }

  /// Asks whether the server is there.
  public func ping() async throws {
    try await withSession { session in
      // Where there is no ping, a small question that every server answers.
      let method = session.facts.hasPing ? Method.ping : Method.discover
      _ = try await session.request(method, [:], MCPRequestOptions())
    }
  }

  /// Ends the connection, all requests, and the server if it was started here; waits until nothing is left. The client is
  /// of no more use. May be called again.
  public func close() async {
    let old = state
    state = .closed
    let listening = listeners.endAll()
    switch old {
    case .idle: await transport.close()
    case .closed: break
    case .connecting(let settlement, let task):
      settlement.settle(.failure(Self.closed))
      task.cancel()
      await task.value
      await transport.close()
    case .ready(let session): await end(session)
    }
    hub.end()
    for task in listening { await task.value }
  }

  private static let closed = MCPError(.closed, "the client was closed")

  private func end(_ session: ClientSession) async {
    // The server sees its input end before anything else; what it still says is of no interest.
    session.running.cancel()
    await session.running.value
    await transport.close()
  }

  // MARK: Connecting

  /// The connection to use. Everybody who needs one while it is being made waits for the same one.
  func session() async throws -> ClientSession {
    switch state {
    case .closed: throw Self.closed
    case .connecting(let settlement, _): return try await settlement.value()
    case .ready(let session) where session.connection.end == nil: return session
    case .ready(let session): try countRestart(after: session.connection.end)
    case .idle: if let lastFailure { try countRestart(after: lastFailure) }
    }
    let settlement = Settlement<ClientSession>()
    let old: ClientSession? = if case .ready(let session) = state { session } else { nil }
    // Owned by the state; `close` cancels and awaits it.
    let task = Task {
      if let old { await end(old) }
      do {
        let session = try await establish()
        if !settle(settlement, .success(session)) { await end(session) }
      } catch {
        await transport.close()
        _ = settle(settlement, .failure(error))
      }
    }
    state = .connecting(settlement, task)
    return try await settlement.value()
  }

  /// False if the client was closed meanwhile.
  private func settle(_ settlement: Settlement<ClientSession>, _ result: Result<ClientSession, any Error>) -> Bool {
    guard case .connecting(let current, _) = state, current === settlement else { return false }
    switch result {
    case .success(let session): state = .ready(session)
    case .failure(let error):
      state = .idle
      lastFailure = error as? MCPError
    }
    settlement.settle(result)
    return true
  }

  private func countRestart(after failure: MCPError?) throws {
    let now = clock.now()
    restarts.removeAll { $0 + .seconds(60) < now }
    guard restarts.count < configuration.restartLimit else {
      throw failure ?? Self.closed
    }
    restarts.append(now)
  }

  private func establish() async throws -> ClientSession {
    try await transport.open()
    cache.removeAll()
    if let knownRevision {
      do {
        return try await establish(knownRevision.facts.hasHandshake ? .legacy(knownRevision) : .modern)
      } catch let error as MCPError where error.code != .cannotStart {
        // It may be another server by now.
        self.knownRevision = nil
        await transport.close()
        try await transport.open()
      }
    }
    return try await establish(configuration.revisions)
  }

  private func establish(_ revisions: Revisions) async throws -> ClientSession {
    var negotiation = Negotiation(revisions)
    var (connection, running) = begin()
    do {
      while true {
        try Task.checkCancellation()
        switch negotiation.next {
        case .agreed(let server):
          let session = try await settled(server, connection, running)
          knownRevision = server.revision
          return session
        case .failed(let error): throw error
        case .reopen:
          running.cancel()
          await running.value
          await transport.close()
          do {
            try await transport.open()
            negotiation.take(.reopened)
          } catch let error as MCPError {
            negotiation.take(.failed(error))
          }
          (connection, running) = begin()
        case .fallBack:
          running.cancel()
          await running.value
          do {
            negotiation.take(
              try await transport.fallBack()
                ? .reopened : .failed(MCPError(.cannotStart, "there is no MCP server at this address")))
          } catch let error as MCPError {
            negotiation.take(.failed(error))
          }
          (connection, running) = begin()
        case .discover(let revision):
          // Over HTTP an old server says no; one that is slow, or wants credentials first, is none for that.
          let limit =
            transport.hasStreamPerRequest
            ? max(configuration.timeouts.probe, configuration.timeouts.start / 2) : configuration.timeouts.probe
          negotiation.take(await outcome(of: Method.discover, revision, on: connection, within: limit))
        case .initialize(let revision):
          negotiation.take(
            await outcome(of: Method.initialize, revision, on: connection, within: configuration.timeouts.start))
        }
      }
    } catch {
      running.cancel()
      await running.value
      throw error
    }
  }

  private func begin() -> (PeerConnection, Task<Void, Never>) {
    let (handlers, hub, cache, listeners, current) = (configuration.handlers, hub, cache, listeners, current)
    let connection = PeerConnection(
      transport, clock: clock, context: MCPSendContext(),
      handlers: PeerConnection.Handlers(
        request: { _, method, params in
          if method == Method.ping { return [:] }
          return try await handlers.answer(method, params)
        },
        notification: { method, params in
          let notification = MCPNotification(method: method, params: params)
          cache.invalidate(notification)
          if !listeners.take(method, params, notification) { hub.take(notification) }
        },
        incident: configuration.onIncident, ended: { hub.take(.disconnected($0)) },
        unwanted: { result in
          // The call was cancelled while the server made a task of it.
          guard let id = MCPTask.id(createdBy: result) else { return }
          current.withLock { $0 }?.post(Method.cancelTask, ["taskId": .string(id)])
        }))
    return (connection, Task { await connection.run() })
  }

  private func outcome(
    of method: String, _ revision: MCPRevision, on connection: PeerConnection, within limit: Duration
  ) async -> Negotiation.Outcome {
    let facts = revision.facts
    let capabilities = configuration.handlers.capabilities(facts, extensions: configuration.extensions)
    let params: JSONObject =
      switch facts.era {
      case .modern: ["_meta": .object(meta(revision, capabilities))]
      case .legacy:
        [
          "protocolVersion": .string(revision.rawValue), "capabilities": capabilities.json,
          "clientInfo": configuration.info.json,
        ]
      }
    do {
      return .result(
        try await connection.request(
          method, params, patience: PeerEngine.Patience(silence: limit, total: limit), revision: revision))
    } catch let error as MCPError {
      return .failed(error)
    } catch {
      return .failed(MCPError(.closed, "connecting was cancelled", underlying: error))
    }
  }

  private func meta(_ revision: MCPRevision, _ capabilities: MCPClientCapabilities) -> JSONObject {
    guard !revision.facts.hasHandshake else { return [:] }
    var meta: JSONObject = [
      MetaKey.revision: .string(revision.rawValue), MetaKey.clientInfo: configuration.info.json,
      MetaKey.clientCapabilities: capabilities.json,
    ]
    if let level = configuration.logLevel { meta[MetaKey.logLevel] = .string(level.rawValue) }
    return meta
  }

  private func settled(
    _ server: MCPServerInfo, _ connection: PeerConnection, _ running: Task<Void, Never>
  ) async throws -> ClientSession {
    let facts = server.revision.facts
    connection.agree(on: server.revision)
    let capabilities = configuration.handlers.capabilities(facts, extensions: configuration.extensions)
    let session = ClientSession(
      connection: connection, running: running, server: server, facts: facts,
      meta: meta(server.revision, capabilities), configuration: configuration)
    current.withLock { $0 = session }
    if facts.hasHandshake {
      try await connection.notify(Method.initialized)
      if let level = configuration.logLevel, server.capabilities.hasLogging {
        _ = try await session.request(Method.setLogLevel, ["level": .string(level.rawValue)], MCPRequestOptions())
      }
      for uri in watched.withLock({ $0.keys.sorted() }) {
        _ = try await session.request(Method.subscribe, ["uri": .string(uri)], MCPRequestOptions())
      }
    }
    return session
  }

  // MARK: Requests

  /// Does something over the connection, and once more over a new one if the server has ended the session meanwhile: then
  /// it has not done what it was asked for.
  func withSession<Result: Sendable>(
    _ body: (ClientSession) async throws -> Result
  ) async throws -> Result {
    let session = try await session()
    do {
      return try await body(session)
    } catch let error as MCPError where error.code == .sessionExpired {
      return try await body(try await self.session())
    }
  }

  /// Makes any request, also of an extension, and gives its result as it came.
  /// - Throws: ``MCPError``, `CancellationError`.
  public func request(
    _ method: String, _ params: JSONObject = [:], options: MCPRequestOptions = MCPRequestOptions()
  ) async throws -> JSONObject {
    try await withSession { try await $0.request(method, params, options) }
  }

  /// Sends any notification.
  public func notify(_ method: String, _ params: JSONObject = [:]) async throws {
    try await session().connection.notify(method, params.isEmpty ? nil : params)
  }

  /// Tells the server that what ``MCPClientHandlers/roots`` gives has changed. Nothing is told where servers ask anew
  /// each time.
  public func rootsChanged() async throws {
    let session = try await session()
    if session.facts.serverAsks { try await session.connection.notify(Method.rootsChanged) }
  }

  /// Makes a request whose answer may be used again for a while.
  func cachedRequest(
    _ method: String, _ params: JSONObject, _ options: MCPRequestOptions, on session: ClientSession
  ) async throws -> JSONObject {
    if options.usesCache, let result = cache.result(method, params, now: clock.now()) { return result }
    let epoch = cache.currentEpoch
    let result = try await answered(method, params, options, on: session)
    if !result.hadRounds { cache.keep(result.object, of: method, params, now: clock.now(), epoch: epoch) }
    return result.object
  }
}
