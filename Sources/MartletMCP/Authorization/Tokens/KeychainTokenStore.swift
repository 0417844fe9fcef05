#if canImport(Security)
  import Foundation
  import MartletJSON
  import Security

  /// Keeps grants and registrations in the keychain, on this device and readable once it was unlocked.
  public actor KeychainTokenStore: TokenStore {
    /// The service that items are kept under.
    public nonisolated let service: String

    /// A store in the user's keychain.
    public init(service: String = "martlet.mcp") { self.service = service }

    public func grants(server: String) throws -> [OAuthGrant] {
      try list(server).compactMap { OAuthGrant(stored: $0) }
    }

    public func save(_ grant: OAuthGrant) throws {
      var all = try grants(server: grant.key.server).filter { $0.key != grant.key }
      all.insert(grant, at: 0)
      try write(.array(all.map(\.document)), account: "grants \(grant.key.server)")
    }

    public func registration(issuer: String) throws -> ClientRegistration? {
      try read("client \(issuer)").flatMap { ClientRegistration(stored: $0) }
    }

    public func save(_ registration: ClientRegistration) throws {
      try write(registration.document, account: "client \(registration.issuer)")
    }

    public func removeRegistration(issuer: String) throws { try remove("client \(issuer)") }

    public func removeGrants(server: String) throws { try remove("grants \(server)") }

    private func list(_ server: String) throws -> [JSONValue] { try read("grants \(server)")?.arrayValue ?? [] }

    private func item(_ account: String) -> [CFString: CFTypeRef] {
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service as CFString,
        kSecAttrAccount: account as CFString,
      ]
    }

    private func read(_ account: String) throws -> JSONValue? {
      var query = item(account)
      query[kSecReturnData] = kCFBooleanTrue
      query[kSecMatchLimit] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      try check(status)
      guard let data = found as? Data else { return nil }
      do {
        return try JSONValue(parsing: Array(data))
      } catch {
        // Tokens can be had again; what is damaged must not lock anybody out.
        return nil
      }
    }

    private func write(_ document: JSONValue, account: String) throws {
      let data = Data(document.bytes()) as CFData
      let status = SecItemUpdate(item(account) as CFDictionary, [kSecValueData: data] as CFDictionary)
      guard status == errSecItemNotFound else { return try check(status) }
      var added = item(account)
      added[kSecValueData] = data
      added[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      try check(SecItemAdd(added as CFDictionary, nil))
    }

    private func remove(_ account: String) throws {
      let status = SecItemDelete(item(account) as CFDictionary)
      if status != errSecItemNotFound { try check(status) }
    }

    private func check(_ status: OSStatus) throws {
      guard status == errSecSuccess else {
        throw AuthorizationError(.storage, "The keychain cannot be used (status \(status)).")
      }
    }
  }
#endif
