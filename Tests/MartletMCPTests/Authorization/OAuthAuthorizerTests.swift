import Martlet
import MartletHTTP
import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

@Suite struct OAuthAuthorizerTests {
  private func scene(_ change: (inout AuthorizationScene.Setting) -> Void = { _ in }) -> AuthorizationScene {
    var setting = AuthorizationScene.Setting()
    setting.issuesRefreshTokens = true
    change(&setting)
    return AuthorizationScene(setting)
  }

  // MARK: Renewal

  @Test func `a token that ends soon is renewed before it is sent`() async throws {
    let scene = scene()
    let client = try SceneClient(scene)
    try await client.call()
    client.pass(.seconds(3600 - 31))
    try await client.call()
    #expect(scene.tokenRequests.map { $0["grant_type"] } == ["authorization_code"])
    client.pass(.seconds(2))
    try await client.call()
    #expect(scene.tokenRequests.map { $0["grant_type"] } == ["authorization_code", "refresh_token"])
    #expect(scene.authorizations.count == 1)
    // One refusal, at the beginning.
    #expect(scene.requests.filter { $0 == "POST https://mcp.example.com/mcp" }.count == 4)
    #expect(scene.problems.isEmpty)
  }

  @Test func `each refresh token is used once, and an old one stays where no new one comes`() async throws {
    for rotates in [true, false] {
      let scene = scene { $0.rotatesRefreshTokens = rotates }
      let client = try SceneClient(scene)
      for _ in 0..<4 {
        try await client.call()
        client.pass(.seconds(3600))
      }
      let used = scene.tokenRequests.compactMap { $0["refresh_token"] }
      #expect(used.count == 3 && Set(used).count == 3)
      #expect(scene.authorizations.count == 1)
    }
    let scene = scene()
    let client = try SceneClient(scene)
    try await client.call()
    scene.change {
      $0.issuesRefreshTokens = false
      $0.rotatesRefreshTokens = false
    }
    for _ in 0..<3 {
      client.pass(.seconds(3600))
      try await client.call()
    }
    #expect(Set(scene.tokenRequests.compactMap { $0["refresh_token"] }).count == 1)
    #expect(scene.authorizations.count == 1)
  }

  @Test func `a refused token is renewed without anybody, and then by the person`() async throws {
    let scene = scene()
    let client = try SceneClient(scene)
    try await client.call()
    scene.forgetTokens()
    try await client.call()
    #expect(scene.authorizations.count == 1)
    scene.forgetTokens()
    scene.state.withLock { $0.refreshTokens = [:] }
    try await client.call()
    #expect(scene.authorizations.count == 2)
    #expect(scene.registrations.count == 1)
  }

  @Test(arguments: [1, 1_800_000_001, Int.max]) func `a client's secret may end at any time there is`(seconds: Int)
    async throws
  {
    let scene = scene()
    let store = InMemoryTokenStore()
    await store.save(
      ClientRegistration(
        issuer: "https://auth.example.com", clientID: "known", secret: "s", authenticationMethod: "client_secret_post",
        redirectURI: "http://localhost:3000/callback", secretExpiry: seconds))
    _ = try await SceneClient(scene, store: store).failure()
    // One whose secret has ended is registered anew.
    #expect(seconds > 1 || scene.registrations.count == 1)
    #expect(!scene.requests.isEmpty)
  }

