/// Checks the tokens that clients send: by their signature, by asking the authorization server (RFC 7662), or in a table.
public protocol TokenValidator: Sendable {
  /// What a token allows, or `nil` for one that is not valid. Whether it is for this server, still runs and suffices is
  /// checked by ``ResourceGuard``.
  /// - Throws: when it cannot be told; the request then fails with 503, not with 401.
  func validate(_ token: String) async throws -> AccessGrant?
}
