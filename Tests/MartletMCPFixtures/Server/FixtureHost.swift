#if os(Linux)
  import MartletHTTP
  package import MartletHTTPServer
  package import MartletMCP

  /// The fixture's server over HTTP, at `/mcp`.
  package enum FixtureHost {
    /// Routes to a handler.
    package static func routes(_ handler: MCPHTTPHandler) -> [HTTPRoute] {
      [HTTPRequest.Method.post, .get, .delete].map { method in
        HTTPRoute(method, "/mcp") { await handler.respond(to: $0.method, headers: $0.headers, body: $0.body) }
      }
    }

    /// Serves until the task is cancelled.
    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - hasSessions: whether clients with a handshake get sessions.
    ///   - onStart: told the URL.
    package static func serve(
      _ server: MCPServer, port: UInt16, hasSessions: Bool, onStart: (String) -> Void
    ) async throws {
      let handler = MCPHTTPHandler(server, configuration: .init(hasSessions: hasSessions))
      try await HTTPServer.withServer(.init(port: port), routes: routes(handler)) { network in
        onStart(network.url + "/mcp")
        do {
          while true { try await Task.sleep(for: .seconds(3_600)) }
        } catch {
          await handler.close()
          throw error
        }
      }
    }
  }
#endif
