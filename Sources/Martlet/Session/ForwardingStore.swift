/// A store that does what another one does, but for what it does itself.
package protocol ForwardingStore: SessionStore {
  /// The other one.
  nonisolated var base: any SessionStore { get }
}

extension ForwardingStore {
  package func acquire(session: String, owner: String, holder: String) async throws -> SessionLease {
    try await base.acquire(session: session, owner: owner, holder: holder)
  }

  package func release(_ lease: SessionLease) async { await base.release(lease) }

  package func append(_ records: [EventRecord], lease: SessionLease) async throws {
    try await base.append(records, lease: lease)
  }

  package func records(
    of session: String, owner: String, after seq: Int, limit: Int
  ) async throws -> [EventRecord] {
    try await base.records(of: session, owner: owner, after: seq, limit: limit)
  }

  package func sessions(owner: String) async throws -> [SessionSummary] { try await base.sessions(owner: owner) }

  package func search(_ query: String, owner: String, limit: Int) async throws -> [SessionMatch] {
    try await base.search(query, owner: owner, limit: limit)
  }

  package func fork(_ first: EventRecord, owner: String) async throws { try await base.fork(first, owner: owner) }

  package func quarantine(from seq: Int, lease: SessionLease) async throws -> String {
    try await base.quarantine(from: seq, lease: lease)
  }

  package func delete(session: String, owner: String) async throws {
    try await base.delete(session: session, owner: owner)
  }
}

extension ForwardingStore where Self: BlobStore {
  package func keep(_ bytes: [UInt8], id: String, lease: SessionLease) async throws {
    guard let base = base as? any BlobStore else {
      throw SessionError(code: .storage, message: "this store keeps events alone")
    }
    try await base.keep(bytes, id: id, lease: lease)
  }

  package func blob(_ id: String, session: String, owner: String) async throws -> [UInt8]? {
    try await (base as? any BlobStore)?.blob(id, session: session, owner: owner)
  }
}
