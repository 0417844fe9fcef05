/// How a client gets tokens for a server.
public struct OAuthConfiguration: Sendable {
  /// On whose behalf a client acts.
  public enum Grant: Sendable {
    /// A person's, who agrees in a browser: the authorization code grant with PKCE.
    case authorizationCode
    /// Its own: the client credentials grant. Needs a ``OAuthConfiguration/client`` with a secret or a key.
    case clientCredentials
    /// A workload's, whose identity another service vouches for (RFC 7523). The closure gets the issuer of the
    /// authorization server and the resource, and returns a signed statement for that audience. It is asked each time.
    case assertion(@Sendable (_ issuer: String, _ resource: String) async throws -> String)
    /// A person's who signed in at their company: its identity provider vouches for them (RFC 8693, then RFC 7523).
    case enterprise(EnterpriseIdentity)
  }

  /// On whose behalf the client acts. By default a person's, in a browser.
  public var grant: Grant
  /// The client as it was registered by hand; without one it introduces itself.
  public var client: OAuthClient?
  /// Where the document about this client can be read (``OAuthClientMetadata/document(url:redirectURIs:)``): an https URL
  /// with a path, used as its id where the authorization server takes that.
  public var clientMetadataURL: String?
  /// What the client says about itself when it registers.
  public var metadata: OAuthClientMetadata
  /// The scopes to begin with, in place of those that the server names.
  public var scopes: [String]?
  /// Whether `offline_access` is asked for where it is offered, so that the person need not agree again and again.
  public var asksForOfflineAccess: Bool
  /// Whether tokens are bound to a key (DPoP, RFC 9449) where the authorization server can do that.
  public var bindsTokens: Bool
  /// A token is renewed so long before it ends. By default 30 s.
  public var expirySkew: Duration
  /// Whether servers without metadata of their own are taken for their own authorization server, as revision 2025-03-26
  /// has it.
  public var allowsLegacyDiscovery: Bool
  /// How often one request may be sent again after 401 and 403. By default 3.
  public var retryLimit: Int

  /// A configuration; every argument has a default.
  public init(
    grant: Grant = .authorizationCode, client: OAuthClient? = nil, clientMetadataURL: String? = nil,
    metadata: OAuthClientMetadata = OAuthClientMetadata(), scopes: [String]? = nil, asksForOfflineAccess: Bool = true,
    bindsTokens: Bool = false, expirySkew: Duration = .seconds(30), allowsLegacyDiscovery: Bool = true,
    retryLimit: Int = 3
  ) {
    self.grant = grant
    self.client = client
    self.clientMetadataURL = clientMetadataURL
    self.metadata = metadata
    self.scopes = scopes
    self.asksForOfflineAccess = asksForOfflineAccess
    self.bindsTokens = bindsTokens
    self.expirySkew = expirySkew
    self.allowsLegacyDiscovery = allowsLegacyDiscovery
    self.retryLimit = retryLimit
  }

  /// What cannot work, before anything is sent.
  func check() throws(AuthorizationError) {
    if let url = clientMetadataURL {
      guard let address = WebAddress(url), address.isEncrypted, address.path.utf8.count > 1, !url.contains("#") else {
        throw AuthorizationError(.configuration, "clientMetadataURL must be an https URL with a path.")
      }
    }
    switch grant {
    case .authorizationCode: break
    case .clientCredentials:
      guard let client else {
        throw AuthorizationError(.configuration, "The client credentials grant needs a client id and a secret or key.")
      }
      if case .none = client.proof {
        throw AuthorizationError(.configuration, "The client credentials grant needs a secret or a key.")
      }
    case .assertion, .enterprise:
      guard client != nil else {
        throw AuthorizationError(.configuration, "This grant needs a client id that the authorization server knows.")
      }
    }
  }
}
