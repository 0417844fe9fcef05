import MartletCrypto
import MartletJSON

extension AuthorizationScene {
  /// How the two servers of a scene behave.
  struct Setting: Sendable {
    // The protected server.
    var resourceBase = "https://mcp.example.com"
    /// Where its metadata is; nil for nowhere.
    var metadataPath: String? = "/.well-known/oauth-protected-resource/mcp"
    var namesMetadata = true
    var resource: String?
    var scopesSupported: [String]?
    var challengeScope: String?
    var requiredScopes: [String] = []
    /// Scopes that `tools/call` needs on top.
    var callScopes: [String] = []
    /// 403 to every token.
    var forbidsAlways = false
    /// Whether a 403 says `insufficient_scope`.
    var saysWhyForbidden = true
    /// 401 without a word.
    var isSilent = false

    /// Methods that anybody may call.
    var openMethods: Set<String> = []

    /// Where people sign in to their company.
    var identityProvider = "https://idp.example.com"

    // The authorization server.
    var issuer = "https://auth.example.com"
    /// Its metadata, as a path at the issuer's origin; nil for none.
    var serverMetadataPath: String? = "/.well-known/oauth-authorization-server"
    var issuerInMetadata: String?
    var serverScopes: [String]?
    var methods: [String]? = ["none"]
    var takesMetadataURLs = false
    var registers = true
    var challengeMethods: [String]? = ["S256"]
    var advertisesIssuer = false
    /// The `iss` of redirects.
    var redirectIssuer: String?
    /// Issues secrets to clients that register.
    var givesSecrets = false
    /// Gives each client that registers a secret and says nothing of what it is for, as some do whose clients need none.
    var givesSecretsToAll = false
    var endpointPrefix = ""
    var lifetime: Int? = 3600
    var issuesRefreshTokens = false
    var rotatesRefreshTokens = true
    var preRegistered: (id: String, secret: String?)?
    var clientKey: ES256PublicKey?
    var bindsTokens = false
    var needsNonce = false
    /// Where the authorization server is after the first request that was let in.
    var migratesTo: String?
    /// What the token endpoint answers instead, with a status.
    var tokenFailure: (status: Int, body: String)?
    /// What the registration endpoint answers instead.
    var registrationFailure: (status: Int, body: String)?
    /// Replaces members of the authorization server's metadata.
    var serverMetadata: JSONObject = [:]
    /// What the redirect holds instead of a code.
    var redirectQuery: String?

    /// Has the servers at other places. In the same order: the protected server, the authorization server, the one that
    /// follows it, the identity provider.
    mutating func move(to origins: [String]) {
      let old = [
        "https://mcp.example.com", "https://auth.example.com", "https://second.example.com", "https://idp.example.com",
      ]
      let moved = { (text: String) in zip(old, origins).reduce(text) { $0.replacing($1.0, with: $1.1) } }
      resourceBase = moved(resourceBase)
      resource = resource.map(moved)
      identityProvider = moved(identityProvider)
      issuer = moved(issuer)
      issuerInMetadata = issuerInMetadata.map(moved)
      redirectIssuer = redirectIssuer.map(moved)
      migratesTo = migratesTo.map(moved)
    }
  }
}
