import MartletCrypto
import MartletJSON

/// JSON Web Tokens signed with ES256 (RFC 7519, RFC 7515).
enum SignedToken {
  static func make(_ header: JSONObject, _ claims: JSONObject, key: ES256PrivateKey) throws(AuthorizationError)
    -> String
  {
    var header = header
    header["alg"] = "ES256"
    let head = Base64URL.encode(JSONValue.object(header).bytes())
    let content = "\(head).\(Base64URL.encode(JSONValue.object(claims).bytes()))"
    do {
      return "\(content).\(Base64URL.encode(try key.signature(for: Array(content.utf8))))"
    } catch {
      throw AuthorizationError(
        .configuration, "A statement could not be signed with the client's key.", underlying: error)
    }
  }
}
