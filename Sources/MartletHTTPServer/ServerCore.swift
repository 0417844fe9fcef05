#if os(Linux)
  import CMicroHTTPD
  import Glibc
  import MartletHTTP
  import MartletSync

  /// What the callbacks of libmicrohttpd, the thread that watches for clients that hang up, and the server share.
  final class ServerCore: Sendable {
    private struct State {
      var exchanges: [ObjectIdentifier: ServerExchange] = [:]
      var connections: [UInt64: ServerConnection] = [:]
      var nextToken: UInt64 = 1
      var isStopping = false
      var idleWaiters: [CheckedContinuation<Void, Never>] = []
    }

    let configuration: HTTPServer.Configuration
    private let routes: [HTTPRoute]
    private let watcher: Int32
    private let waker: Int32
    private let state = Locked(State())

    init(_ configuration: HTTPServer.Configuration, routes: [HTTPRoute]) throws(HTTPServerError) {
      self.configuration = configuration
      self.routes = routes
      watcher = cmhd_watcher_create()
      waker = watcher < 0 ? -1 : cmhd_watcher_add_waker(watcher)
      guard waker >= 0 else {
        let reason = String(cString: strerror(errno))
        if watcher >= 0 { Glibc.close(watcher) }
        throw HTTPServerError(.unavailable, "The server cannot start: \(reason).")
      }
    }

    deinit {
      Glibc.close(watcher)
      Glibc.close(waker)
    }

    // MARK: Connections

    func open(_ descriptor: Int32) -> ServerConnection {
      let connection = state.withLock { state in
        let connection = ServerConnection(token: state.nextToken, descriptor: descriptor)
        state.connections[state.nextToken] = connection
        state.nextToken += 1
        return connection
      }
      _ = cmhd_watcher_add(watcher, descriptor, connection.token)
      return connection
    }

    func close(_ connection: ServerConnection) {
      cmhd_watcher_remove(watcher, connection.descriptor)
      state.withLock { $0.connections[connection.token] = nil }
    }

    /// Until the server has stopped, tells exchanges that their client has hung up, for libmicrohttpd does not look at a
    /// connection that is suspended, and ends connections whose request does not come, for it counts silence only.
    fileprivate func watch() {
      var tokens = [UInt64](repeating: 0, count: 64)
      let patience = max(.milliseconds(10), configuration.headTimeout)
      let interval = Int32(max(1, min(patience / .milliseconds(4), 60_000)))
      var lastLook = ContinuousClock.now
      while true {
        let count = Int(cmhd_watcher_wait(watcher, &tokens, Int32(tokens.count), interval))
        let now = ContinuousClock.now
        if now - lastLook >= .milliseconds(Int(interval)) {
          lastLook = now
          endOverdue(waitingSince: now - patience)
        }
        for token in tokens.prefix(count) {
          if token == 0 { return }
          state.withLock { $0.connections[token] }?.hangUp()
        }
      }
    }

    private func endOverdue(waitingSince time: ContinuousClock.Instant) {
      // Within the lock a connection that is listed is not closed yet, so its descriptor is its own.
      state.withLock { state in
        for connection in state.connections.values where connection.isWaiting(since: time) {
          cmhd_shut_down(connection.descriptor)
        }
      }
    }

    func startWatching() throws(HTTPServerError) {
      var thread = pthread_t()
      let this = Unmanaged.passRetained(self)
      let result = pthread_create(&thread, nil, watchForHangUps, this.toOpaque())
      guard result == 0 else {
        this.release()
        throw HTTPServerError(.unavailable, "The server cannot start a thread: \(String(cString: strerror(result))).")
      }
      pthread_detach(thread)
    }

    func stopWatching() { cmhd_wake(waker) }

    // MARK: Exchanges

    func begin(_ exchange: ServerExchange) {
      state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange }
      exchange.connection?.begin(exchange)
    }

    /// After the daemon's part and after the task's part; the second one ends it.
    func endPart(of exchange: ServerExchange) {
      guard exchange.isOver else { return }
      exchange.connection?.end(exchange)
      let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        state.exchanges[ObjectIdentifier(exchange)] = nil
        guard state.exchanges.isEmpty else { return [] }
        defer { state.idleWaiters = [] }
        return state.idleWaiters
      }
      for waiter in waiters { waiter.resume() }
    }

    var exchangeCount: Int { state.withLock { $0.exchanges.count } }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// From now on every answer closes its connection.
    func beginStopping() { state.withLock { $0.isStopping = true } }

    func cancelAll() { for exchange in state.withLock({ Array($0.exchanges.values) }) { exchange.cancel() } }

    /// Returns when no exchange is under way.
    func waitUntilIdle() async {
      await withCheckedContinuation { continuation in
        let isIdle = state.withLock { state in
          if !state.exchanges.isEmpty { state.idleWaiters.append(continuation) }
          return state.exchanges.isEmpty
        }
        if isIdle { continuation.resume() }
      }
    }

    // MARK: Answers

    /// Begins to answer a request whose head is here. The answer, if no handler is needed for it.
    func answer(_ exchange: ServerExchange, method: String, headers: HTTPHeaders) -> HTTPResponse? {
      exchange.connection?.headIsComplete()
      if let length = headers["content-length"].flatMap({ Int($0) }), length > configuration.bodyLimit {
        return configuration.failure(HTTPStatusError(413, "The body of the request is too large."))
      }
      let target = RequestTarget(exchange.target)
      guard let path = target.path else {
        return configuration.failure(HTTPStatusError(400, "The path of the request is not valid."))
      }
      var headers = headers
      if let authority = target.authority { headers["host"] = String(authority) }
      let fitting = routes.compactMap { route in RoutePattern.match(route.segments, path).map { (route, $0) } }
      let method = HTTPRequest.Method(rawValue: method)
      guard
        let (route, parameters) = fitting.first(where: { $0.0.method == method })
          ?? (method == .head ? fitting.first { $0.0.method == .get } : nil)
      else {
        if fitting.isEmpty { return configuration.failure(HTTPStatusError(404, "There is nothing at this path.")) }
        let allowed = fitting.map(\.0.method.rawValue).joined(separator: ", ")
        return configuration.failure(
          HTTPStatusError(405, "This path takes \(allowed).", headers: ["allow": allowed]))
      }
      exchange.run { [self, headers] exchange in
        await respond(to: exchange, route, method, target, headers, parameters)
      } whenDone: { [self, exchange] in
        endPart(of: exchange)
      }
      return nil
    }

    private func respond(
      to exchange: ServerExchange, _ route: HTTPRoute, _ method: HTTPRequest.Method,
      _ target: RequestTarget, _ headers: HTTPHeaders, _ parameters: [String: String]
    ) async {
      let response: HTTPResponse
      do {
        response = try await route.handler(
          HTTPServerRequest(
            method: method, target: String(target.origin), query: target.query, headers: headers,
            parameters: parameters, body: HTTPBody(UploadSource(exchange))))
      } catch {
        response = configuration.failure(error)
      }
      exchange.respond(response)
      guard response.body.buffered == nil else { return }
      do {
        for try await chunk in response.body { try await exchange.write(chunk) }
        exchange.endBody(nil)
      } catch {
        exchange.endBody(error)
      }
    }
  }

  private func watchForHangUps(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<ServerCore>.fromOpaque(context).takeRetainedValue().watch()
    return nil
  }
#endif
