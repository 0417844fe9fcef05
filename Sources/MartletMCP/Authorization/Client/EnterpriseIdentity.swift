/// Who a person is to their company's identity provider, and how it is asked to vouch for them (enterprise-managed
/// authorization: RFC 8693 gives an identity assertion that the server's own authorization server takes).
public struct EnterpriseIdentity: Sendable {
  /// What proves who the person is.
  public enum SubjectTokenType: String, Sendable {
    /// An OpenID Connect ID token.
    case idToken = "urn:ietf:params:oauth:token-type:id_token"
    /// A refresh token of the identity provider.
    case refreshToken = "urn:ietf:params:oauth:token-type:refresh_token"
    /// A SAML 2.0 assertion.
    case saml2 = "urn:ietf:params:oauth:token-type:saml2"
  }

  /// The issuer of the identity provider.
  public var issuer: String
  /// Its token endpoint.
  public var tokenEndpoint: String
  /// The client at the identity provider, which is another than the one at the authorization server.
  public var client: OAuthClient
  /// What kind of token ``subjectToken`` returns.
  public var subjectTokenType: SubjectTokenType
  /// What proves who the person is; asked for each time.
  public var subjectToken: @Sendable () async throws -> String

  /// An identity.
  public init(
    issuer: String, tokenEndpoint: String, client: OAuthClient, subjectTokenType: SubjectTokenType = .idToken,
    subjectToken: @escaping @Sendable () async throws -> String
  ) {
    self.issuer = issuer
    self.tokenEndpoint = tokenEndpoint
    self.client = client
    self.subjectTokenType = subjectTokenType
    self.subjectToken = subjectToken
  }
}
