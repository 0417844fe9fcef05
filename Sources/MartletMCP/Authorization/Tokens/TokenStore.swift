/// Keeps grants and registrations. What it keeps are secrets.
public protocol TokenStore: Sendable {
  /// Everything that was granted at a server, the newest first.
  func grants(server: String) async throws -> [OAuthGrant]
  /// Keeps a grant in place of the one with its key.
  func save(_ grant: OAuthGrant) async throws
  /// The client that was registered at an issuer.
  func registration(issuer: String) async throws -> ClientRegistration?
  /// Keeps a registration in place of the issuer's last one.
  func save(_ registration: ClientRegistration) async throws
  /// Forgets the client that was registered at an issuer.
  func removeRegistration(issuer: String) async throws
  /// Forgets everything that was granted at a server.
  func removeGrants(server: String) async throws
}
