#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The right to append to a session.
public struct SessionLease: Sendable, Hashable {
  /// The session.
  public let session: String
  /// Whose session it is.
  public let owner: String
  /// Who holds the lease, in words that help a person find it (`pid 4711 on host`).
  public let holder: String
  /// Grows with every lease of the session: an append under an older one fails.
  public let generation: Int

  /// A lease; made by stores.
  public init(session: String, owner: String, holder: String, generation: Int) {
    self.session = session
    self.owner = owner
    self.holder = holder
    self.generation = generation
  }

  /// This process, as a holder.
  static let thisProcess: String = "pid \(ProcessInfo.processInfo.processIdentifier)"
}
