#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The right to append to a session.
public struct SessionLease: Sendable, Hashable {
  /// The session.
  public let session: String
  /// Whose session it is.
  public let owner: String
  /// Who holds the lease, in words that help a person find it (`pid 4711 on host`).
  public let holder: String
  /// Another one for every lease of the session: an append under an older one fails.
  public let generation: Int
  /// Who held the session before and is gone without having given it back; nil when the last holder let go of it.
  public let previousHolder: String?

  /// A lease; made by stores.
  public init(session: String, owner: String, holder: String, generation: Int, previousHolder: String? = nil) {
    self.session = session
    self.owner = owner
    self.holder = holder
    self.generation = generation
    self.previousHolder = previousHolder
  }

  /// This process, as a holder.
  static let thisProcess: String = {
    var name = [CChar](repeating: 0, count: 256)
    let process = "pid \(ProcessInfo.processInfo.processIdentifier)"
    guard gethostname(&name, name.count - 1) == 0 else { return process }
    return process + " on " + String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()
}
