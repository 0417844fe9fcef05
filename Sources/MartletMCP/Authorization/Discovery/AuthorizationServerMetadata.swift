import MartletJSON

/// What an authorization server says about itself (RFC 8414, OpenID Connect Discovery 1.0).
struct AuthorizationServerMetadata: Sendable, Hashable {
  var issuer: String
  var authorizationEndpoint: String?
  var tokenEndpoint: String?
  var registrationEndpoint: String?
  var scopesSupported: [String]?
  var authenticationMethods: [String]?
  var codeChallengeMethods: [String]?
  var takesClientMetadataURLs: Bool
  var sendsIssuer: Bool
  var dpopAlgorithms: [String]

  /// Reads a document and checks that it is the asked server's own (RFC 8414, 3.3): compared as strings.
  init(_ document: JSONValue, of issuer: String) throws(AuthorizationError) {
    guard let named = document["issuer"]?.stringValue else {
      throw AuthorizationError(.invalidResponse, "The metadata of the authorization server names no issuer.")
    }
    guard named == issuer else {
      throw AuthorizationError(
        .issuerMismatch, "The metadata of the authorization server is another's: its issuer is not the one asked for.")
    }
    self.issuer = named
    authorizationEndpoint = document["authorization_endpoint"]?.stringValue
    tokenEndpoint = document["token_endpoint"]?.stringValue
    registrationEndpoint = document["registration_endpoint"]?.stringValue
    scopesSupported = document["scopes_supported"]?.strings
    authenticationMethods = document["token_endpoint_auth_methods_supported"]?.strings
    codeChallengeMethods = document["code_challenge_methods_supported"]?.strings
    takesClientMetadataURLs = document["client_id_metadata_document_supported"]?.boolValue ?? false
    sendsIssuer = document["authorization_response_iss_parameter_supported"]?.boolValue ?? false
    dpopAlgorithms = document["dpop_signing_alg_values_supported"]?.strings ?? []
  }

  /// The endpoints that revision 2025-03-26 assumes where there is no metadata.
  init(assumedAt origin: WebAddress) {
    issuer = origin.origin
    authorizationEndpoint = origin.with(path: "/authorize").text
    tokenEndpoint = origin.with(path: "/token").text
    registrationEndpoint = origin.with(path: "/register").text
    codeChallengeMethods = ["S256"]
    takesClientMetadataURLs = false
    sendsIssuer = false
    dpopAlgorithms = []
  }
}
