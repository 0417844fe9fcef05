/// A store that begins with what the recorded session had before, and compares what is added.
actor ReplayStore: BlobStore {
  private let base: any SessionStore
  private let replay: Replay
  /// How often each session was taken.
  private var acquisitions: [String: Int] = [:]

  init(_ base: any SessionStore, replay: Replay) {
    self.base = base
    self.replay = replay
  }

  func acquire(session: String, owner: String, holder: String) async throws -> SessionLease {
    let lease = try await base.acquire(session: session, owner: owner, holder: holder)
    guard let track = replay.recording.tracks[session] else { return lease }
    if replay.hasBegun(session) {
      try await base.append(replay.takeForeign(session), lease: lease)
    } else {
      guard try await last(of: session, owner) == 0 else {
        await base.release(lease)
        throw SessionError(
          code: .exists, message: "the recorded session \(session) is in this store already: replay into another store")
      }
      try await base.append(track.prior, lease: lease)
    }
    defer { acquisitions[session, default: 0] += 1 }
    return SessionLease(
      session: lease.session, owner: lease.owner, holder: lease.holder, generation: lease.generation,
      previousHolder: track.previousHolders[min(acquisitions[session] ?? 0, track.previousHolders.count - 1)])
  }

  private func last(of session: String, _ owner: String) async throws -> Int {
    do {
      return try await base.records(of: session, owner: owner, after: 0, limit: 1).count
    } catch let error as SessionError where error.code == .notFound {
      return 0
    }
  }

  func append(_ records: [EventRecord], lease: SessionLease) async throws {
    var good: [EventRecord] = []
    do {
      for record in records {
        try replay.compare(record)
        good.append(record)
      }
    } catch let error as RecordingError {
      // What is as recorded stands.
      if !good.isEmpty { try await base.append(good, lease: lease) }
      replay.fail(error)
      throw error
    }
    try await base.append(good, lease: lease)
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
    guard replay.recording.tracks[lease.session]?.keepsBlobs != false, let base = base as? any BlobStore else {
      throw SessionError(code: .storage, message: "the recorded store kept events alone")
    }
    try await base.keep(bytes, id: id, lease: lease)
  }

  func blob(_ id: String, session: String, owner: String) async throws -> [UInt8]? {
    try await (base as? any BlobStore)?.blob(id, session: session, owner: owner)
  }
}
