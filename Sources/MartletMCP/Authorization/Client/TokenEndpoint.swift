import Martlet
import MartletCrypto
import MartletHTTP
import MartletJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a client gets tokens, and all that a request there needs. Kept with a token, so that it can be renewed without
/// looking for anything.
struct TokenEndpoint: Sendable, Hashable {
  var url: String
  var issuer: String
  /// How clients may prove who they are; `nil` if the server does not say.
  var authenticationMethods: [String]?

  /// A request for a token.
  /// - Parameter statementID: unique, for a client that signs.
  func request(
    _ fields: FormFields, client: OAuthClient, at now: Timestamp, statementID: String
  ) throws(AuthorizationError) -> HTTPRequest {
    var fields = fields
    var headers: HTTPHeaders = [
      "content-type": "application/x-www-form-urlencoded", "accept": "application/json",
    ]
    switch try method(of: client) {
    case .none: fields.add("client_id", client.id)
    case .header(let secret):
      // RFC 6749, 2.3.1: both are form-encoded first.
      let pair = "\(FormFields.encoded(client.id)):\(FormFields.encoded(secret))"
      headers["authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
    case .body(let secret):
      fields.add("client_id", client.id)
      fields.add("client_secret", secret)
    case .statement(let key, let keyID):
      let seconds = now.milliseconds / 1000
      var header: JSONObject = ["typ": "JWT"]
      if let keyID { header["kid"] = .string(keyID) }
      // The audience is the issuer, not the endpoint: a statement must not serve at another server.
      let claims: JSONObject = [
        "iss": .string(client.id), "sub": .string(client.id), "aud": .string(issuer), "jti": .string(statementID),
        "iat": JSONValue(seconds), "exp": JSONValue(seconds + 300),
      ]
      fields.add("client_id", client.id)
      fields.add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
      fields.add("client_assertion", try SignedToken.make(header, claims, key: key))
    }
    var request = HTTPRequest(.post, url, headers: headers, body: .bytes(Array(fields.encoded.utf8)))
    request.timeouts = OAuthRequest.timeouts
    return request
  }

  private enum Method {
    case none
    case header(String)
    case body(String)
    case statement(ES256PrivateKey, String?)
  }

  private func method(of client: OAuthClient) throws(AuthorizationError) -> Method {
    switch client.proof {
    case .none: return .none
    case .secretInHeader(let secret): return .header(secret)
    case .secretInBody(let secret): return .body(secret)
    case .privateKey(let key, let keyID): return .statement(key, keyID)
    case .secret(let secret):
      // Where a server does not say, RFC 8414 means the header.
      let methods = authenticationMethods ?? ["client_secret_basic"]
      if methods.contains("client_secret_basic") { return .header(secret) }
      if methods.contains("client_secret_post") { return .body(secret) }
      if methods.contains("none") { return .none }
      throw AuthorizationError(
        .configuration, "The authorization server takes no client secrets, neither in the header nor in the body.")
    }
  }
}
