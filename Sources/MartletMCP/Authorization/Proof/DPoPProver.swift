import Martlet
import MartletCrypto
import MartletHTTP
import MartletJSON

/// Proofs that requests come from the holder of a key (RFC 9449): each a token of its own, for one method and URL.
struct DPoPProver: Sendable {
  private let key: ES256PrivateKey
  private let jwk: JSONObject
  /// The last nonce of each server.
  private var nonces: [String: String] = [:]

  /// A key for as long as the process lives. Tokens bound to it end with it, so they are not kept in stores.
  init() throws(AuthorizationError) {
    do {
      key = try ES256PrivateKey()
      let (x, y) = try key.publicKey.coordinates
      jwk = ["kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(y)]
    } catch {
      throw AuthorizationError(.configuration, "No key can be made that tokens are bound to.", underlying: error)
    }
  }

  /// Adds a proof to a request.
  /// - Parameter token: the token that goes with the request; `nil` at the token endpoint.
  func sign(_ request: inout HTTPRequest, token: String?, at now: Timestamp) throws(AuthorizationError) {
    // Query and fragment are no part of what is proved (RFC 9449, 4.2).
    let url = String(request.url.prefix { $0 != "?" && $0 != "#" })
    var claims: JSONObject = [
      "jti": .string(Base64URL.encode(RandomBytes.make(count: 16))), "htm": .string(request.method.rawValue),
      "htu": .string(url), "iat": JSONValue(now.milliseconds / 1000),
    ]
    if let token { claims["ath"] = .string(Base64URL.encode(SHA256.hash(token.utf8).bytes)) }
    if let nonce = WebAddress(url).flatMap({ nonces[$0.origin] }) { claims["nonce"] = .string(nonce) }
    request.headers["dpop"] = try SignedToken.make(["typ": "dpop+jwt", "jwk": .object(jwk)], claims, key: key)
  }

  /// Remembers the nonce of a response for the next request there. Whether it is another than the last.
  mutating func take(_ headers: HTTPHeaders, from url: String) -> Bool {
    guard let nonce = headers["dpop-nonce"], let origin = WebAddress(url)?.origin, nonces[origin] != nonce else {
      return false
    }
    nonces[origin] = nonce
    return true
  }
}
