import Martlet
import MartletCrypto
import MartletJSON

/// Keeps grants and registrations as files in a directory, readable for the user alone (0600, the directory 0700).
///
/// One file for each issuer, server and client; a new one takes the place of the old at once, so that a crash leaves one
/// or the other. A file that others may read or write, or that is another user's, is refused and not used.
public actor FileTokenStore: TokenStore {
  /// The directory, absolute.
  public nonisolated let directory: String

  /// A store in a directory, which is made when something is kept.
  public init(directory: String) { self.directory = directory }

  public func grants(server: String) throws -> [OAuthGrant] {
    let prefix = grantPrefix(server)
    var found: [(name: String, order: Int64, grant: OAuthGrant)] = []
    for name in try storing({ () throws(StorageFile.Failure) in try StorageFile.names(in: directory) })
    where name.hasPrefix(prefix) && name.hasSuffix(".json") {
      guard let document = try read(name), let grant = OAuthGrant(stored: document), grant.key.server == server else {
        continue
      }
      found.append((name, document["saved"]?.intValue.map(Int64.init) ?? 0, grant))
    }
    return found.sorted { ($1.order, $0.name) < ($0.order, $1.name) }.map(\.grant)
  }

  public func save(_ grant: OAuthGrant) throws {
    try write(grant.document, name: grantPrefix(grant.key.server) + hash("\(grant.key.issuer)\n\(grant.key.clientID)"))
  }

  public func registration(issuer: String) throws -> ClientRegistration? {
    guard let found = try read(registrationName(issuer) + ".json").flatMap({ ClientRegistration(stored: $0) }),
      found.issuer == issuer
    else { return nil }
    return found
  }

  public func save(_ registration: ClientRegistration) throws {
    try write(registration.document, name: registrationName(registration.issuer))
  }

  public func removeRegistration(issuer: String) throws {
    let path = "\(directory)/\(registrationName(issuer)).json"
    try storing { () throws(StorageFile.Failure) in try StorageFile.remove(path) }
  }

  public func removeGrants(server: String) throws {
    let prefix = grantPrefix(server)
    try storing { () throws(StorageFile.Failure) in
      for name in try StorageFile.names(in: directory) where name.hasPrefix(prefix) {
        try StorageFile.remove("\(directory)/\(name)")
      }
    }
  }

  private func grantPrefix(_ server: String) -> String { "grant-\(hash(server))-" }

  private func registrationName(_ issuer: String) -> String { "client-\(hash(issuer))" }

  /// Names say nothing about what is kept.
  private func hash(_ text: String) -> String { String(SHA256.hash(text.utf8).hex.prefix(32)) }

  private func read(_ name: String) throws -> JSONValue? {
    let path = "\(directory)/\(name)"
    guard StorageFile.exists(path) else { return nil }
    let bytes = try storing { () throws(StorageFile.Failure) -> [UInt8]? in
      let file = try StorageFile(path)
      guard try file.isPrivate else { return nil }
      return try file.read(0..<min(try file.size, 1 << 20))
    }
    guard let bytes else {
      throw AuthorizationError(
        .storage,
        "The file \(path) may be read by others, or is another user's; it is not used. Remove it, or chmod 600 it.")
    }
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      // Tokens can be had again; a damaged file must not lock anybody out. The next save replaces it.
      return nil
    }
  }

  private func write(_ document: JSONValue, name: String) throws {
    var document = document
    document["saved"] = JSONValue(Timestamp.now.milliseconds)
    let bytes = document.bytes(.pretty)
    let path = "\(directory)/\(name).json"
    let temporary = "\(path).\(Base64URL.encode(RandomBytes.make(count: 9))).new"
    try storing { () throws(StorageFile.Failure) in
      try StorageFile.makeDirectory(directory)
      do throws(StorageFile.Failure) {
        let file = try StorageFile(temporary, create: true, exclusive: true)
        try file.write(bytes, at: 0)
        try file.sync()
        try StorageFile.rename(temporary, to: path)
        try StorageFile.syncDirectory(directory)
      } catch {
        do { try StorageFile.remove(temporary) } catch {
          // The first failure says more.
        }
        throw error
      }
    }
  }

  private func storing<Result>(_ body: () throws(StorageFile.Failure) -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw AuthorizationError(.storage, "Tokens cannot be kept in \(directory): \(error).", underlying: error)
    }
  }
}
