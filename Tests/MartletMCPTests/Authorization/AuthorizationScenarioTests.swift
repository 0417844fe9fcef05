import MartletCrypto
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletMCP

/// One test for each authorization scenario of the official conformance suite, against servers of our own that check the
/// same things and note them by the same names.
@Suite struct AuthorizationScenarioTests {
  typealias Setting = AuthorizationScene.Setting

  /// What every flow with a person and a registration passes.
  static let common: Set<String> = [
    "prm-pathbased-requested", "authorization-server-metadata", "client-registration", "authorization-request",
    "pkce-code-challenge-sent", "pkce-s256-method-used", "token-request", "pkce-code-verifier-sent",
    "pkce-verifier-matches-challenge", "valid-bearer-token", "sep-837-application-type-present",
  ]
  /// Until the person agreed.
  static let untilRedirect: Set<String> = [
    "prm-pathbased-requested", "authorization-server-metadata", "client-registration", "authorization-request",
    "pkce-code-challenge-sent", "pkce-s256-method-used", "sep-837-application-type-present",
  ]

  private func scene(_ change: (inout Setting) -> Void = { _ in }) -> AuthorizationScene {
    var setting = Setting()
    change(&setting)
    return AuthorizationScene(setting)
  }

  private func expect(_ scene: AuthorizationScene, passes checks: Set<String>, _ more: String...) {
    #expect(checks.union(more).subtracting(scene.checks).isEmpty)
    #expect(scene.problems.isEmpty)
  }

  // MARK: Discovery

