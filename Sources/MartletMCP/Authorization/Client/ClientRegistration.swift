public import MartletJSON

/// A client that was registered at an authorization server by itself (RFC 7591). It belongs to that issuer alone.
public struct ClientRegistration: Sendable, Hashable {
  /// Where it is registered.
  public let issuer: String
  /// The client id.
  public let clientID: String
  /// The secret, if there is one.
  public let secret: String?
  /// How the server wants the secret: `none`, `client_secret_basic`, `client_secret_post`; `nil` if it did not say.
  public let authenticationMethod: String?
  /// Where its redirects may lead.
  public let redirectURI: String
  /// When the secret ends, in seconds since 1970; `nil` for never.
  public let secretExpiry: Int?

  init(
    issuer: String, clientID: String, secret: String?, authenticationMethod: String?, redirectURI: String,
    secretExpiry: Int?
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.secret = secret
    self.authenticationMethod = authenticationMethod
    self.redirectURI = redirectURI
    self.secretExpiry = secretExpiry
  }

  /// Reads what a server answered to a registration.
  init(_ response: JSONValue, issuer: String, redirectURI: String) throws(AuthorizationError) {
    guard let id = response["client_id"]?.stringValue, !id.isEmpty else {
      throw AuthorizationError(.registrationFailed, "The authorization server registered the client without an id.")
    }
    let expiry = response["client_secret_expires_at"]?.intValue ?? 0
    self.init(
      issuer: issuer, clientID: id, secret: response["client_secret"]?.stringValue,
      authenticationMethod: response["token_endpoint_auth_method"]?.stringValue, redirectURI: redirectURI,
      secretExpiry: expiry > 0 ? expiry : nil)
  }

  /// Reads what ``document`` wrote; `nil` for anything else.
  public init?(stored document: JSONValue) {
    guard let issuer = document["issuer"]?.stringValue, let id = document["client_id"]?.stringValue,
      let redirect = document["redirect_uri"]?.stringValue
    else { return nil }
    self.init(
      issuer: issuer, clientID: id, secret: document["client_secret"]?.stringValue,
      authenticationMethod: document["token_endpoint_auth_method"]?.stringValue, redirectURI: redirect,
      secretExpiry: document["client_secret_expires_at"]?.intValue)
  }

  /// For a store. It holds the secret.
  public var document: JSONValue {
    var object: JSONObject = [
      "version": 1, "issuer": .string(issuer), "client_id": .string(clientID), "redirect_uri": .string(redirectURI),
    ]
    if let secret { object["client_secret"] = .string(secret) }
    if let authenticationMethod { object["token_endpoint_auth_method"] = .string(authenticationMethod) }
    if let secretExpiry { object["client_secret_expires_at"] = JSONValue(secretExpiry) }
    return .object(object)
  }

  var client: OAuthClient {
    let proof: OAuthClient.Proof =
      switch (secret, authenticationMethod) {
      case (nil, _), (_, "none"): .none
      case (let secret?, "client_secret_basic"): .secretInHeader(secret)
      case (let secret?, "client_secret_post"): .secretInBody(secret)
      case (let secret?, _): .secret(secret)
      }
    return OAuthClient(id: clientID, proof: proof, issuer: issuer)
  }
}

extension ClientRegistration: CustomStringConvertible, CustomReflectable {
  public var description: String { "ClientRegistration(\(clientID))" }
  public var customMirror: Mirror { Mirror(self, children: ["clientID": clientID]) }
}
