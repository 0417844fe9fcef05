import MartletCrypto
import MartletJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a client holds for a server between two rounds of a request: signed, bound to the request and its caller, good for
/// a while. The client can read it and cannot change it.
public struct RequestState: Sendable {
  let key: [UInt8]
  let lifetime: Duration

  /// A new key.
  public static func makeKey() -> [UInt8] { RandomBytes.make(count: 32) }

  /// - Parameters:
  ///   - request: what the state belongs to; see ``digest(_:_:_:)``.
  ///   - now: seconds since 1970.
  func sealed(_ content: JSONObject, for request: Digest, now: Int) -> String {
    let body: JSONValue = [
      "c": .object(content), "r": .string(request.hex), "e": JSONValue(now + Int(lifetime.components.seconds)),
    ]
    let bytes = body.bytes(.canonical)
    let code = HMAC.sha256(bytes, key: key)
    return Data(bytes).base64EncodedString() + "." + code.hex
  }

  /// The content of a state that came back; nil if it is not ours, not of this request, or too old.
  func opened(_ text: String, for request: Digest, now: Int) -> JSONObject? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let data = Data(base64Encoded: String(parts[0])), let code = Digest(hex: parts[1]) else {
      return nil
    }
    let bytes = Array(data)
    // In constant time, before anything in it is looked at.
    guard HMAC.sha256(bytes, key: key) == code else { return nil }
    guard let body = try? JSONValue(parsing: bytes), body["r"]?.stringValue == request.hex,
      let expiry = body["e"]?.intValue, expiry > now
    else { return nil }
    return body["c"]?.objectValue
  }

  /// What tells one request from another: method, parameters without what changes from round to round, caller.
  static func digest(_ method: String, _ params: JSONObject, _ principal: String?) -> Digest {
    var params = params
    params.removeAll { key, _ in key == "_meta" || key == "inputResponses" || key == "requestState" }
    let identity: JSONValue = [.string(method), .object(params), principal.map { .string($0) } ?? .null]
    return SHA256.hash(identity.bytes(.canonical))
  }
}