  @Test func `asking for more scopes is not settled by a renewal that runs already`() async throws {
    let scene = scene { $0.serverScopes = ["read", "write"] }
    let store = GatedTokenStore()
    let client = try SceneClient(scene, store: store)
    try await client.call()
    client.pass(.seconds(3600 - 10))
    let request = HTTPRequest(.post, scene.serverURL)
    let token = try #require(try await store.grants(server: scene.serverURL).first?.token)
    let sent = HTTPRequest(.post, scene.serverURL, headers: ["authorization": "\(token.type) \(token.access)"])
    store.isGated.withLock { $0 = true }
    async let renewed = client.authorizer.authorize(request)
    await store.gate.arrived()
    let refusal = HTTPResponse(
      status: 403, headers: ["www-authenticate": #"Bearer error="insufficient_scope", scope="write""#])
    async let attempts = client.authorizer.recover(sent, from: refusal, attempts: AuthorizationAttempts())
    for _ in 0..<20 { await Task.yield() }
    store.gate.open()
    _ = try await renewed
    let after = try await attempts
    let steps = try #require(after).steppedUp
    // Asked for, or, where the refusal came too late, left to the next refusal.
    #expect(scene.authorizations.count == 1 + steps.count)
  }

  private struct GatedTokenStore: TokenStore {
    let base = InMemoryTokenStore()
    let gate = Gate()
    let isGated = Locked(false)

    func grants(server: String) async throws -> [OAuthGrant] {
      if isGated.withLock({ $0 }) { await gate.wait() }
      return await base.grants(server: server)
    }
    func save(_ grant: OAuthGrant) async throws { await base.save(grant) }
    func registration(issuer: String) async throws -> ClientRegistration? { await base.registration(issuer: issuer) }
    func save(_ registration: ClientRegistration) async throws { await base.save(registration) }
    func removeRegistration(issuer: String) async throws { await base.removeRegistration(issuer: issuer) }
    func removeGrants(server: String) async throws { await base.removeGrants(server: server) }
  }

  @Test func `a failing authorization server costs no token`() async throws {
    let scene = scene()
    let store = InMemoryTokenStore()
    let client = try SceneClient(scene, store: store)
    try await client.call()
    client.pass(.seconds(3600))
    scene.change { $0.tokenFailure = (503, "busy") }
    #expect(await client.failure()?.code == .unreachable)
    scene.change { $0.tokenFailure = nil }
    try await client.call()
    #expect(scene.authorizations.count == 1)
    #expect(await store.grants(server: scene.serverURL).first?.token?.refresh != nil)
  }

  @Test func `many refused at once get one token`() async throws {
    let scene = scene()
    let client = try SceneClient(scene)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await client.call() } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(scene.authorizations.count == 1 && scene.registrations.count == 1)
    client.pass(.seconds(3600))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await client.call() } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(scene.tokenRequests.map { $0["grant_type"] } == ["authorization_code", "refresh_token"])
    #expect(scene.problems.isEmpty)
  }

