/// What an authorization server sent the browser back with.
struct AuthorizationCallback {
  /// The code in a redirect.
  ///
  /// The redirect must answer what was asked (`state`) and come from the server that was asked (`iss`, RFC 9207, compared
  /// as a string); before that nothing in it counts, not even an error.
  static func code(in callback: String, state: String, server: AuthorizationServerMetadata) throws(AuthorizationError)
    -> String
  {
    let query = callback.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
    guard let fields = FormFields(query.prefix { $0 != "#" }),
      ["state", "iss", "code", "error"].allSatisfy({ fields.values($0).count <= 1 })
    else { throw AuthorizationError(.invalidCallback, "The redirect from the authorization server cannot be read.") }
    guard let given = fields["state"], given == state else {
      throw AuthorizationError(
        .invalidCallback, "The redirect is not the answer to this request: its state is another.")
    }
    if let issuer = fields["iss"] {
      guard issuer == server.issuer else {
        throw AuthorizationError(
          .issuerMismatch, "The redirect comes from another authorization server than was asked.")
      }
    } else if server.sendsIssuer {
      throw AuthorizationError(
        .issuerMismatch, "The redirect does not name its issuer, though the authorization server says that it does.")
    }
    if let error = fields["error"] {
      let code = OAuthFailure.code(error)
      throw AuthorizationError(
        .denied, "The authorization server did not agree\(code.map { " (\($0))" } ?? "").", serverCode: code)
    }
    guard let code = fields["code"], !code.isEmpty else {
      throw AuthorizationError(.invalidCallback, "The redirect from the authorization server has no code.")
    }
    return code
  }
}
