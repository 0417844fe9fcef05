#if os(Linux)
  import MartletHTTP
  import MartletHTTPServer
  import MartletMCP

  /// Lets the user agree in a browser, and catches the redirect on this machine (RFC 8252, 7.3).
  struct LoopbackUserAgent: AuthorizationUserAgent {
    /// Shows the user a page.
    let show: @Sendable (_ url: String) async throws -> Void
    /// How long the user may take.
    var timeout: Duration = .seconds(300)
    var clock: any Clock<Duration> = ContinuousClock()

    static let path = "/callback"

    /// Listens on the port that was used before, where that is free: some servers insist on it.
    func begin(preferred: String?) async throws -> any AuthorizationRedirect {
      let catcher = RedirectCatcher()
      let server: HTTPServer
      do {
        server = try Self.listen(port: preferred.flatMap(Self.port) ?? 0, catcher)
      } catch is HTTPServerError where preferred != nil {
        server = try Self.listen(port: 0, catcher)
      }
      return LoopbackRedirect(server: server, catcher: catcher, show: show, timeout: timeout, clock: clock)
    }

    private static func listen(port: UInt16, _ catcher: RedirectCatcher) throws -> HTTPServer {
      var configuration = HTTPServer.Configuration(port: port)
      configuration.headLimit = 16 << 10
      configuration.bodyLimit = 0
      configuration.connectionLimit = 16
      return try HTTPServer(configuration, routes: [HTTPRoute(.get, path) { catcher.answer($0) }])
    }

    /// The port of a redirect to this machine.
    private static func port(_ uri: String) -> UInt16? {
      let start = "http://127.0.0.1:"
      guard uri.hasPrefix(start), uri.hasSuffix(path) else { return nil }
      return UInt16(uri.dropFirst(start.count).dropLast(path.count))
    }
  }

  /// A server that waits for one redirect.
  private struct LoopbackRedirect: AuthorizationRedirect {
    let server: HTTPServer
    let catcher: RedirectCatcher
    let show: @Sendable (_ url: String) async throws -> Void
    let timeout: Duration
    let clock: any Clock<Duration>

    var uri: String { server.url + LoopbackUserAgent.path }

    func authorize(at url: String) async throws -> String {
      catcher.expect(stateOf: url)
      try await show(url)
      let target = try await withThrowingTaskGroup(of: String.self) { group in
        group.addTask { try await catcher.target() }
        group.addTask { [timeout, clock] in
          try await clock.sleep(for: timeout)
          throw AuthorizationError(
            .interactionRequired, "Nobody agreed in the browser within \(timeout.components.seconds) s.")
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
      }
      return server.url + target
    }

    func end() async { await server.stop(grace: .milliseconds(500)) }
  }
#endif
