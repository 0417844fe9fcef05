#if os(Linux)
  import MartletHTTP
  import MartletHTTPServer
  import MartletSync

  /// Servers on ports of this machine that are answered for by one function, which sees whole URLs.
  enum LocalServers {
    typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

    /// Runs `body` with as many servers, by their origins (`http://localhost:PORT`), and stops them afterwards.
    static func with<Result>(
      _ count: Int, answer: @escaping Answer, _ body: (_ origins: [String]) async throws -> Result
    ) async throws -> Result {
      var servers: [HTTPServer] = []
      do {
        for _ in 0..<count { servers.append(try start(answer)) }
        let result = try await body(servers.map { "http://localhost:\($0.port)" })
        for server in servers { await server.stop(grace: .zero) }
        return result
      } catch {
        for server in servers { await server.stop(grace: .zero) }
        throw error
      }
    }

    private static func start(_ answer: @escaping Answer) throws -> HTTPServer {
      let port = Locked<UInt16>(0)
      let handler: HTTPRoute.Handler = { request in
        let origin = "http://localhost:\(port.withLock { $0 })"
        let body = try await request.body.bytes(limit: 1 << 22)
        return try await answer(
          HTTPRequest(request.method, origin + request.target, headers: request.headers, body: .bytes(body)))
      }
      let server = try HTTPServer(
        routes: [HTTPRequest.Method.get, .post, .delete].map { HTTPRoute($0, "/{path...}", handler: handler) })
      port.withLock { $0 = server.port }
      return server
    }
  }
#endif
