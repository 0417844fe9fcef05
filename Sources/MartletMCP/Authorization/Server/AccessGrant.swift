public import Martlet
public import MartletJSON

/// What a valid token allows, as the one who checked it found.
public struct AccessGrant: Sendable, Hashable {
  /// Whom the client acts for, if anybody.
  public var subject: String?
  /// The client.
  public var clientID: String?
  /// What was granted.
  public var scopes: [String]
  /// When it ends.
  public var expiry: Timestamp?
  /// The resources that the token is for (`aud`). A token that names none is for nobody.
  public var audience: [String]
  /// Everything else that is known.
  public var claims: JSONObject

  /// What a token allows.
  public init(
    subject: String? = nil, clientID: String? = nil, scopes: [String] = [], expiry: Timestamp? = nil,
    audience: [String], claims: JSONObject = [:]
  ) {
    self.subject = subject
    self.clientID = clientID
    self.scopes = scopes
    self.expiry = expiry
    self.audience = audience
    self.claims = claims
  }
}
