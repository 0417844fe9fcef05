import MartletCrypto
import MartletHTTP
import MartletJSON
import MartletMCPFixtures

@testable import MartletMCP

/// An authorization scenario: how the two servers of a scene behave, and what of it the scene does not note by itself.
struct AuthorizationConformance: Sendable {
  typealias Setting = AuthorizationScene.Setting

  /// What the client did in the end.
  struct Outcome: Sendable {
    let scene: AuthorizationScene
    let failure: AuthorizationError?
    let hasFailed: Bool

    var scopes: [String?] { scene.authorizations.map { $0["scope"] } }
    var resources: [String?] { (scene.authorizations + scene.tokenRequests).map { $0["resource"] } }
  }

  let setting: @Sendable (inout Setting) -> Void
  var context: JSONObject = [:]
  /// The error that the client must stop with; nil if all must go well.
  var refusal: AuthorizationError.Code?
  /// Checks that the scene does not note.
  var judge: @Sendable (Outcome) -> [String: Bool] = { _ in [:] }
  /// Checks that do not apply, and why.
  var inapplicable: [String: String] = [:]

  func run(_ item: ConformanceCase, _ verdicts: Verdicts) async throws {
    var setting = Setting()
    self.setting(&setting)
    let scene = AuthorizationScene(setting)
    let client = FixtureClient(
      scenario: item.name, url: scene.serverURL, revision: item.revision, context: context)
    var failure: (any Error)?
    do { try await client.run(over: ProtectedServer(scene, item.revision)) } catch { failure = error }
    let reason = failure as? AuthorizationError ?? (failure as? MCPError)?.underlying as? AuthorizationError
    judge(
      Outcome(scene: scene, failure: reason, hasFailed: failure != nil),
      isAsExpected: refusal == nil ? failure == nil : reason?.code == refusal, "\(String(describing: failure))", item,
      verdicts)
  }

  #if os(Linux)
    /// The same with the client as a program and the servers at ports of their own, in the manner of the suite's: a
    /// handshake needs no token, and whoever registers gets a secret.
    func runProgram(_ item: ConformanceCase, _ verdicts: Verdicts) async throws {
      let scene = AuthorizationScene()
      let server = ProtectedServer(scene, item.revision)
      let (status, error) = try await LocalServers.with(4) { request in
        try await server.send(request)
      } _: { origins async throws in
        var setting = Setting()
        self.setting(&setting)
        if item.name != "auth/scope-retry-limit" { setting.openMethods = ["initialize", "notifications/initialized"] }
        setting.givesSecretsToAll = !setting.givesSecrets
        // Without metadata a secret goes into the header.
        if setting.serverMetadataPath == nil { setting.methods = ["client_secret_basic"] }
        setting.move(to: origins)
        scene.change { $0 = setting }
        var context = context
        if context["idp_issuer"] != nil {
          context["idp_issuer"] = .string(setting.identityProvider)
          context["idp_token_endpoint"] = .string(setting.identityProvider + "/token")
        }
        if context["valid_jwt"] != nil { context["valid_jwt"] = .string("workload for \(setting.issuer)") }
        return try await BuiltProgram.runClient(item.name, item.revision, scene.serverURL, context: context)
      }
      judge(
        Outcome(scene: scene, failure: nil, hasFailed: status != 0), isAsExpected: status == (refusal == nil ? 0 : 1),
        error, item, verdicts)
    }
  #endif

  private func judge(
    _ outcome: Outcome, isAsExpected: Bool, _ failure: String, _ item: ConformanceCase, _ verdicts: Verdicts
  ) {
    let more = judge(outcome)
    let problems = outcome.scene.problems.joined(separator: "; ")
    for id in item.checks {
      if let why = inapplicable[id] {
        verdicts.skip(id, why)
      } else if id == item.name {
        // The suite's ids of this scenario are not known: that it goes well.
        verdicts.check(id, isAsExpected && outcome.scene.checks.contains("valid-bearer-token"), problems)
      } else {
        verdicts.check(
          id, isAsExpected && problems.isEmpty && (more[id] ?? outcome.scene.checks.contains(id)),
          "\(problems) \(failure) \(outcome.scopes)")
      }
    }
  }
}

/// The protected server of a scene, which speaks MCP to those whom the scene lets in.
final class ProtectedServer: HTTPTransport {
  private let scene: AuthorizationScene
  private let revision: MCPRevision

  init(_ scene: AuthorizationScene, _ revision: MCPRevision) {
    self.scene = scene
    self.revision = revision
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let isOurs = request.url == scene.serverURL
    if isOurs, request.method != .post { return HTTPResponse(status: 405) }
    let response = try await scene.send(request)
    guard isOurs, response.status == 200 else { return response }
    let message = ScriptedHTTP.message(request)
    if let introduction = ScriptedHTTP.introduce(message, revision) { return introduction }
    let result: JSONObject =
      message?.method == "tools/list"
      ? ["tools": [ClientScenario.tool("test-tool")], "ttlMs": 0, "cacheScope": "private"]
      : ["content": [["type": "text", "text": "ok"]]]
    return ScriptedHTTP.json(ScriptedHTTP.result(message, result))
  }
}