  @Test func `auth/metadata-default: the header names the metadata, and the root is not asked`() async throws {
    let scene = scene()
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common)
    #expect(!scene.requests.contains("GET https://mcp.example.com/.well-known/oauth-protected-resource"))
  }

  @Test func `auth/metadata-var1: metadata below the path, the authorization server's by OpenID`() async throws {
    let scene = scene {
      $0.namesMetadata = false
      $0.serverMetadataPath = "/.well-known/openid-configuration"
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common)
    #expect(!scene.requests.contains("GET https://mcp.example.com/.well-known/oauth-protected-resource"))
  }

  @Test func `auth/metadata-var2: metadata at the root, an authorization server with a path`() async throws {
    let scene = scene {
      $0.namesMetadata = false
      $0.metadataPath = "/.well-known/oauth-protected-resource"
      $0.resource = "https://mcp.example.com"
      $0.issuer = "https://auth.example.com/tenant1"
      $0.serverMetadataPath = "/.well-known/oauth-authorization-server/tenant1"
      $0.endpointPrefix = "/tenant1"
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common, "resource-parameter-in-token")
    #expect(!scene.requests.contains("GET https://auth.example.com/.well-known/oauth-authorization-server"))
  }

  @Test func `auth/metadata-var3: metadata anywhere, the authorization server's below its path`() async throws {
    let scene = scene {
      $0.metadataPath = "/custom/metadata/location.json"
      $0.issuer = "https://auth.example.com/tenant1"
      $0.serverMetadataPath = "/tenant1/.well-known/openid-configuration"
      $0.endpointPrefix = "/tenant1"
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common)
    #expect(
      scene.requests.filter { $0.contains("well-known") } == [
        "GET https://auth.example.com/.well-known/oauth-authorization-server/tenant1",
        "GET https://auth.example.com/.well-known/openid-configuration/tenant1",
        "GET https://auth.example.com/tenant1/.well-known/openid-configuration",
      ])
  }

  @Test func `auth/2025-03-26-oauth-metadata-backcompat: the server is its own authorization server`() async throws {
    let scene = scene {
      $0.metadataPath = nil
      $0.issuer = "https://mcp.example.com"
      $0.endpointPrefix = "/oauth"
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common.subtracting(["prm-pathbased-requested"]))
  }

  @Test func `auth/2025-03-26-oauth-endpoint-fallback: no metadata at all`() async throws {
    let scene = scene {
      $0.metadataPath = nil
      $0.issuer = "https://mcp.example.com"
      $0.serverMetadataPath = nil
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common.subtracting(["prm-pathbased-requested", "authorization-server-metadata"]))
  }

  @Test func `auth/resource-mismatch: stops when the metadata is about another server`() async throws {
    for resource in ["https://evil.example.com/mcp", "https://mcp.example.com/mc", "https://mcp.example.com/mcp/more"] {
      let scene = scene { $0.resource = resource }
      #expect(try await SceneClient(scene).failure()?.code == .resourceMismatch)
      #expect(scene.checks == ["prm-pathbased-requested"])
    }
  }

  @Test func `auth/metadata-issuer-mismatch: stops when the document is another server's`() async throws {
    for issuer in ["https://other.example.com", "https://auth.example.com/", "https://AUTH.example.com"] {
      let scene = scene { $0.issuerInMetadata = issuer }
      #expect(try await SceneClient(scene).failure()?.code == .issuerMismatch)
      #expect(scene.checks == ["prm-pathbased-requested", "authorization-server-metadata"])
    }
  }

  // MARK: The client

  @Test func `auth/basic-cimd: the URL is the client id, and nobody registers`() async throws {
    let scene = scene { $0.takesMetadataURLs = true }
    let configuration = OAuthConfiguration(clientMetadataURL: "https://conformance-test.local/client-metadata.json")
    #expect(try await SceneClient(scene, configuration).call() == 200)
    let without = Self.common.subtracting(["client-registration", "sep-837-application-type-present"])
    expect(scene, passes: without, "cimd-client-id-used")
    #expect(scene.registrations.isEmpty)
  }

  @Test func `auth/pre-registration: given credentials are used, and nobody registers`() async throws {
    let scene = scene {
      $0.registers = false
      $0.preRegistered = ("pre-registered-client", "pre-registered-secret")
      $0.methods = ["client_secret_basic"]
    }
    let client = OAuthClient(id: "pre-registered-client", proof: .secret("pre-registered-secret"))
    #expect(try await SceneClient(scene, OAuthConfiguration(client: client)).call() == 200)
    let without = Self.common.subtracting(["client-registration", "sep-837-application-type-present"])
    expect(scene, passes: without, "pre-registration-auth")
  }

  @Test(arguments: ["none", "client_secret_basic", "client_secret_post"])
  func `auth/token-endpoint-auth-none, -basic and -post: the way that is offered`(method: String) async throws {
    let scene = scene {
      $0.methods = [method]
      $0.givesSecrets = method != "none"
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(
      scene, passes: Self.common, "token-endpoint-auth-method", "resource-parameter-in-authorization",
      "resource-parameter-in-token")
    #expect(scene.registrations.first?["token_endpoint_auth_method"]?.stringValue == method)
    let resources = Set(scene.authorizations.map { $0["resource"] } + scene.tokenRequests.map { $0["resource"] })
    #expect(resources == ["https://mcp.example.com/mcp"])
  }

  @Test func `auth/authorization-server-migration: registers again and reuses nothing`() async throws {
    let scene = scene {
      $0.migratesTo = "https://second.example.com"
      $0.challengeScope = "mcp:basic"
      $0.givesSecrets = true
      $0.methods = ["client_secret_basic"]
      $0.issuesRefreshTokens = true
    }
    let client = try SceneClient(scene)
    #expect(try await client.call() == 200)
    #expect(scene.registrations.count == 1)
    #expect(try await client.call() == 200)
    expect(scene, passes: Self.common)
    #expect(scene.registrations.count == 2)
    #expect(scene.requests.contains("POST https://second.example.com/register"))
    let ids = scene.authorizations.compactMap { $0["client_id"] }
    #expect(ids.count == 2 && ids[0] != ids[1])
  }

  // MARK: Scopes

  @Test func `auth/scope-from-www-authenticate: the scope of the challenge`() async throws {
    let scene = scene {
      $0.challengeScope = "mcp:basic"
      $0.requiredScopes = ["mcp:basic"]
      $0.scopesSupported = ["mcp:basic", "mcp:admin"]
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common)
    #expect(scene.authorizations.map { $0["scope"] } == ["mcp:basic"])
  }

  @Test func `auth/scope-from-scopes-supported: all that are supported`() async throws {
    let scene = scene {
      $0.scopesSupported = ["mcp:basic", "mcp:read", "mcp:write"]
      $0.requiredScopes = ["mcp:basic", "mcp:read", "mcp:write"]
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common)
    #expect(scene.authorizations.map { $0["scope"] } == ["mcp:basic mcp:read mcp:write"])
  }

  @Test func `auth/scope-omitted-when-undefined: no scope parameter`() async throws {
    let scene = scene()
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common)
    #expect(scene.authorizations.allSatisfy { $0.values("scope").isEmpty })
    #expect(scene.tokenRequests.allSatisfy { $0.values("scope").isEmpty })
  }

  @Test(arguments: [true, false])
  func `auth/scope-step-up: asks for the old scopes and the new`(saysWhy: Bool) async throws {
    let scene = scene {
      $0.challengeScope = "mcp:basic"
      $0.requiredScopes = ["mcp:basic"]
      $0.saysWhyForbidden = saysWhy
    }
    let client = try SceneClient(scene)
    #expect(try await client.call() == 200)
    scene.change {
      $0.requiredScopes = []
      $0.callScopes = ["mcp:write"]
    }
    #expect(try await client.call("tools/call") == 200)
    expect(scene, passes: Self.common)
    #expect(scene.authorizations.map { $0["scope"] } == ["mcp:basic", "mcp:basic mcp:write"])
    #expect(scene.registrations.count == 1)
  }

  @Test func `auth/scope-retry-limit: stops after a few refusals`() async throws {
    let scene = scene {
      $0.challengeScope = "mcp:basic"
      $0.requiredScopes = ["mcp:basic"]
      $0.forbidsAlways = true
    }
    #expect(try await SceneClient(scene).failure()?.code == .insufficientScope)
    #expect((1...3).contains(scene.authorizations.count))
    expect(scene, passes: Self.common.subtracting(["valid-bearer-token"]))
  }

  @Test func `auth/offline-access-scope: asked for where it is offered, by a client that can refresh`() async throws {
    let scene = scene {
      $0.serverScopes = ["mcp:basic", "offline_access"]
      $0.scopesSupported = ["mcp:basic"]
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common, "sep-2207-client-metadata-grant-types")
    #expect(scene.authorizations.map { $0["scope"] } == ["mcp:basic offline_access"])
    #expect(scene.authorizations.map { $0["prompt"] } == ["consent"])
  }

  @Test func `auth/offline-access-not-supported: not asked for`() async throws {
    let scene = scene {
      $0.serverScopes = ["mcp:basic", "mcp:read"]
      $0.scopesSupported = ["mcp:basic", "mcp:read"]
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common)
    #expect(scene.authorizations.map { $0["scope"] } == ["mcp:basic mcp:read"])
  }

  // MARK: The issuer of redirects

  @Test func `auth/iss-supported: the right issuer is accepted`() async throws {
    let scene = scene {
      $0.advertisesIssuer = true
      $0.redirectIssuer = "https://auth.example.com"
    }
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common)
  }

  @Test func `auth/iss-not-advertised: none promised and none there`() async throws {
    let scene = scene()
    #expect(try await SceneClient(scene).call() == 200)
    expect(scene, passes: Self.common)
  }

  @Test(
    arguments: [
      ("auth/iss-supported-missing", true, nil), ("auth/iss-wrong-issuer", true, "https://evil.example.com"),
      ("auth/iss-unexpected", false, "https://evil.example.com"),
      ("auth/iss-normalized", true, "https://auth.example.com/"),
      ("auth/iss-normalized", true, "https://AUTH.example.com"),
      ("auth/iss-normalized", true, "https://auth.example.com:443"),
    ] as [(String, Bool, String?)])
  func `auth/iss-supported-missing, -wrong-issuer, -unexpected and -normalized: stops`(
    name: String, advertises: Bool, issuer: String?
  ) async throws {
    let scene = scene {
      $0.advertisesIssuer = advertises
      $0.redirectIssuer = issuer
    }
    #expect(try await SceneClient(scene).failure()?.code == .issuerMismatch, "\(name)")
    #expect(Self.untilRedirect.isSubset(of: scene.checks))
    #expect(scene.tokenRequests.isEmpty, "the code was sent")
  }

  // MARK: Extensions

  @Test func `auth/client-credentials-jwt: a statement signed with ES256`() async throws {
    let key = try ES256PrivateKey()
    let publicKey = try key.publicKey
    let scene = scene {
      $0.methods = ["private_key_jwt"]
      $0.preRegistered = ("conformance-test-client", nil)
      $0.clientKey = publicKey
      $0.challengeMethods = nil
    }
    let client = OAuthClient(id: "conformance-test-client", proof: .privateKey(try ES256PrivateKey(pem: key.pem)))
    let configuration = OAuthConfiguration(grant: .clientCredentials, client: client)
    #expect(try await SceneClient(scene, configuration, isAlone: true).call() == 200)
    expect(
      scene,
      passes: [
        "prm-pathbased-requested", "authorization-server-metadata", "token-request", "client-credentials-jwt-verified",
        "valid-bearer-token",
      ])
  }

  @Test func `auth/client-credentials-basic: a secret in the header`() async throws {
    let scene = scene {
      $0.methods = ["client_secret_basic"]
      $0.preRegistered = ("conformance-test-client", "conformance test:secret+/%")
    }
    let client = OAuthClient(id: "conformance-test-client", proof: .secret("conformance test:secret+/%"))
    let configuration = OAuthConfiguration(grant: .clientCredentials, client: client)
    #expect(try await SceneClient(scene, configuration, isAlone: true).call() == 200)
    expect(
      scene,
      passes: [
        "prm-pathbased-requested", "authorization-server-metadata", "token-request", "client-credentials-basic-auth",
        "valid-bearer-token",
      ])
  }

  @Test func `auth/enterprise-managed-authorization: exchange at the identity provider, then the statement`()
    async throws
  {
    let scene = scene {
      $0.methods = ["client_secret_basic"]
      $0.preRegistered = ("xaa-client", "xaa-secret")
    }
    let identity = EnterpriseIdentity(
      issuer: "https://idp.example.com", tokenEndpoint: "https://idp.example.com/token",
      client: OAuthClient(id: "idp-client"), subjectToken: { "id-token" })
    let configuration = OAuthConfiguration(
      grant: .enterprise(identity), client: OAuthClient(id: "xaa-client", proof: .secret("xaa-secret")))
    #expect(try await SceneClient(scene, configuration, isAlone: true).call() == 200)
    expect(
      scene,
      passes: [
        "prm-pathbased-requested", "authorization-server-metadata", "complete-flow-token-exchange", "token-request",
        "complete-flow-jwt-bearer", "valid-bearer-token",
      ])
  }

  @Test func `auth/wif-jwt-bearer: a workload's statement, and no other grant after a refusal`() async throws {
    let scene = scene { $0.preRegistered = ("workload", nil) }
    let good = OAuthConfiguration(
      grant: .assertion { issuer, _ in "workload for \(issuer)" }, client: OAuthClient(id: "workload"))
    #expect(try await SceneClient(scene, good, isAlone: true).call() == 200)
    expect(
      scene, passes: ["prm-pathbased-requested", "authorization-server-metadata", "token-request", "wif-grant-type"])
    let bad = OAuthConfiguration(
      grant: .assertion { _, _ in "workload for somebody else" }, client: OAuthClient(id: "workload"))
    let before = scene.tokenRequests.count
    let failure = try await SceneClient(scene, bad, isAlone: true).failure()
    #expect(failure?.code == .refused && failure?.serverCode == "invalid_grant")
    #expect(scene.tokenRequests.count == before + 1)
  }

  @Test func `auth/dpop: proofs at the token endpoint and with every request`() async throws {
    let scene = scene { $0.bindsTokens = true }
    let client = try SceneClient(scene, OAuthConfiguration(bindsTokens: true))
    #expect(try await client.call() == 200)
    #expect(try await client.call() == 200)
    expect(
      scene, passes: Self.common, "sep-1932-client-token-request-proof", "sep-1932-client-dpop-auth-scheme",
      "sep-1932-client-fresh-proof")
  }

  @Test func `auth/dpop-nonce: again with the nonces of both servers`() async throws {
    let scene = scene {
      $0.bindsTokens = true
      $0.needsNonce = true
    }
    #expect(try await SceneClient(scene, OAuthConfiguration(bindsTokens: true)).call() == 200)
    expect(scene, passes: Self.common, "sep-1932-client-as-nonce", "sep-1932-client-rs-nonce")
  }
}
