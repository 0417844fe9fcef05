/// A store that begins with what the recorded session had before, and compares what is added.
actor ReplayStore: ForwardingStore, BlobStore {
  let base: any SessionStore
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

  func keep(_ bytes: [UInt8], id: String, lease: SessionLease) async throws {
    guard replay.recording.tracks[lease.session]?.keepsBlobs != false, let base = base as? any BlobStore else {
      throw SessionError(code: .storage, message: "the recorded store kept events alone")
    }
    try await base.keep(bytes, id: id, lease: lease)
  }
}
