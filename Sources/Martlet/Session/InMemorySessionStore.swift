/// Sessions that live as long as the process. Of each, 64 MiB of blobs are kept; then the oldest go.
public actor InMemorySessionStore: BlobStore {
  private struct Key: Hashable {
    var session: String
    var owner: String
  }

  private struct Log {
    var records: [EventRecord] = []
    var generation = 0
    var holder: String?
    var blobs: [String: [UInt8]] = [:]
    /// Ids of the blobs, oldest first.
    var blobOrder: [String] = []
  }

  private static let blobLimit = 64 << 20

  private var logs: [Key: Log] = [:]

  /// An empty store.
  public init() {}

  public func acquire(session: String, owner: String, holder: String) throws -> SessionLease {
    var log = logs[Key(session: session, owner: owner)] ?? Log()
    if let current = log.holder {
      throw SessionError(
        code: .leaseHeld, message: "session \(session) is in use by \(current): wait for it, or use another session")
    }
    log.generation += 1
    log.holder = holder
    logs[Key(session: session, owner: owner)] = log
    return SessionLease(session: session, owner: owner, holder: holder, generation: log.generation)
  }

  public func release(_ lease: SessionLease) {
    let key = Key(session: lease.session, owner: lease.owner)
    guard logs[key]?.generation == lease.generation else { return }
    logs[key]?.holder = nil
    if logs[key]?.records.isEmpty == true { logs[key] = nil }
  }

  public func append(_ records: [EventRecord], lease: SessionLease) throws {
    let key = Key(session: lease.session, owner: lease.owner)
    guard logs[key]?.generation == lease.generation, logs[key]?.holder != nil else {
      throw SessionError(
        code: .leaseLost, message: "session \(lease.session) was taken over by another process: reopen it to continue")
    }
    var seq = logs[key]?.records.count ?? 0
    for record in records {
      seq += 1
      guard record.seq == seq else {
        throw SessionError(
          code: .sequenceConflict,
          message: "record \(record.seq ?? 0) does not follow \(seq - 1) in session \(lease.session)")
      }
    }
    logs[key]?.records += records
  }

  public func records(of session: String, owner: String, after seq: Int, limit: Int) throws -> [EventRecord] {
    guard let log = logs[Key(session: session, owner: owner)] else {
      throw SessionError(code: .notFound, message: "there is no session \(session)")
    }
    let start = min(max(0, seq), log.records.count)
    return Array(log.records[start...].prefix(max(0, limit)))
  }

  public func keep(_ bytes: [UInt8], id: String, lease: SessionLease) throws {
    let key = Key(session: lease.session, owner: lease.owner)
    guard var log = logs[key], log.generation == lease.generation else {
      throw SessionError(
        code: .leaseLost, message: "session \(lease.session) was taken over by another process: reopen it to continue")
    }
    logs[key] = nil  // so that nothing is copied
    log.blobOrder.removeAll { $0 == id }
    log.blobOrder.append(id)
    log.blobs[id] = bytes
    var size = log.blobs.values.reduce(0) { $0 + $1.count }
    while size > Self.blobLimit, log.blobOrder.count > 1 {
      size -= log.blobs.removeValue(forKey: log.blobOrder.removeFirst())?.count ?? 0
    }
    logs[key] = log
  }

  public func blob(_ id: String, session: String, owner: String) -> [UInt8]? {
    logs[Key(session: session, owner: owner)]?.blobs[id]
  }

  public func sessions(owner: String) -> [SessionSummary] {
    logs.compactMap { key, log -> SessionSummary? in
      guard key.owner == owner, let first = log.records.first, let last = log.records.last else { return nil }
      var title: String?
      for record in log.records {
        switch record.event {
        case .sessionCreated(let created): title = created.title
        case .sessionUpdated(let updated): title = updated.title ?? title
        default: break
        }
      }
      return SessionSummary(
        id: key.session, title: title, createdAt: first.time, updatedAt: last.time, lastSeq: log.records.count)
    }.sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
  }

  public func delete(session: String, owner: String) {
    logs[Key(session: session, owner: owner)] = nil
  }
}
