import Foundation
import Martlet

/// A store that kills the program at one of its appends: `MARTLET_DIE` is `before:N` or `after:N`, with N from 1.
actor DyingStore: ForwardingStore, BlobStore {
  let base: any SessionStore
  private let isBefore: Bool
  private let count: Int
  private var appends = 0

  init?(_ base: any SessionStore, environment: [String: String]) {
    guard let parts = environment["MARTLET_DIE"]?.split(separator: ":"), parts.count == 2, let count = Int(parts[1])
    else { return nil }
    self.base = base
    self.count = count
    isBefore = parts[0] == "before"
  }

  func append(_ records: [EventRecord], lease: SessionLease) async throws {
    appends += 1
    if isBefore, appends == count { kill(getpid(), SIGKILL) }
    try await base.append(records, lease: lease)
    if appends == count { kill(getpid(), SIGKILL) }
  }
}
