import MartletSync

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sessions in a directory, each a file of its own with one record a line (JSONL): what an app uses that wants no
/// database, on iOS among others.
///
/// Beside `NAME.jsonl` there may be `NAME.blobs` (texts over 64 KiB, and what tools kept), `NAME.lock` while somebody runs
/// the session, and `NAME.damaged-SEQ-…` with what was quarantined. Every append is on the disk when it returns. Listing
/// and searching read all files; for many sessions use `SQLiteSessionStore` of `MartletSQLite`.
public actor FileSessionStore: BlobStore {
  struct Key: Hashable {
    var session: String
    var owner: String
  }

  private struct Held {
    var generation: Int
    var lock: HolderLock
    var log: SessionFile
  }

  /// The directory, absolute.
  public nonisolated let directory: String
  private let queue = QueueExecutor("martlet.sessions.files")
  private var held: [Key: Held] = [:]
  /// The log that was read last, so that reading on does not begin with finding its lines.
  private var recent: (key: Key, log: SessionFile)?
  private var lastGeneration = 0

  public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// A store in a directory, which is made when something is stored, readable for the user alone.
  /// - Parameter directory: an absolute path.
  public init(directory: String) { self.directory = directory }

  /// The usual place of an app's sessions: `martlet/sessions` in Application Support on Apple platforms, in
  /// `$XDG_DATA_HOME` (default `~/.local/share`) elsewhere.
  public static var standardDirectory: String {
    #if canImport(Darwin)
      return URL.applicationSupportDirectory.path + "/martlet/sessions"
    #else
      let environment = ProcessInfo.processInfo.environment
      let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (data ?? (environment["HOME"] ?? "/tmp") + "/.local/share") + "/martlet/sessions"
    #endif
  }

  // MARK: - Leases

  public func acquire(session: String, owner: String, holder: String) throws -> SessionLease {
    let key = Key(session: session, owner: owner)
    return try storing(key) {
      try StorageFile.makeDirectory(folder(owner))
      if StorageFile.exists(path(key, "shared")) { throw SessionError.taken(session) }
      switch try HolderLock.take(path(key, "lock"), holder: holder) {
      case .held(let other): throw SessionError.held(session, by: other)
      case .taken(let lock):
        // Unique in the process, and in other processes the lock itself tells old from new.
        lastGeneration = max(lastGeneration + 1, Int(Timestamp.now.milliseconds) * 1_000)
        let log = try SessionFile(path(key), create: true)
        held[key] = Held(generation: lastGeneration, lock: lock, log: log)
        return SessionLease(
          session: session, owner: owner, holder: holder, generation: lastGeneration,
          previousHolder: lock.previousHolder)
      }
    }
  }

  public func release(_ lease: SessionLease) {
    let key = Key(session: lease.session, owner: lease.owner)
    guard let mine = held[key], mine.generation == lease.generation else { return }
    held[key] = nil
    if mine.log.lastSeq == 0, !mine.log.hasTail {
      do { try StorageFile.remove(path(key)) } catch {
        // An empty log is no session: nobody sees it.
      }
    }
    mine.lock.release()
  }

  /// Lets go of everything without a word, as the end of the process does.
  package func die() {
    held = [:]
    recent = nil
  }

  private func log(under lease: SessionLease) throws -> SessionFile {
    guard let mine = held[Key(session: lease.session, owner: lease.owner)], mine.generation == lease.generation else {
      throw SessionError.lost(lease.session)
    }
    return mine.log
  }

  // MARK: - Writing

  public func append(_ records: [EventRecord], lease: SessionLease) throws {
    let key = Key(session: lease.session, owner: lease.owner)
    let log = try log(under: lease)
    if log.hasTail { throw SessionError.damaged(lease.session, at: log.lastSeq + 1, "it was cut off") }
    for (seq, record) in zip((log.lastSeq + 1)..., records) where record.seq != seq {
      throw SessionError.conflict(lease.session, record: record.seq, after: seq - 1)
    }
    guard !records.isEmpty else { return }
    try storing(key) {
      try log.append(try records.map { try StoredRecord.bytes($0) { try keepLarge($0, key) } })
      if log.lastSeq == records.count { try StorageFile.syncDirectory(folder(lease.owner)) }
    }
  }

  public func fork(_ first: EventRecord, owner: String) throws {
    guard case .sessionCreated(let created) = first.event, let origin = created.forkedFrom else {
      throw SessionError(code: .storage, message: "a fork begins with a session_created that names its origin")
    }
    let key = Key(session: first.session, owner: owner)
    guard let parent = try open(Key(session: origin.session, owner: owner)) else {
      throw SessionError.missing(origin.session)
    }
    guard first.seq == origin.seq + 1, (1...max(1, parent.lastSeq)).contains(origin.seq), parent.lastSeq > 0 else {
      throw SessionError.conflict(first.session, record: first.seq, after: min(origin.seq, parent.lastSeq))
    }
    if StorageFile.exists(path(key, "shared")) { throw SessionError.taken(first.session) }
    try storing(key) {
      do {
        let log = try StorageFile(path(key), create: true, exclusive: true)
        do {
          try log.write(try StoredRecord.bytes(first) { try keepLarge($0, key) } + [0x0A], at: 0)
          try log.sync()
          try StorageFile.syncDirectory(folder(owner))
        } catch {
          try StorageFile.remove(path(key))
          throw error
        }
      } catch let failure as StorageFile.Failure where failure.isTaken {
        throw SessionError.taken(first.session)
      }
    }
  }

  public func quarantine(from seq: Int, lease: SessionLease) throws -> String {
    let key = Key(session: lease.session, owner: lease.owner)
    let log = try log(under: lease)
    guard seq >= log.firstSeq, seq <= log.lastSeq + 1 else {
      throw SessionError.conflict(lease.session, record: seq, after: log.lastSeq)
    }
    return try storing(key) {
      let place = path(key, "damaged-\(seq)-\(Timestamp.now.milliseconds)")
      let rest = try StorageFile(place, create: true)
      try rest.write(try log.rest(from: seq), at: 0)
      try rest.sync()
      try StorageFile.syncDirectory(folder(lease.owner))
      try log.drop(from: seq)
      return place
    }
  }

  public func delete(session: String, owner: String) throws {
    let key = Key(session: session, owner: owner)
    guard StorageFile.exists(path(key)) else { return }
    try storing(key) {
      switch try HolderLock.take(path(key, "lock"), holder: SessionLease.thisProcess) {
      case .held(let other): throw SessionError.held(session, by: other)
      case .taken(let lock):
        defer { lock.release() }
        recent = nil
        let origin = try SessionFile(path(key)).origin
        if try forks(of: session, owner: owner).isEmpty {
          try remove(key, "jsonl")
        } else {
          try StorageFile.rename(path(key), to: path(key, "shared"))
        }
        if let origin { try removeUnshared(origin.session, owner: owner) }
        try StorageFile.syncDirectory(folder(owner))
      }
    }
  }

  /// Removes a deleted session that was kept for its forks, when the last of them is gone.
  private func removeUnshared(_ session: String, owner: String) throws {
    let key = Key(session: session, owner: owner)
    guard StorageFile.exists(path(key, "shared")), try forks(of: session, owner: owner).isEmpty else { return }
    let origin = try SessionFile(path(key, "shared")).origin
    try remove(key, "shared")
    if let origin { try removeUnshared(origin.session, owner: owner) }
  }

  private func remove(_ key: Key, _ kind: String) throws {
    try StorageFile.remove(path(key, kind))
    try StorageFile.removeDirectory(path(key, "blobs"))
    let name = StorageFile.name(for: key.session)
    for file in try StorageFile.names(in: folder(key.owner)) where file.hasPrefix(name + ".damaged-") {
      try StorageFile.remove(folder(key.owner) + "/" + file)
    }
  }

  private func forks(of session: String, owner: String) throws -> [String] {
    try StorageFile.names(in: folder(owner)).filter { name in
      guard name.hasSuffix(".jsonl") || name.hasSuffix(".shared") else { return false }
      return try SessionFile(folder(owner) + "/" + name).origin?.session == session
    }
  }

  // MARK: - Reading

  public func records(of session: String, owner: String, after seq: Int, limit: Int) throws -> [EventRecord] {
    let key = Key(session: session, owner: owner)
    guard let log = try open(key) else { throw SessionError.missing(session) }
    // A cursor behind the end is the end; and so sums stay in range.
    return try records(of: log, key, after: min(max(0, seq), log.lastSeq), through: log.lastSeq, limit: limit)
  }

  private func records(
    of log: SessionFile, _ key: Key, after seq: Int, through last: Int, limit: Int
  ) throws -> [EventRecord] {
    var records: [EventRecord] = []
    var reader = RecordReader()
    var next = seq + 1
    if next < log.firstSeq, let origin = log.origin {
      let parentKey = Key(session: origin.session, owner: key.owner)
      guard let parent = try open(parentKey, isShared: true) else {
        throw SessionError.damaged(key.session, at: next, "the session \(origin.session) that has it is not there")
      }
      records = try self.records(
        of: parent, parentKey, after: seq, through: min(last, origin.seq), limit: limit)
      next = seq + 1 + records.count
    }
    while records.count < limit, next <= min(last, log.lastSeq) {
      // Pages of bounded memory, whatever the limit is.
      let through = min(last, log.lastSeq, next + min(limit - records.count, 512) - 1)
      let lines = try storing(key) { try log.lines(next...through) }
      for line in lines {
        do {
          let record = try line.withUnsafeBufferPointer {
            try StoredRecord.record($0, &reader) { try large($0, key) }
          }
          guard record.seq == next else { throw JSONFormError(path: "seq", message: "\(next) is expected") }
          records.append(record)
        } catch {
          if !records.isEmpty { return records }
          throw SessionError.damaged(key.session, at: next, "\(error)")
        }
        next += 1
      }
    }
    // What follows the last line is torn only if nobody can be writing it just now: under our own lease.
    if records.isEmpty, limit > 0, next > log.lastSeq, last == log.lastSeq, log.hasTail, held[key] != nil {
      throw SessionError.damaged(key.session, at: log.lastSeq + 1, "it was cut off")
    }
    return records
  }

  public func sessions(owner: String) throws -> [SessionSummary] {
    try names(owner: owner).compactMap { name in
      do { return try summary(Key(session: name, owner: owner)) } catch let error as SessionError
        where error.code == .damaged
      {
        // Its first record cannot be read: whoever opens it is told, and nothing else is known of it.
        let unknown = Timestamp(milliseconds: 0)
        return SessionSummary(id: name, title: nil, createdAt: unknown, updatedAt: unknown, lastSeq: 0)
      }
    }.sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
  }

  private func names(owner: String) throws -> [String] {
    try storing(Key(session: "", owner: owner)) {
      try StorageFile.names(in: folder(owner)).compactMap { name in
        name.hasSuffix(".jsonl") ? StorageFile.text(fromName: String(name.dropLast(6))) : nil
      }
    }
  }

  private func summary(_ key: Key) throws -> SessionSummary? {
    guard let log = try open(key), log.lastSeq >= log.firstSeq else { return nil }
    var title: String?
    var first: EventRecord?
    var last: EventRecord?
    var next = log.firstSeq
    while next <= log.lastSeq {
      let through = min(log.lastSeq, next + 511)
      for (seq, line) in zip(next..., try storing(key) { try log.lines(next...through) }) {
        guard seq == log.firstSeq || seq == log.lastSeq || Self.mayHaveTitle(line) else { continue }
        let record: EventRecord
        do { record = try StoredRecord.record(line) { try large($0, key) } } catch {
          if seq == log.firstSeq { throw SessionError.damaged(key.session, at: seq, "\(error)") }
          continue
        }
        if first == nil { first = record }
        last = record
        switch record.event {
        case .sessionCreated(let created): title = created.title
        case .sessionUpdated(let updated): title = updated.title ?? title
        default: break
        }
      }
      next = through + 1
    }
    guard let first, let last else { return nil }
    return SessionSummary(
      id: key.session, title: title, createdAt: first.time, updatedAt: last.time, lastSeq: log.lastSeq,
      beginning: first.event)
  }

  private static let update = Array("\"session_updated\"".utf8)

  /// Whether the record may be one that changes the title. Its type stands among the first fields.
  private static func mayHaveTitle(_ line: ArraySlice<UInt8>) -> Bool {
    line.prefix(400).firstRange(of: update) != nil
  }

  public func search(_ query: String, owner: String, limit: Int) throws -> [SessionMatch] {
    let query = SearchText.Query(query)
    guard !query.phrases.isEmpty, limit > 0 else { return [] }
    var matches: [SessionMatch] = []
    for summary in try sessions(owner: owner) {
      let key = Key(session: summary.id, owner: owner)
      guard let log = try open(key) else { continue }
      var last = log.lastSeq
      while last >= log.firstSeq {
        let first = max(log.firstSeq, last - 511)
        for line in try storing(key, { try log.lines(first...last) }).reversed() {
          // Records that cannot be read are told of when the session is opened.
          guard let record = try? StoredRecord.record(line, text: { try large($0, key) }), let seq = record.seq,
            let text = SearchText.text(of: record.event), query.matches(text)
          else { continue }
          matches.append(
            SessionMatch(
              session: summary.id, seq: seq, time: record.time, excerpt: SearchText.excerpt(of: text, around: query)))
          if matches.count == limit { return matches }
        }
        last = first - 1
      }
    }
    return matches
  }

  /// The log of a session; nil when there is none with a record, or somebody has just begun one.
  private func open(_ key: Key, isShared: Bool = false) throws -> SessionFile? {
    if let mine = held[key] { return mine.log }
    return try storing(key) {
      if let recent, recent.key == key {
        if recent.log.file.isAt(path(key)) || isShared && recent.log.file.isAt(path(key, "shared")) {
          try recent.log.scan()
          return recent.log
        }
        self.recent = nil
      }
      for kind in isShared ? ["jsonl", "shared"] : ["jsonl"] {
        do {
          let log = try SessionFile(path(key, kind))
          if log.lastSeq == 0 { return nil }
          recent = (key, log)
          return log
        } catch let failure as StorageFile.Failure where failure.isMissing { continue }
      }
      return nil
    }
  }

  // MARK: - Blobs

  public func keep(_ bytes: [UInt8], id: String, lease: SessionLease) throws {
    _ = try log(under: lease)
    let key = Key(session: lease.session, owner: lease.owner)
    try storing(key) { try write(bytes, to: blobs(key) + "/kept-" + StorageFile.name(for: id)) }
  }

  public func blob(_ id: String, session: String, owner: String) throws -> [UInt8]? {
    let first = Key(session: session, owner: owner)
    guard StorageFile.exists(path(first)) else { return nil }
    var key: Key? = first
    while let current = key {
      let bytes = try storing(current) { try read(path(current, "blobs") + "/kept-" + StorageFile.name(for: id)) }
      if let bytes { return bytes }
      key = try open(current, isShared: true)?.origin.map { Key(session: $0.session, owner: owner) }
    }
    return nil
  }

  private func keepLarge(_ bytes: [UInt8], _ key: Key) throws -> String {
    let hash = String(StoredRecord.hash(bytes), radix: 16) + "-\(bytes.count)"
    var number = 0
    while true {
      let id = number == 0 ? hash : "\(hash)-\(number)"
      let path = try blobs(key) + "/large-" + id
      guard let there = try read(path) else {
        try write(bytes, to: path)
        return id
      }
      if there == bytes { return id }
      number += 1
    }
  }

  private func large(_ id: String, _ key: Key) throws -> [UInt8] {
    guard let bytes = try read(path(key, "blobs") + "/large-" + StorageFile.name(for: id)) else {
      throw JSONFormError(path: "large", message: "the text \(id) is not there")
    }
    return bytes
  }

  private func blobs(_ key: Key) throws -> String {
    let place = path(key, "blobs")
    try StorageFile.makeDirectory(place)
    return place
  }

  /// All of the file or nothing: a new one takes the place of the old.
  private func write(_ bytes: [UInt8], to path: String) throws {
    let temporary = path + ".new"
    let file = try StorageFile(temporary, create: true)
    try file.truncate(to: 0)
    try file.write(bytes, at: 0)
    try file.sync()
    try StorageFile.rename(temporary, to: path)
  }

  private func read(_ path: String) throws -> [UInt8]? {
    do {
      let file = try StorageFile(path)
      return try file.read(0..<(try file.size))
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  // MARK: - Places

  private func folder(_ owner: String) -> String { directory + "/" + StorageFile.name(for: owner) }

  private func path(_ key: Key, _ kind: String = "jsonl") -> String {
    folder(key.owner) + "/" + StorageFile.name(for: key.session) + "." + kind
  }

  /// Says what a failure of the system means for the session.
  private func storing<Result>(_ key: Key, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let failure as StorageFile.Failure {
      throw SessionError(
        code: .storage,
        message:
          "the files of session \(key.session) in \(folder(key.owner)) cannot be used: \(failure); nothing that was stored is lost",
        underlying: failure)
    }
  }
}