extension AuthorizationConformance {
  static func make(_ name: String) throws -> AuthorizationConformance? {
    if name == "auth/client-credentials-jwt" { return try credentialsByKey() }
    return all[name]
  }

  private static let tenant: @Sendable (inout Setting) -> Void = {
    $0.issuer = "https://auth.example.com/tenant1"
    $0.endpointPrefix = "/tenant1"
  }

  private static func method(_ method: String) -> AuthorizationConformance {
    AuthorizationConformance(
      setting: {
        $0.methods = [method]
        $0.givesSecrets = method != "none"
      },
      judge: { outcome in
        let resources = Set(outcome.resources)
        return [
          "resource-parameter-valid-uri": resources.allSatisfy { $0.map { WebAddress($0) != nil } ?? false },
          "resource-parameter-consistency": resources.count == 1,
        ]
      })
  }

  private static func issuer(
    _ check: String, advertised: Bool, _ issuer: String?, refused: Bool
  ) -> AuthorizationConformance {
    AuthorizationConformance(
      setting: {
        $0.advertisesIssuer = advertised
        $0.redirectIssuer = issuer
      }, refusal: refused ? .issuerMismatch : nil,
      judge: { [check: $0.hasFailed == refused && $0.scene.tokenRequests.isEmpty == refused] })
  }

  private static func credentialsByKey() throws -> AuthorizationConformance {
    let key = try ES256PrivateKey()
    let publicKey = try key.publicKey
    return AuthorizationConformance(
      setting: {
        $0.methods = ["private_key_jwt"]
        $0.preRegistered = ("conformance-test-client", nil)
        $0.clientKey = publicKey
        $0.challengeMethods = nil
      },
      context: [
        "client_id": "conformance-test-client", "private_key_pem": .string(try key.pem), "signing_algorithm": "ES256",
      ])
  }

