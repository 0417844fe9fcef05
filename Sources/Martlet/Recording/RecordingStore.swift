import MartletJSON

/// A store that tells a recorder what is stored in it.
actor RecordingStore: BlobStore {
  private let base: any SessionStore
  private let recorder: Recorder
  /// The last record of each session that is in the recording.
  private var known: [String: Int] = [:]

  init(_ base: any SessionStore, recorder: Recorder) {
    self.base = base
    self.recorder = recorder
  }

  func acquire(session: String, owner: String, holder: String) async throws -> SessionLease {
    let lease = try await base.acquire(session: session, owner: owner, holder: holder)
    var fields: JSONObject = ["session": .string(session), "owner": .string(owner)]
    fields["keeps_blobs"] = .bool(base is any BlobStore)
    fields["previous_holder"] = lease.previousHolder.map { .string($0) } ?? .null
    recorder.write("session", fields)
    var seq = known[session] ?? 0
    do {
      while true {
        let records = try await base.records(of: session, owner: owner, after: seq, limit: 256)
        if records.isEmpty { break }
        for record in records { recorder.write("prior", ["session": .string(session), "record": record.json]) }
        seq = records.last?.seq ?? seq + records.count
      }
    } catch let error as SessionError where error.code == .notFound || error.code == .damaged {
      // New, or cut there; the agent meets the same.
    }
    known[session] = seq
    return lease
  }

  func append(_ records: [EventRecord], lease: SessionLease) async throws {
    try await base.append(records, lease: lease)
    if let last = records.last?.seq { known[lease.session] = last }
    for record in records { recorder.write("event", ["session": .string(lease.session), "record": record.json]) }
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
    guard let base = base as? any BlobStore else {
      throw SessionError(code: .storage, message: "this store keeps events alone")
    }
    try await base.keep(bytes, id: id, lease: lease)
  }

  func blob(_ id: String, session: String, owner: String) async throws -> [UInt8]? {
    try await (base as? any BlobStore)?.blob(id, session: session, owner: owner)
  }
}
