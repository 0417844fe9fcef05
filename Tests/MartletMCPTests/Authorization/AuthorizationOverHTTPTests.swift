#if os(Linux)
  import Martlet
  import MartletHTTP
  import MartletHTTPServer
  import MartletJSON
  import MartletSync
  import Testing

  @testable import MartletMCP

  /// The main flow over real connections.
  @Suite struct AuthorizationOverHTTPTests {
    @Test(arguments: [false, true])
    func `from the first refusal to the answer, and a renewal, over HTTP`(bindsTokens: Bool) async throws {
      let scene = AuthorizationScene()
      let base = Locked("")
      let handler: HTTPRoute.Handler = { request in
        let body = try await request.body.bytes(limit: 1 << 20)
        return scene.answer(request.method, base.withLock { $0 } + request.target, request.headers, body)
      }
      let routes = [HTTPRoute(.get, "/{path...}", handler: handler), HTTPRoute(.post, "/{path...}", handler: handler)]
      try await HTTPServer.withServer(routes: routes) { server in
        base.withLock { $0 = server.url }
        scene.change {
          $0.resourceBase = server.url
          $0.issuer = server.url
          $0.issuesRefreshTokens = true
          $0.bindsTokens = bindsTokens
          $0.needsNonce = bindsTokens
          $0.challengeScope = "mcp:basic"
          $0.requiredScopes = ["mcp:basic"]
        }
        let time = Locked(Timestamp(milliseconds: 1_800_000_000_000))
        let network = SystemTransport()
        let authorizer = try OAuthAuthorizer(
          server: scene.serverURL, configuration: OAuthConfiguration(bindsTokens: bindsTokens), transport: network,
          userAgent: HeadlessUserAgent(transport: network, redirectURI: "http://localhost:3000/callback"),
          now: { time.withLock { $0 } })
        let transport = AuthorizedTransport(network, authorizer: authorizer)
        let request = HTTPRequest(.post, scene.serverURL, body: .bytes(Array(#"{"method":"tools/list"}"#.utf8)))
        for _ in 0..<2 {
          let response = try await transport.send(request)
          #expect(response.status == 200)
          #expect(try await response.body.bytes(limit: 100) == Array(#"{"ok":true}"#.utf8))
          time.withLock { $0.milliseconds += 3_600_000 }
        }
        #expect(scene.problems.isEmpty)
        #expect(AuthorizationScenarioTests.common.isSubset(of: scene.checks))
        #expect(scene.checks.contains("refresh-token-grant-received"))
        #expect(scene.authorizations.count == 1)
        await network.shutdown()
      }
    }
  }
#endif
