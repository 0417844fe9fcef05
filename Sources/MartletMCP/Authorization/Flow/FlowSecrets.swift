import MartletCrypto

/// What nobody must be able to guess, made for one flow.
struct FlowSecrets: Sendable {
  /// Ties the redirect to the request.
  let state: String
  /// Ties the code to this client (PKCE, RFC 7636): 43 characters.
  let verifier: String
  /// Makes a client's signed statement unique.
  let statementID: String

  init(state: String, verifier: String, statementID: String) {
    self.state = state
    self.verifier = verifier
    self.statementID = statementID
  }

  init() {
    state = Base64URL.encode(RandomBytes.make(count: 32))
    verifier = Base64URL.encode(RandomBytes.make(count: 32))
    statementID = Base64URL.encode(RandomBytes.make(count: 16))
  }

  /// The S256 challenge of the verifier (RFC 7636, 4.2).
  var challenge: String { Base64URL.encode(SHA256.hash(verifier.utf8).bytes) }
}
