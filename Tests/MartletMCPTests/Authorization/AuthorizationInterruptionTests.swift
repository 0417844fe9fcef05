import Martlet
import MartletHTTP
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

/// A flow that is stopped or fails at any of its requests: it ends at once, leaves nothing open, and the next call works.
@Suite struct AuthorizationInterruptionTests {
  /// Fails or holds up the request of a number, and counts redirects that are waited for.
  final class Trap: HTTPTransport, AuthorizationUserAgent {
    enum Kind: Sendable { case hold(Gate), fail, garble, none }

    let scene: AuthorizationScene
    let kind: Locked<Kind>
    let index: Int
    let count = Locked(0)
    let open = Locked(0)

    init(_ scene: AuthorizationScene, at index: Int, _ kind: Kind) {
      self.scene = scene
      self.index = index
      self.kind = Locked(kind)
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let number = count.withLock { count -> Int in
        defer { count += 1 }
        return count
      }
      if number == index {
        switch kind.withLock({ $0 }) {
        case .hold(let gate): try await gate.waitUnlessCancelled()
        case .fail: throw HTTPError(.connectionLost, "it broke")
        case .garble: return HTTPResponse(status: 200, body: HTTPBody(chunks: [[0xFF, 0x00], Array("{\"".utf8)]))
        case .none: break
        }
      }
      return try await scene.send(request)
    }

    func begin(preferred: String?) -> any AuthorizationRedirect {
      open.withLock { $0 += 1 }
      return Redirect(trap: self)
    }

    private struct Redirect: AuthorizationRedirect {
      let trap: Trap
      let uri = "http://localhost:3000/callback"

      func authorize(at url: String) async throws -> String {
        let response = try await trap.send(HTTPRequest(.get, url))
        guard let location = response.headers["location"] else { throw AuthorizationError(.invalidCallback, "none") }
        return location
      }

      func end() { trap.open.withLock { $0 -= 1 } }
    }
  }

  /// The requests of a flow: two documents, a registration, a page, a token; and the server's own before and after.
  static let requests = 7

  private func transport(_ trap: Trap) throws -> AuthorizedTransport {
    let authorizer = try OAuthAuthorizer(server: trap.scene.serverURL, transport: trap, userAgent: trap)
    return AuthorizedTransport(trap, authorizer: authorizer)
  }

  private func request(_ trap: Trap) -> HTTPRequest { HTTPRequest(.post, trap.scene.serverURL, body: .bytes([])) }

  @Test func `a whole flow has so many requests`() async throws {
    let trap = Trap(AuthorizationScene(), at: -1, .none)
    #expect(try await transport(trap).send(request(trap)).status == 200)
    #expect(trap.count.withLock { $0 } == Self.requests)
    #expect(trap.open.withLock { $0 } == 0)
  }

  @Test(arguments: 0..<requests)
  func `cancelled at any request`(index: Int) async throws {
    let gate = Gate()
    let trap = Trap(AuthorizationScene(), at: index, .hold(gate))
    let transport = try transport(trap)
    let call = Task { try await transport.send(request(trap)).status }
    await gate.arrived()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(trap.open.withLock { $0 } == 0)
    #expect(trap.count.withLock { $0 } == index + 1)
    #expect(try await transport.send(request(trap)).status == 200)
    #expect(trap.open.withLock { $0 } == 0)
    #expect(trap.scene.problems.isEmpty)
  }

  @Test(arguments: 0..<requests, [Trap.Kind.fail, .garble])
  func `broken or garbled at any request`(index: Int, kind: Trap.Kind) async throws {
    let trap = Trap(AuthorizationScene(), at: index, kind)
    let transport = try transport(trap)
    // The first answer fails the call, or is as good as none, or is the caller's.
    _ = try? await transport.send(request(trap))
    #expect(trap.open.withLock { $0 } == 0)
    #expect(try await transport.send(request(trap)).status == 200)
    #expect(trap.open.withLock { $0 } == 0)
    #expect(trap.scene.problems.isEmpty)
  }

  @Test func `a flow refuses facts that it does not wait for`() throws {
    let origin = AuthorizationFlow.Origin(
      server: try #require(WebAddress("https://mcp.example.com/mcp")), serverText: "https://mcp.example.com/mcp",
      challenge: nil, held: ScopeSet(), isStepUp: false, boundIssuer: nil, canAsk: true)
    let now = Timestamp(milliseconds: 0)
    let facts: [AuthorizationFlow.Fact] = [
      .response(status: 200, body: []), .client(nil), .kept, .redirectReady(uri: "http://localhost/"),
      .callback("http://localhost/?code=x"), .statement("x"),
    ]
    for fact in facts {
      var flow = AuthorizationFlow(origin, configuration: OAuthConfiguration(), secrets: FlowSecrets())
      #expect(throws: AuthorizationError.self) { try flow.apply(fact, at: now) }
      // It goes on with the right one.
      guard case .fetch(let request) = try flow.apply(.begun, at: now) else {
        Issue.record("not the first request")
        continue
      }
      #expect(request.url == "https://mcp.example.com/.well-known/oauth-protected-resource/mcp")
      #expect(throws: AuthorizationError.self) { try flow.apply(.begun, at: now) }
    }
  }

  /// The example of RFC 7636, appendix B.
  @Test func `the challenge of a verifier`() {
    let secrets = FlowSecrets(
      state: "", verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", statementID: "")
    #expect(secrets.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }
}
