import Martlet
public import MartletJSON

/// What a client was granted at a server: a token, and what it takes to renew it. It belongs to one issuer, one resource
/// and one client.
public struct OAuthGrant: Sendable, Hashable {
  /// What a grant belongs to.
  public struct Key: Sendable, Hashable {
    /// The authorization server.
    public var issuer: String
    /// The server that tokens are for: the URL that its client was given.
    public var server: String
    /// The client id.
    public var clientID: String

    /// What a grant belongs to.
    public init(issuer: String, server: String, clientID: String) {
      self.issuer = issuer
      self.server = server
      self.clientID = clientID
    }
  }

  /// What it belongs to.
  public var key: Key
  /// The token; `nil` when it is used up. What a client was once bound to stays known.
  public var token: OAuthToken?
  /// The identifier of the resource, as tokens name it.
  var resource: String
  /// The scopes that were asked for.
  var requested: ScopeSet
  var endpoint: TokenEndpoint

  /// Reads what ``document`` wrote; `nil` for anything else.
  public init?(stored document: JSONValue) {
    guard let issuer = document["issuer"]?.stringValue, let server = document["server"]?.stringValue,
      let client = document["client_id"]?.stringValue, let resource = document["resource"]?.stringValue,
      let url = document["token_endpoint"]?.stringValue
    else { return nil }
    key = Key(issuer: issuer, server: server, clientID: client)
    token = document["token"].flatMap { OAuthToken(stored: $0) }
    self.resource = resource
    requested = ScopeSet(text: document["requested_scope"]?.stringValue ?? "")
    endpoint = TokenEndpoint(
      url: url, issuer: issuer, authenticationMethods: document["token_endpoint_auth_methods"]?.strings)
  }

  init(key: Key, token: OAuthToken?, resource: String, requested: ScopeSet, endpoint: TokenEndpoint) {
    self.key = key
    self.token = token
    self.resource = resource
    self.requested = requested
    self.endpoint = endpoint
  }

  /// For a store. It holds tokens.
  public var document: JSONValue {
    var object: JSONObject = [
      "version": 1, "issuer": .string(key.issuer), "server": .string(key.server), "client_id": .string(key.clientID),
      "resource": .string(resource), "requested_scope": .string(requested.text),
      "token_endpoint": .string(endpoint.url),
    ]
    if let methods = endpoint.authenticationMethods {
      object["token_endpoint_auth_methods"] = .array(methods.map(JSONValue.string))
    }
    if let token { object["token"] = token.document }
    return .object(object)
  }
}
