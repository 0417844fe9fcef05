import MartletJSON

/// The errors of authorization servers (RFC 6749, 5.2).
enum OAuthFailure {
  /// A code as it may be shown: a short word. Anything else might be something else.
  static func code(_ text: String) -> String? {
    let isWord = text.utf8.allSatisfy {
      $0 == 0x5F || $0 == 0x2E || $0 == 0x2D || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26
    }
    return isWord && !text.isEmpty && text.utf8.count <= 40 ? text : nil
  }

  /// What the answer of a token endpoint says that is not a token.
  static func token(status: Int, _ document: JSONValue?) -> AuthorizationError {
    let code = document?["error"]?.stringValue.flatMap(code)
    guard status < 500 else {
      return AuthorizationError(
        .unreachable, "The authorization server failed with status \(status).", serverCode: code)
    }
    let what = code.map { " (\($0))" } ?? " with status \(status)"
    switch code {
    case "invalid_client", "unauthorized_client":
      return AuthorizationError(
        .clientRejected, "The authorization server does not accept this client\(what).", serverCode: code)
    case "access_denied":
      return AuthorizationError(.denied, "The authorization server did not agree\(what).", serverCode: code)
    default:
      return AuthorizationError(.refused, "The authorization server refuses a token\(what).", serverCode: code)
    }
  }
}
