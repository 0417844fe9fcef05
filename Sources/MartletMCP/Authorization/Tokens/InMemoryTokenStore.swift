/// Keeps grants and registrations until the process ends.
public actor InMemoryTokenStore: TokenStore {
  private var grants: [OAuthGrant] = []
  private var registrations: [String: ClientRegistration] = [:]

  /// An empty store.
  public init() {}

  public func grants(server: String) -> [OAuthGrant] { grants.filter { $0.key.server == server } }

  public func save(_ grant: OAuthGrant) {
    grants.removeAll { $0.key == grant.key }
    grants.insert(grant, at: 0)
  }

  public func registration(issuer: String) -> ClientRegistration? { registrations[issuer] }

  public func save(_ registration: ClientRegistration) { registrations[registration.issuer] = registration }

  public func removeRegistration(issuer: String) { registrations[issuer] = nil }

  public func removeGrants(server: String) { grants.removeAll { $0.key.server == server } }
}