  @Test func `a waiter that is cancelled goes alone`() async throws {
    let scene = scene()
    let client = try SceneClient(scene)
    let gate = Gate()
    scene.held.withLock { $0 = ("/token", gate) }
    let first = Task { try await client.call() }
    await gate.arrived()
    let second = Task { try await client.call() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    scene.held.withLock { $0 = nil }
    gate.open()
    #expect(try await second.value == 200)
  }

  @Test func `the last waiter that is cancelled takes the work with it`() async throws {
    let scene = scene()
    let client = try SceneClient(scene)
    let gate = Gate()
    scene.held.withLock { $0 = ("/token", gate) }
    let only = Task { try await client.call() }
    await gate.arrived()
    only.cancel()
    await #expect(throws: CancellationError.self) { try await only.value }
    #expect(scene.tokenRequests.isEmpty)
    scene.held.withLock { $0 = nil }
    #expect(try await client.call() == 200)
  }

  @Test func `what another process renewed is used, and its refresh token is not spent twice`() async throws {
    let scene = scene()
    let store = InMemoryTokenStore()
    let (one, other) = (try SceneClient(scene, store: store), try SceneClient(scene, store: store))
    try await one.call()
    try await other.call()
    #expect(scene.authorizations.count == 1)
    one.pass(.seconds(3600))
    other.pass(.seconds(3600))
    try await one.call()
    try await other.call()
    #expect(scene.tokenRequests.count { $0["grant_type"] == "refresh_token" } == 1)
    #expect(scene.problems.isEmpty)
  }

  @Test func `a client that the server forgot registers again`() async throws {
    let scene = scene { $0.issuesRefreshTokens = false }
    let store = InMemoryTokenStore()
    try await SceneClient(scene, store: store).call()
    // Refused at the page already: the person sees it there; at the token endpoint it is noticed.
    scene.change { $0.tokenFailure = (401, #"{"error":"invalid_client"}"#) }
    scene.forgetTokens()
    let client = try SceneClient(scene, store: store)
    #expect(await client.failure()?.code == .clientRejected)
    #expect(scene.registrations.count == 2)
  }

  @Test func `a registration is used again, and not by another redirect`() async throws {
    let scene = scene { $0.issuesRefreshTokens = false }
    let store = InMemoryTokenStore()
    try await SceneClient(scene, store: store).call()
    await store.removeGrants(server: scene.serverURL)
    try await SceneClient(scene, store: store).call()
    #expect(scene.registrations.count == 1)
    await store.removeGrants(server: scene.serverURL)
    let elsewhere = HeadlessUserAgent(transport: scene, redirectURI: "http://127.0.0.1:4000/callback")
    try await SceneClient(scene, store: store, userAgent: elsewhere).call()
    #expect(scene.registrations.count == 2)
  }

  @Test func `a token that ended and cannot be renewed is asked for anew, with the scopes it had`() async throws {
    let scene = scene {
      $0.issuesRefreshTokens = false
      $0.challengeScope = "a"
      $0.requiredScopes = ["a"]
      $0.callScopes = ["b"]
    }
    let client = try SceneClient(scene)
    try await client.call()
    scene.change { $0.requiredScopes = [] }
    try await client.call("tools/call")
    client.pass(.seconds(3601))
    try await client.call()
    #expect(scene.authorizations.map { $0["scope"] } == ["a", "a b", "a b"])
  }

  // MARK: Requests

  @Test func `a token goes to its own server and nowhere else`() async throws {
    let scene = scene()
    let client = try SceneClient(scene)
    try await client.call()
    for url in ["https://evil.example.com/mcp", "http://mcp.example.com/mcp", "https://mcp.example.com:8443/mcp"] {
      await #expect(throws: AuthorizationError.self) { try await client.authorizer.authorize(HTTPRequest(.get, url)) }
    }
    let same = try await client.authorizer.authorize(HTTPRequest(.get, "https://mcp.example.com/other"))
    #expect(same.headers["authorization"]?.hasPrefix("Bearer ") == true)
    #expect(!same.url.contains("token"))
  }

  @Test func `403 without a challenge is the caller's`() async throws {
    let scene = scene {
      $0.forbidsAlways = true
      $0.isSilent = true
    }
    #expect(try await SceneClient(scene).call() == 403)
  }

  @Test func `401 without a word is enough to begin`() async throws {
    let scene = scene { $0.isSilent = true }
    #expect(try await SceneClient(scene).call() == 200)
  }

  @Test func `a server that takes no token is given up`() async throws {
    let scene = scene { $0.issuesRefreshTokens = false }
    let client = try SceneClient(scene)
    let stubborn = StubbornTransport(scene: scene)
    let transport = AuthorizedTransport(stubborn, authorizer: client.authorizer)
    await #expect {
      try await transport.send(HTTPRequest(.post, scene.serverURL, body: .bytes([])))
    } throws: { error in
      (error as? AuthorizationError)?.code == .rejected
    }
    #expect(scene.authorizations.count == 3)
  }

  @Test func `without a person what needs one fails, and says so`() async throws {
    let scene = scene()
    #expect(await (try SceneClient(scene, isAlone: true)).failure()?.code == .interactionRequired)
    #expect(scene.registrations.isEmpty)
  }

  @Test func `signing in and out`() async throws {
    let scene = scene()
    let store = InMemoryTokenStore()
    let client = try SceneClient(scene, store: store)
    try await client.authorizer.signIn()
    try await client.authorizer.signIn()
    #expect(scene.authorizations.count == 1)
    try await client.call()
    #expect(!scene.requests.dropLast().contains("POST https://mcp.example.com/mcp"))
    try await client.authorizer.signOut()
    #expect(await store.grants(server: scene.serverURL).isEmpty)
    try await client.call()
    #expect(scene.authorizations.count == 2)
  }

  @Test func `a given client stays with the issuer that it was used with`() async throws {
    let scene = scene {
      $0.preRegistered = ("given", nil)
      $0.migratesTo = "https://second.example.com"
      $0.issuesRefreshTokens = false
    }
    let client = try SceneClient(scene, OAuthConfiguration(client: OAuthClient(id: "given")))
    try await client.call()
    #expect(await client.failure()?.code == .issuerChanged)
    #expect(!scene.requests.contains { $0.contains("second.example.com") })
  }

  private struct StubbornTransport: HTTPTransport {
    let scene: AuthorizationScene

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      HTTPResponse(status: 401, headers: ["www-authenticate": "Bearer error=\"invalid_token\""])
    }
  }
}
