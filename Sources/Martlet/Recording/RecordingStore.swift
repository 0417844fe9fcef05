import MartletJSON

/// A store that tells a recorder what is stored in it.
actor RecordingStore: ForwardingStore, BlobStore {
  let base: any SessionStore
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
}
