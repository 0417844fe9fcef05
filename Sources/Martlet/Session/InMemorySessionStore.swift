import MartletSync

/// Sessions that live as long as the process. Of each, 64 MiB of blobs are kept; then the oldest go.
public final class InMemorySessionStore: BlobStore {
  // A lock and not an actor: each call is short, and agents append at every step.
  private let state = Locked(State())

  /// An empty store.
  public init() {}

  public func acquire(session: String, owner: String, holder: String) async throws -> SessionLease {
    try state.withLock { try $0.acquire(session: session, owner: owner, holder: holder) }
  }

  public func release(_ lease: SessionLease) async { state.withLock { $0.release(lease) } }

  public func append(_ records: [EventRecord], lease: SessionLease) async throws {
    try state.withLock { try $0.append(records, lease: lease) }
  }

  public func records(of session: String, owner: String, after seq: Int, limit: Int) async throws -> [EventRecord] {
    try state.withLock { try $0.records(of: session, owner: owner, after: seq, limit: limit) }
  }

  public func fork(_ first: EventRecord, owner: String) async throws {
    try state.withLock { try $0.fork(first, owner: owner) }
  }

  /// Drops the records: there is no place beside memory.
  public func quarantine(from seq: Int, lease: SessionLease) async throws -> String {
    try state.withLock { try $0.quarantine(from: seq, lease: lease) }
  }

  public func keep(_ bytes: [UInt8], id: String, lease: SessionLease) async throws {
    try state.withLock { try $0.keep(bytes, id: id, lease: lease) }
  }

  public func blob(_ id: String, session: String, owner: String) async -> [UInt8]? {
    state.withLock { $0.blob(id, session: session, owner: owner) }
  }

  public func sessions(owner: String) async -> [SessionSummary] {
    // Of a copy, so that nobody waits for it.
    state.withLock { $0 }.sessions(owner: owner)
  }

  public func search(_ query: String, owner: String, limit: Int) async -> [SessionMatch] {
    state.withLock { $0 }.search(query, owner: owner, limit: limit)
  }

  public func delete(session: String, owner: String) async throws {
    try state.withLock { try $0.delete(session: session, owner: owner) }
  }
}

/// The sessions of an `InMemorySessionStore`.
private struct State {
  private struct Key: Hashable {
    var session: String
    var owner: String
  }

  private struct Log {
    /// Its own records.
    var records: [EventRecord] = []
    /// What comes before them.
    var origin: SessionOrigin?
    /// Whether it is only there for its forks.
    var isDeleted = false
    var generation = 0
    var holder: String?
    var blobs: [String: [UInt8]] = [:]
    /// Ids of the blobs, oldest first.
    var blobOrder: [String] = []

    var lastSeq: Int { (origin?.seq ?? 0) + records.count }
  }

  private static let blobLimit = 64 << 20

  private var logs: [Key: Log] = [:]

  mutating func acquire(session: String, owner: String, holder: String) throws -> SessionLease {
    let key = Key(session: session, owner: owner)
    var log = logs[key] ?? Log()
    if log.isDeleted { throw SessionError.taken(session) }
    if let current = log.holder { throw SessionError.held(session, by: current) }
    log.generation += 1
    log.holder = holder
    logs[key] = log
    return SessionLease(session: session, owner: owner, holder: holder, generation: log.generation)
  }

  mutating func release(_ lease: SessionLease) {
    let key = Key(session: lease.session, owner: lease.owner)
    guard logs[key]?.generation == lease.generation else { return }
    logs[key]?.holder = nil
    if logs[key]?.records.isEmpty == true { logs[key] = nil }
  }

  private func check(_ lease: SessionLease) throws -> Key {
    let key = Key(session: lease.session, owner: lease.owner)
    guard logs[key]?.generation == lease.generation, logs[key]?.holder != nil else {
      throw SessionError.lost(lease.session)
    }
    return key
  }

  mutating func append(_ records: [EventRecord], lease: SessionLease) throws {
    guard let index = logs.index(forKey: Key(session: lease.session, owner: lease.owner)),
      logs.values[index].generation == lease.generation, logs.values[index].holder != nil
    else { throw SessionError.lost(lease.session) }
    for (seq, record) in zip((logs.values[index].lastSeq + 1)..., records) where record.seq != seq {
      throw SessionError.conflict(lease.session, record: record.seq, after: seq - 1)
    }
    logs.values[index].records += records
  }

  func records(of session: String, owner: String, after seq: Int, limit: Int) throws -> [EventRecord] {
    let key = Key(session: session, owner: owner)
    guard let log = logs[key], !log.isDeleted else { throw SessionError.missing(session) }
    return records(of: key, after: max(0, seq), through: log.lastSeq, limit: max(0, limit))
  }

