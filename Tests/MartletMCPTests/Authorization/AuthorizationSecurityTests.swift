import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct AuthorizationSecurityTests {
  private func scene(_ change: (inout AuthorizationScene.Setting) -> Void) -> AuthorizationScene {
    var setting = AuthorizationScene.Setting()
    change(&setting)
    return AuthorizationScene(setting)
  }

  private func code(_ scene: AuthorizationScene) async throws -> AuthorizationError.Code? {
    try await SceneClient(scene).failure()?.code
  }

  @Test(arguments: [
    "http://mcp.example.com/mcp", "http://10.0.0.1/mcp", "mcp.example.com", "https://user@mcp.example.com",
  ])
  func `a server without encryption gets no authorizer`(url: String) {
    #expect { try OAuthAuthorizer(server: url, transport: AuthorizationScene()) } throws: { error in
      (error as? AuthorizationError)?.code == .unsafeAddress
    }
  }

  @Test(arguments: [
    "http://auth.example.com", "https://127.0.0.1:8080", "https://localhost", "https://169.254.169.254",
    "https://10.0.0.5/tenant", "https://[::1]", "https://metadata.google.internal", "file:///etc/passwd",
    "https://auth.example.com@127.0.0.1",
  ])
  func `a public server cannot send its client inside, or into the clear`(issuer: String) async throws {
    let scene = scene { $0.issuer = issuer }
    #expect(try await code(scene) == .unsafeAddress)
    #expect(!scene.requests.contains { !$0.contains("mcp.example.com") })
  }

  @Test(arguments: ["authorization_endpoint", "token_endpoint", "registration_endpoint"])
  func `endpoints are checked as issuers are`(name: String) async throws {
    for url in ["http://auth.example.com/x", "https://192.168.0.1/x", "javascript:alert(1)"] {
      let scene = scene { $0.serverMetadata = [name: .string(url)] }
      #expect(try await code(scene) == .unsafeAddress)
      #expect(scene.tokenRequests.isEmpty && scene.authorizations.isEmpty)
    }
  }

  @Test func `the URL of the metadata is checked before it is asked for`() async throws {
    let scene = scene {
      $0.metadataPath = ".evil.example.com@127.0.0.1/x"
    }
    #expect(try await code(scene) == .unsafeAddress)
  }

  @Test func `redirects of metadata are not followed`() {
    #expect(OAuthRequest.metadata("https://a.example").redirects == .deliver)
  }

  @Test(arguments: [nil, [], ["plain"]] as [[String]?])
  func `without PKCE nothing is begun`(methods: [String]?) async throws {
    let scene = scene { $0.challengeMethods = methods }
    #expect(try await code(scene) == .pkceUnsupported)
    #expect(scene.registrations.isEmpty && scene.authorizations.isEmpty)
  }

  @Test(arguments: [
    ("code=x&state=other", AuthorizationError.Code.invalidCallback), ("code=x&code=y", .invalidCallback),
    ("", .invalidCallback),
    ("code=%zz", .invalidCallback), ("error=access_denied", .denied),
    ("error=access_denied&iss=https%3A%2F%2Fevil.example.com", .issuerMismatch), ("code=", .invalidCallback),
  ])
  func `a redirect that is not the answer is refused`(query: String, expected: AuthorizationError.Code) async throws {
    let scene = scene { $0.redirectQuery = query }
    #expect(try await code(scene) == expected)
    #expect(scene.tokenRequests.isEmpty)
  }

  @Test func `a redirect without a state is refused`() throws {
    let metadata = try AuthorizationServerMetadata(["issuer": "https://a.example"], of: "https://a.example")
    for url in ["http://localhost/callback", "http://localhost/callback?code=x", "code=x&state="] {
      #expect(throws: AuthorizationError.self) {
        try AuthorizationCallback.code(in: url, state: "secret", server: metadata)
      }
    }
    let good = "http://localhost/callback?code=a%2Fb&state=secret#fragment"
    #expect(try AuthorizationCallback.code(in: good, state: "secret", server: metadata) == "a/b")
  }

  @Test func `a server that fails is not taken for one without metadata`() async throws {
    let base = AuthorizationScene()
    struct Failing: HTTPTransport {
      let base: AuthorizationScene
      func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        request.url.contains("well-known") ? HTTPResponse(status: 502) : try await base.send(request)
      }
    }
    let authorizer = try OAuthAuthorizer(
      server: base.serverURL, transport: Failing(base: base),
      userAgent: HeadlessUserAgent(transport: base, redirectURI: "http://localhost:3000/callback"))
    await #expect {
      try await authorizer.signIn()
    } throws: { error in
      (error as? AuthorizationError)?.code == .unreachable
    }
    #expect(base.registrations.isEmpty)
  }

  @Test func `named metadata that is not there is no reason to guess`() async throws {
    let scene = scene {
      $0.metadataPath = "/missing.json"
      $0.issuer = "https://mcp.example.com"
    }
    scene.change { $0.metadataPath = nil }
    let client = try SceneClient(scene)
    let response = HTTPResponse(
      status: 401,
      headers: ["www-authenticate": #"Bearer resource_metadata="https://mcp.example.com/missing.json""#])
    await #expect {
      _ = try await client.authorizer.recover(
        HTTPRequest(.post, scene.serverURL), from: response, attempts: AuthorizationAttempts())
    } throws: { error in
      (error as? AuthorizationError)?.code == .discoveryFailed
    }
  }

  /// Whatever a server answers, nothing secret may show in what is thrown.
  @Test func `errors hold no token, code or secret, and nothing that servers say`() async throws {
    let failures: [(Int, String)] = [
      (400, #"{"error":"invalid_grant","error_description":"the code SECRET-WORDS is used"}"#),
      (400, #"{"error":"SECRET WORDS with spaces"}"#), (500, "SECRET-WORDS"), (200, #"{"token":"SECRET-WORDS"}"#),
      (200, "SECRET-WORDS"), (401, #"{"error":"invalid_client","error_uri":"SECRET-WORDS"}"#),
      (200, #"{"access_token":"SECRET-WORDS","token_type":"mac"}"#),
    ]
    for (status, body) in failures {
      let scene = scene {
        $0.tokenFailure = (status, body)
        $0.preRegistered = ("given", "SECRET-WORDS")
        $0.methods = ["client_secret_post"]
      }
      let configuration = OAuthConfiguration(client: OAuthClient(id: "given", proof: .secret("SECRET-WORDS")))
      let failure = try #require(try await SceneClient(scene, configuration).failure())
      var shown = "\(failure) \(failure.message) \(failure.serverCode ?? "")"
      dump(configuration, to: &shown)
      #expect(!shown.contains("SECRET"))
      #expect(!shown.contains(scene.tokenRequests.first?["code"] ?? "SECRET"))
    }
  }

  @Test func `values with secrets print without them`() throws {
    let token = try OAuthToken(
      ["access_token": "SECRET", "token_type": "Bearer", "refresh_token": "SECRET"], at: Timestamp(milliseconds: 0))
    let registration = try ClientRegistration(
      ["client_id": "id", "client_secret": "SECRET"], issuer: "https://a.example", redirectURI: "http://localhost/")
    var shown = "\(token) \(registration) \(registration.client)"
    dump(token, to: &shown)
    dump(registration, to: &shown)
    dump(registration.client, to: &shown)
    #expect(!shown.contains("SECRET"))
  }

  /// Servers that answer anything: the client ends with an error or a token, and sends no secret to an unknown place.
  @Test func `any metadata is read to an end`() async throws {
    let start: UInt64 = 0x0C0F_FEE0
    let junk: [JSONValue] = [
      nil, true, 7, -1e300, "", "x", "https://auth.example.com", "http://127.0.0.1", [], ["S256"], [1, nil], [:],
      ["a": ["b": []]], .string(String(repeating: "a", count: 5_000)), "\u{0}\r\n", "https://[",
    ]
    let names = [
      "issuer", "authorization_endpoint", "token_endpoint", "registration_endpoint", "scopes_supported",
      "token_endpoint_auth_methods_supported", "code_challenge_methods_supported",
      "client_id_metadata_document_supported", "authorization_response_iss_parameter_supported",
    ]
    for round in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed: start + round)
      var changes: JSONObject = [:]
      for _ in 0..<Int.random(in: 1...3, using: &generator) { changes[generator.pick(names)] = generator.pick(junk) }
      let given = changes
      let scene = scene { $0.serverMetadata = given }
      let client = try SceneClient(scene)
      let failure = await client.failure()
      #expect(failure != nil || scene.checks.contains("valid-bearer-token"), "seed \(start + round)")
      #expect(
        scene.requests.allSatisfy {
          $0.contains(" https://mcp.example.com/") || $0.contains(" https://auth.example.com")
        },
        "seed \(start + round)")
    }
  }

  /// The same for bytes: documents, tokens and registrations with flipped bytes.
  @Test func `any bytes of a server are read to an end`() throws {
    let start: UInt64 = 0x0DEC_AF00
    let seeds = [
      #"{"resource":"https://a.example/mcp","authorization_servers":["https://b.example"],"scopes_supported":["x"]}"#,
      #"{"issuer":"https://b.example","token_endpoint":"https://b.example/t","code_challenge_methods_supported":["S256"]}"#,
      #"{"access_token":"abc","token_type":"Bearer","expires_in":3600,"refresh_token":"def","scope":"a b"}"#,
      #"{"client_id":"c","client_secret":"s","client_secret_expires_at":0}"#,
    ]
    for round in 0..<4_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: start + round)
      var bytes = Array(generator.pick(seeds).utf8)
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        if generator.chance(0.2) {
          bytes.remove(at: index)
        } else {
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      _ = try? ProtectedResourceMetadata(value)
      _ = try? AuthorizationServerMetadata(value, of: "https://b.example")
      if let token = try? OAuthToken(value, at: Timestamp(milliseconds: 0)) {
        #expect(token.access.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "seed \(start + round)")
        #expect(OAuthToken(stored: token.document) == token, "seed \(start + round)")
      }
      _ = try? ClientRegistration(value, issuer: "https://b.example", redirectURI: "http://localhost/")
      _ = OAuthGrant(stored: value)
    }
  }
}
