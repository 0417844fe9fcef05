public import MartletCrypto

/// A client that an authorization server knows, and how it proves to be that client.
///
/// Printing it shows the id and never a secret.
public struct OAuthClient: Sendable {
  /// How a client proves at the token endpoint who it is.
  public enum Proof: Sendable {
    /// Not at all: a public client. PKCE protects it.
    case none
    /// A secret, sent in the `Authorization` header or in the body, whichever the server offers; the header if both.
    case secret(String)
    /// A secret in the `Authorization` header (`client_secret_basic`).
    case secretInHeader(String)
    /// A secret in the body (`client_secret_post`).
    case secretInBody(String)
    /// A statement signed with a key (`private_key_jwt`, RFC 7523) and ES256; `keyID` goes into its head.
    case privateKey(ES256PrivateKey, keyID: String? = nil)
  }

  /// The client id.
  public var id: String
  /// How it proves to be that client.
  public var proof: Proof
  /// The issuer that the client is registered with; it is never shown to another. Without one the client belongs to the
  /// first that a server names, from then on.
  public var issuer: String?

  /// A client.
  public init(id: String, proof: Proof = .none, issuer: String? = nil) {
    self.id = id
    self.proof = proof
    self.issuer = issuer
  }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable {
  public var description: String { "OAuthClient(\(id))" }
  public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
