import Foundation
import Martlet

/// A store that kills the program at one of its appends: `MARTLET_DIE` is `before:N` or `after:N`, with N from 1.
actor DyingStore: BlobStore {
  private let base: any SessionStore
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

  func acquire(session: String, owner: String, holder: String) async throws -> SessionLease {
    try await base.acquire(session: session, owner: owner, holder: holder)
  }
  func release(_ lease: SessionLease) async { await base.release(lease) }
  func records(of session: String, owner: String, after seq: Int, limit: Int) async throws -> [EventRecord] {
    try await base.records(of: session, owner: owner, after: seq, limit: limit)
  }
  func sessions(owner: String) async throws -> [SessionSummary] { try await base.sessions(owner: owner) }
  func search(_ query: String, owner: String, limit: Int) async throws -> [SessionMatch] {
    try await base.search(query, owner: owner, limit: limit)
  }
  func fork(_ first: EventRecord, owner: String) async throws { try await base.fork(first, owner: owner) }
  func quarantine(from seq: Int, lease: SessionLease) async throws -> String {
    try await base.quarantine(from: seq, lease: lease)
  }
  func delete(session: String, owner: String) async throws { try await base.delete(session: session, owner: owner) }
  func keep(_ bytes: [UInt8], id: String, lease: SessionLease) async throws {
    try await (base as? any BlobStore)?.keep(bytes, id: id, lease: lease)
  }
  func blob(_ id: String, session: String, owner: String) async throws -> [UInt8]? {
    try await (base as? any BlobStore)?.blob(id, session: session, owner: owner)
  }
}
