public import Martlet
import MartletJSON

/// What an authorization server issued. Printing it shows no token.
public struct OAuthToken: Sendable, Hashable {
  /// What goes with requests.
  public var access: String
  /// `Bearer` or `DPoP`.
  public var type: String
  /// What a new one is asked for with.
  public var refresh: String?
  /// When it ends; `nil` if the server did not say.
  public var expiry: Timestamp?
  /// The scopes that were granted; `nil` when the server did not say, so those that were asked for.
  public var scope: String?

  /// Reads the answer of a token endpoint (RFC 6749, 5.1).
  init(_ response: JSONValue, at now: Timestamp) throws(AuthorizationError) {
    guard let access = response["access_token"]?.stringValue, !access.isEmpty,
      access.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw AuthorizationError(.invalidResponse, "The authorization server answered without a usable token.") }
    let type = response["token_type"]?.stringValue ?? "Bearer"
    switch type.lowercased() {
    case "bearer": self.type = "Bearer"
    case "dpop": self.type = "DPoP"
    default: throw AuthorizationError(.invalidResponse, "The authorization server issued a token of an unknown type.")
    }
    self.access = access
    refresh = response["refresh_token"]?.stringValue
    scope = response["scope"]?.stringValue
    // Some servers write the number as a string.
    let text = response["expires_in"]?.stringValue
    let seconds = response["expires_in"]?.doubleValue ?? text.flatMap(Double.init)
    expiry = seconds.flatMap { seconds in
      guard seconds >= 0, seconds < 1e10 else { return nil }
      return Timestamp(milliseconds: now.milliseconds + Int64(seconds * 1000))
    }
  }

  init?(stored document: JSONValue) {
    guard let access = document["access_token"]?.stringValue, let type = document["token_type"]?.stringValue else {
      return nil
    }
    self.access = access
    self.type = type
    refresh = document["refresh_token"]?.stringValue
    scope = document["scope"]?.stringValue
    expiry = document["expires"]?.stringValue.flatMap { Timestamp($0) }
  }

  var document: JSONValue {
    var object: JSONObject = ["access_token": .string(access), "token_type": .string(type)]
    if let refresh { object["refresh_token"] = .string(refresh) }
    if let scope { object["scope"] = .string(scope) }
    if let expiry { object["expires"] = .string(expiry.description) }
    return .object(object)
  }

  /// Whether it ends within a time.
  func expires(within skew: Duration, at now: Timestamp) -> Bool {
    guard let expiry else { return false }
    return expiry.since(now) <= skew
  }
}

extension OAuthToken: CustomStringConvertible, CustomReflectable {
  public var description: String { "OAuthToken(\(type))" }
  public var customMirror: Mirror { Mirror(self, children: ["type": type]) }
}