  private static let all: [String: AuthorizationConformance] = [
    "auth/metadata-default": .init(setting: { _ in }),
    "auth/metadata-var1": .init(setting: {
      $0.namesMetadata = false
      $0.serverMetadataPath = "/.well-known/openid-configuration"
    }),
    "auth/metadata-var2": .init(setting: {
      tenant(&$0)
      $0.namesMetadata = false
      $0.metadataPath = "/.well-known/oauth-protected-resource"
      $0.resource = "https://mcp.example.com"
      $0.serverMetadataPath = "/.well-known/oauth-authorization-server/tenant1"
    }),
    "auth/metadata-var3": .init(setting: {
      tenant(&$0)
      $0.metadataPath = "/custom/metadata/location.json"
      $0.serverMetadataPath = "/tenant1/.well-known/openid-configuration"
    }),
    "auth/2025-03-26-oauth-metadata-backcompat": .init(setting: {
      $0.metadataPath = nil
      $0.issuer = "https://mcp.example.com"
      $0.endpointPrefix = "/oauth"
    }),
    "auth/2025-03-26-oauth-endpoint-fallback": .init(setting: {
      $0.metadataPath = nil
      $0.issuer = "https://mcp.example.com"
      $0.serverMetadataPath = nil
    }),
    "auth/basic-cimd": .init(setting: { $0.takesMetadataURLs = true }),
    "auth/pre-registration": .init(
      setting: {
        $0.registers = false
        $0.preRegistered = ("pre-registered-client", "pre-registered-secret")
        $0.methods = ["client_secret_basic"]
      }, context: ["client_id": "pre-registered-client", "client_secret": "pre-registered-secret"]),
    "auth/token-endpoint-auth-basic": method("client_secret_basic"),
    "auth/token-endpoint-auth-post": method("client_secret_post"), "auth/token-endpoint-auth-none": method("none"),

    "auth/scope-from-www-authenticate": .init(
      setting: {
        $0.challengeScope = "mcp:basic"
        $0.requiredScopes = ["mcp:basic"]
        $0.scopesSupported = ["mcp:basic", "mcp:admin"]
      }, judge: { ["scope-from-www-authenticate": $0.scopes == ["mcp:basic"]] }),
    "auth/scope-from-scopes-supported": .init(
      setting: {
        $0.scopesSupported = ["mcp:basic", "mcp:read", "mcp:write"]
        $0.requiredScopes = ["mcp:basic", "mcp:read", "mcp:write"]
      }, judge: { ["scope-from-scopes-supported": $0.scopes == ["mcp:basic mcp:read mcp:write"]] }),
    "auth/scope-omitted-when-undefined": .init(
      setting: { _ in }, judge: { ["scope-omitted-when-undefined": $0.scopes == [nil]] }),
    "auth/scope-step-up": .init(
      setting: {
        $0.challengeScope = "mcp:basic"
        $0.callScopes = ["mcp:write"]
      },
      judge: {
        [
          "scope-step-up-initial": $0.scopes.first == "mcp:basic",
          "scope-step-up-escalation": $0.scopes.count == 2 && $0.scopes[1]?.contains("mcp:write") == true,
          "sep-2350-scope-union-on-reauth": $0.scopes.last == "mcp:basic mcp:write",
        ]
      }),
    "auth/scope-retry-limit": .init(
      setting: {
        $0.challengeScope = "mcp:basic"
        $0.requiredScopes = ["mcp:basic"]
        $0.forbidsAlways = true
      }, refusal: .insufficientScope,
      judge: {
        [
          "scope-retry-auth-attempt": !$0.scopes.isEmpty,
          "scope-retry-limit": (1...3).contains($0.scene.authorizations.count),
        ]
      }),
    "auth/offline-access-scope": .init(
      setting: {
        $0.serverScopes = ["mcp:basic", "offline_access"]
        $0.scopesSupported = ["mcp:basic"]
      }, judge: { ["sep-2207-offline-access-requested": $0.scopes == ["mcp:basic offline_access"]] }),
    "auth/offline-access-not-supported": .init(
      setting: {
        $0.serverScopes = ["mcp:basic", "mcp:read"]
        $0.scopesSupported = ["mcp:basic", "mcp:read"]
      }, judge: { ["sep-2207-offline-access-not-requested": $0.scopes == ["mcp:basic mcp:read"]] }),

    "auth/resource-mismatch": .init(
      setting: { $0.resource = "https://evil.example.com/mcp" }, refusal: .resourceMismatch,
      judge: { ["resource-mismatch-rejected": $0.hasFailed && $0.scene.authorizations.isEmpty] }),
    "auth/metadata-issuer-mismatch": .init(
      setting: { $0.issuerInMetadata = "https://other.example.com" }, refusal: .issuerMismatch,
      judge: { ["sep-2468-client-validate-metadata-issuer": $0.hasFailed && $0.scene.authorizations.isEmpty] }),
    "auth/authorization-server-migration": .init(
      setting: {
        $0.migratesTo = "https://second.example.com"
        $0.givesSecrets = true
        $0.methods = ["client_secret_basic"]
      },
      judge: { outcome in
        let ids = outcome.scene.authorizations.map { $0["client_id"] }
        let isNew = ids.count == 2 && ids[0] != ids[1]
        return [
          "sep-2352-reregister-on-as-change": outcome.scene.registrations.count == 2,
          "sep-2352-no-reuse-on-as-change": isNew, "sep-2352-no-cross-as-credential-reuse": isNew,
        ]
      }),
    "auth/iss-supported": issuer(
      "sep-2468-client-compare-iss-supported", advertised: true, "https://auth.example.com", refused: false),
    "auth/iss-not-advertised": issuer("sep-2468-client-proceed-no-iss", advertised: false, nil, refused: false),
    "auth/iss-supported-missing": issuer("sep-2468-client-reject-missing-iss", advertised: true, nil, refused: true),
    "auth/iss-wrong-issuer": issuer(
      "sep-2468-client-compare-iss-supported", advertised: true, "https://evil.example.com", refused: true),
    "auth/iss-unexpected": issuer(
      "sep-2468-client-compare-iss-unadvertised", advertised: false, "https://evil.example.com", refused: true),
    "auth/iss-normalized": issuer(
      "sep-2468-client-no-normalization", advertised: true, "https://auth.example.com/", refused: true),

    "auth/client-credentials-basic": .init(
      setting: {
        $0.methods = ["client_secret_basic"]
        $0.preRegistered = ("conformance-test-client", "conformance-test-secret")
      }, context: ["client_id": "conformance-test-client", "client_secret": "conformance-test-secret"]),
    "auth/enterprise-managed-authorization": .init(
      setting: {
        $0.methods = ["client_secret_basic"]
        $0.preRegistered = ("xaa-client", "xaa-secret")
      },
      context: [
        "client_id": "xaa-client", "client_secret": "xaa-secret", "idp_client_id": "idp-client",
        "idp_id_token": "id-token", "idp_issuer": "https://idp.example.com",
        "idp_token_endpoint": "https://idp.example.com/token",
      ]),
    "auth/wif-jwt-bearer": .init(
      setting: { $0.preRegistered = ("workload", nil) },
      context: ["client_id": "workload", "valid_jwt": "workload for https://auth.example.com"],
      // What the suite saw of a client that went another way than by a workload's statement.
      inapplicable: Dictionary(
        uniqueKeysWithValues: [
          "authorization-request", "pkce-code-challenge-sent", "pkce-s256-method-used", "pkce-code-verifier-sent",
          "pkce-verifier-matches-challenge",
        ].map { ($0, "a workload's grant has no authorization request") })),
    "auth/dpop": .init(setting: { $0.bindsTokens = true }),
    "auth/dpop-nonce": .init(setting: {
      $0.bindsTokens = true
      $0.needsNonce = true
    }),
  ]
}