  private func records(of key: Key, after seq: Int, through last: Int, limit: Int) -> [EventRecord] {
    guard let log = logs[key] else { return [] }
    var records: [EventRecord] = []
    let shared = log.origin?.seq ?? 0
    if seq < shared, let origin = log.origin {
      records = self.records(
        of: Key(session: origin.session, owner: key.owner), after: seq, through: min(last, shared), limit: limit)
    }
    let start = max(0, seq - shared)
    let end = min(log.records.count, last - shared)
    if start < end { records += log.records[start..<end].prefix(limit - records.count) }
    return records
  }

  mutating func fork(_ first: EventRecord, owner: String) throws {
    guard case .sessionCreated(let created) = first.event, let origin = created.forkedFrom else {
      throw SessionError(code: .storage, message: "a fork begins with a session_created that names its origin")
    }
    guard let parent = logs[Key(session: origin.session, owner: owner)], !parent.isDeleted, parent.lastSeq > 0 else {
      throw SessionError.missing(origin.session)
    }
    guard first.seq == origin.seq + 1, (1...parent.lastSeq).contains(origin.seq) else {
      throw SessionError.conflict(first.session, record: first.seq, after: min(origin.seq, parent.lastSeq))
    }
    let key = Key(session: first.session, owner: owner)
    guard logs[key] == nil else { throw SessionError.taken(first.session) }
    logs[key] = Log(records: [first], origin: origin)
  }

  mutating func quarantine(from seq: Int, lease: SessionLease) throws -> String {
    let key = try check(lease)
    guard let log = logs[key], seq > log.origin?.seq ?? 0, seq <= log.lastSeq + 1 else {
      throw SessionError.conflict(lease.session, record: seq, after: logs[key]?.lastSeq ?? 0)
    }
    logs[key]?.records.removeLast(log.lastSeq - seq + 1)
    return "nowhere"
  }

  mutating func keep(_ bytes: [UInt8], id: String, lease: SessionLease) throws {
    let key = try check(lease)
    guard var log = logs[key] else { return }
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

  func blob(_ id: String, session: String, owner: String) -> [UInt8]? {
    var log = logs[Key(session: session, owner: owner)]
    if log?.isDeleted == true { return nil }
    while let current = log {
      if let bytes = current.blobs[id] { return bytes }
      log = current.origin.flatMap { logs[Key(session: $0.session, owner: owner)] }
    }
    return nil
  }

  func sessions(owner: String) -> [SessionSummary] {
    logs.compactMap { key, log -> SessionSummary? in
      guard key.owner == owner, !log.isDeleted, let first = log.records.first, let last = log.records.last else {
        return nil
      }
      var title: String?
      for record in log.records {
        switch record.event {
        case .sessionCreated(let created): title = created.title
        case .sessionUpdated(let updated): title = updated.title ?? title
        default: break
        }
      }
      return SessionSummary(
        id: key.session, title: title, createdAt: first.time, updatedAt: last.time, lastSeq: log.lastSeq,
        beginning: first.event)
    }.sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
  }

  func search(_ query: String, owner: String, limit: Int) -> [SessionMatch] {
    let query = SearchText.Query(query)
    guard !query.phrases.isEmpty, limit > 0 else { return [] }
    var matches: [SessionMatch] = []
    for summary in sessions(owner: owner) {
      for record in (logs[Key(session: summary.id, owner: owner)]?.records ?? []).reversed() {
        guard let seq = record.seq, let text = SearchText.text(of: record.event), query.matches(text) else { continue }
        matches.append(
          SessionMatch(
            session: summary.id, seq: seq, time: record.time, excerpt: SearchText.excerpt(of: text, around: query)))
        if matches.count == limit { return matches }
      }
    }
    return matches
  }

  mutating func delete(session: String, owner: String) throws {
    let key = Key(session: session, owner: owner)
    guard let log = logs[key], !log.isDeleted else { return }
    if let holder = log.holder { throw SessionError.held(session, by: holder) }
    logs[key]?.isDeleted = true
    removeUnshared(key)
  }

  /// Removes a deleted session that nobody shares, and those before it that were kept for it.
  private mutating func removeUnshared(_ key: Key) {
    guard let log = logs[key], log.isDeleted,
      !logs.contains(where: { $0.key.owner == key.owner && $0.value.origin?.session == key.session })
    else { return }
    logs[key] = nil
    if let origin = log.origin { removeUnshared(Key(session: origin.session, owner: key.owner)) }
  }
}
