public import Martlet
import MartletJSON
import MartletSync

/// Sessions in an SQLite database on this machine: the store of the command line and of servers with one machine.
///
/// Appends are durable when they return (write-ahead log, `synchronous=FULL`), one commit each. A session is leased by a
/// lock of the operating system in `PATH-leases`, so a holder that is gone, however it ended, blocks nobody; a new lease
/// fences old ones by its generation. Texts over 64 KiB are stored once a session. Not for network file systems: SQLite's
/// write-ahead log needs one machine. Tested with SQLite 3.40.
public actor SQLiteSessionStore: BlobStore {
  struct Held {
    var generation: Int
    var number: Int
    var lock: HolderLock
  }

  /// The database's file, absolute.
  public nonisolated let path: String
  private let queue = QueueExecutor("martlet.sessions.sqlite")
  private var opened: SQLiteDatabase?
  var held: [String: Held] = [:]

  public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// A store in a database file. The file, and the directory it is in, are made at the first use, for the user alone.
  /// - Parameter path: an absolute path.
  public init(path: String) { self.path = path }

  /// The version of SQLite, as "3.40.1"; nil where it cannot be loaded.
  public static var engineVersion: String? { SQLiteDatabase.version }

  /// The connection, opened at the first use.
  var database: SQLiteDatabase {
    get throws {
      if let opened { return opened }
      let directory = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
      if !directory.isEmpty { try StorageFile.makeDirectory(String(directory)) }
      // Made here, so that it is the user's alone; SQLite gives its other files the same mode.
      if !StorageFile.exists(path) { _ = try StorageFile(path, create: true) }
      let database = try SQLiteDatabase(path)
      try Schema.prepare(database)
      opened = database
      return database
    }
  }

  /// Says what a failure means for the store.
  func storing<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let failure as SQLiteFailure {
      throw SessionError(
        code: .storage, message: "the sessions in \(path) cannot be used: \(failure)", underlying: failure)
    } catch let failure as StorageFile.Failure {
      throw SessionError(
        code: .storage, message: "the sessions in \(path) cannot be used: \(failure)", underlying: failure)
    }
  }

  // MARK: - Leases

  public func acquire(session: String, owner: String, holder: String) throws -> SessionLease {
    try storing {
      let number = try number(of: session, owner: owner, make: true)
      switch try HolderLock.take(try lockPath(number), holder: holder) {
      case .held(let other): throw SessionError.held(session, by: other)
      case .taken(let lock):
        let database = try database
        let generation: Int? = try database.transaction {
          // A session without records is gone when it is released, and may have been between our look and our lock.
          let isThere = try database.first(
            "SELECT 1 FROM session WHERE id = ? AND name = ?", [.int(number), .text(session)]
          ) { _ in true }
          guard isThere == true else { return nil }
          try database.run(
            "UPDATE session SET generation = generation + 1, holder = ? WHERE id = ?", [.text(holder), .int(number)])
          return try database.first("SELECT generation FROM session WHERE id = ?", [.int(number)]) { $0.int(0) }
        }
        guard let generation else {
          lock.release()
          return try acquire(session: session, owner: owner, holder: holder)
        }
        held[Self.key(session, owner)] = Held(generation: generation, number: number, lock: lock)
        return SessionLease(
          session: session, owner: owner, holder: holder, generation: generation, previousHolder: lock.previousHolder)
      }
    }
  }

  public func release(_ lease: SessionLease) {
    let key = Self.key(lease.session, lease.owner)
    guard let mine = held[key], mine.generation == lease.generation else { return }
    held[key] = nil
    do {
      let database = try database
      try database.transaction {
        try database.run(
          "UPDATE session SET holder = NULL WHERE id = ? AND generation = ?",
          [.int(mine.number), .int(mine.generation)])
        try database.run("DELETE FROM session WHERE id = ? AND last_seq = 0", [.int(mine.number)])
      }
    } catch {
      // The lock is what counts; the names are for people.
    }
    mine.lock.release()
  }

  /// Lets go of everything without a word, as the end of the process does.
  package func die() {
    held = [:]
    opened = nil
  }

  private func lockPath(_ number: Int) throws -> String {
    try StorageFile.makeDirectory(path + "-leases")
    return path + "-leases/\(number)"
  }

  static func key(_ session: String, _ owner: String) -> String { owner + "\0" + session }

  /// The number of a session.
  func number(of session: String, owner: String, make: Bool = false) throws -> Int {
    let database = try database
    let find = "SELECT id FROM session WHERE owner = ? AND name = ?"
    let values: [SQLiteValue] = [.text(owner), .text(session)]
    if let number = try database.first(find, values, { $0.int(0) }) { return number }
    guard make else { throw SessionError.missing(session) }
    try database.run("INSERT INTO session (owner, name) VALUES (?, ?) ON CONFLICT DO NOTHING", values)
    guard let number = try database.first(find, values, { $0.int(0) }) else { throw SessionError.missing(session) }
    return number
  }

  /// The number of the lease's session, if the lease still holds. To be called inside the transaction that writes.
  func check(_ lease: SessionLease, _ database: SQLiteDatabase) throws -> (number: Int, lastSeq: Int) {
    guard let mine = held[Self.key(lease.session, lease.owner)], mine.generation == lease.generation,
      let lastSeq = try database.first(
        "SELECT last_seq FROM session WHERE id = ? AND generation = ?",
        [.int(mine.number), .int(lease.generation)], { $0.int(0) })
    else { throw SessionError.lost(lease.session) }
    return (mine.number, lastSeq)
  }

  // MARK: - Writing

  public func append(_ records: [EventRecord], lease: SessionLease) throws {
    guard !records.isEmpty else { return }
    try storing {
      let database = try database
      try database.transaction {
        let (number, lastSeq) = try check(lease, database)
        for (seq, record) in zip((lastSeq + 1)..., records) where record.seq != seq {
          throw SessionError.conflict(lease.session, record: record.seq, after: seq - 1)
        }
        try insert(records, in: number, after: lastSeq, database)
      }
    }
  }

  private func insert(
    _ records: [EventRecord], in number: Int, after lastSeq: Int, _ database: SQLiteDatabase
  ) throws {
    var title: String?
    for (seq, record) in zip((lastSeq + 1)..., records) {
      let id = SQLiteValue.int(Self.recordId(number, seq))
      let bytes = try StoredRecord.bytes(record) { try keepLarge($0, number, database) }
      try database.run(
        "INSERT INTO record (id, payload) VALUES (?, ?)", [id, .utf8(bytes)])
      if let text = SearchText.text(of: record.event) {
        try database.run(
          "INSERT INTO word (rowid, text) VALUES (?, ?)", [id, .text(SearchText.indexed(text))])
      }
      switch record.event {
      case .sessionCreated(let created): title = created.title
      case .sessionUpdated(let updated): title = updated.title ?? title
      default: break
      }
    }
    guard let first = records.first, let last = records.last else { return }
    try database.run(
      """
      UPDATE session SET last_seq = ?, updated_at = ?, title = coalesce(?, title),
        created_at = CASE created_at WHEN 0 THEN ? ELSE created_at END WHERE id = ?
      """,
      [
        .int(lastSeq + records.count), .int(Int(last.time.milliseconds)), SQLiteValue(title),
        .int(Int(first.time.milliseconds)), .int(number),
      ])
  }

  static func recordId(_ number: Int, _ seq: Int) -> Int { number << 32 | seq }

  private func keepLarge(_ bytes: [UInt8], _ number: Int, _ database: SQLiteDatabase) throws -> String {
    let hash = SQLiteValue.int(Int(Int64(bitPattern: StoredRecord.hash(bytes))))
    let there = try database.first(
      "SELECT id FROM large WHERE session = ? AND hash = ? AND bytes = ?", [.int(number), hash, .blob(bytes)]
    ) { $0.int(0) }
    if let there { return "\(there)" }
    try database.run(
      "INSERT INTO large (session, hash, bytes) VALUES (?, ?, ?)", [.int(number), hash, .blob(bytes)])
    return "\(database.lastInsertedId)"
  }

  public func fork(_ first: EventRecord, owner: String) throws {
    guard case .sessionCreated(let created) = first.event, let origin = created.forkedFrom else {
      throw SessionError(code: .storage, message: "a fork begins with a session_created that names its origin")
    }
    try storing {
      let database = try database
      try database.transaction {
        let parent = try number(of: origin.session, owner: owner)
        let last = try database.first("SELECT last_seq FROM session WHERE id = ?", [.int(parent)]) { $0.int(0) } ?? 0
        guard last > 0 else { throw SessionError.missing(origin.session) }
        guard first.seq == origin.seq + 1, (1...last).contains(origin.seq) else {
          throw SessionError.conflict(first.session, record: first.seq, after: min(origin.seq, last))
        }
        let name = SQLiteValue.text(first.session)
        let isTaken = try database.first(
          "SELECT 1 FROM session WHERE owner = ? AND name = ?", [.text(owner), name]
        ) { _ in true }
        if isTaken == true { throw SessionError.taken(first.session) }
        try database.run(
          "INSERT INTO session (owner, name, parent, shared) VALUES (?, ?, ?, ?)",
          [.text(owner), name, .int(parent), .int(origin.seq)])
        try insert([first], in: database.lastInsertedId, after: origin.seq, database)
      }
    }
  }

  public func quarantine(from seq: Int, lease: SessionLease) throws -> String {
    try storing {
      let database = try database
      return try database.transaction {
        let (number, lastSeq) = try check(lease, database)
        let shared = try database.first("SELECT shared FROM session WHERE id = ?", [.int(number)]) { $0.int(0) } ?? 0
        guard seq > shared, seq <= lastSeq + 1 else {
          throw SessionError.conflict(lease.session, record: seq, after: lastSeq)
        }
        let place = "\(path)-damaged-\(StorageFile.name(for: lease.session))-\(seq)-\(Timestamp.now.milliseconds)"
        let file = try StorageFile(place, create: true)
        var end = 0
        try payloads(number, seq...max(seq, lastSeq), database) { _, bytes in
          try file.write(Array(bytes) + [0x0A], at: end)
          end += bytes.count + 1
          return true
        }
        try file.sync()
        try remove(records: seq...max(seq, lastSeq), of: number, database)
        try database.run("UPDATE session SET last_seq = ? WHERE id = ?", [.int(seq - 1), .int(number)])
        return place
      }
    }
  }

  public func delete(session: String, owner: String) throws {
    try storing {
      let database = try database
      let number: Int
      do { number = try self.number(of: session, owner: owner) } catch let error as SessionError
        where error.code == .notFound
      { return }
      switch try HolderLock.take(try lockPath(number), holder: "somebody who deletes it") {
      case .held(let other): throw SessionError.held(session, by: other)
      case .taken(let lock):
        defer { lock.release() }
        try database.transaction {
          try database.run(
            "UPDATE session SET name = NULL, generation = generation + 1 WHERE id = ?", [.int(number)])
          try purge(number, database)
        }
      }
    }
  }

  /// Removes of a deleted session what no fork shares; and when nothing is left of it, the same for the session that it
  /// was a fork of.
  private func purge(_ number: Int, _ database: SQLiteDatabase) throws {
    let session = try database.first(
      "SELECT parent, last_seq, shared FROM session WHERE id = ? AND name IS NULL", [.int(number)]
    ) { (parent: $0.intIfPresent(0), lastSeq: $0.int(1), shared: $0.int(2)) }
    guard let session else { return }
    let needed = try database.first("SELECT max(shared) FROM session WHERE parent = ?", [.int(number)]) {
      $0.intIfPresent(0)
    }.flatMap { $0 }
    let first = max(needed ?? 0, session.shared) + 1
    if first <= session.lastSeq { try remove(records: first...session.lastSeq, of: number, database) }
    if needed != nil {
      try database.run("UPDATE session SET last_seq = ?, title = NULL WHERE id = ?", [.int(first - 1), .int(number)])
      return
    }
    try database.run("DELETE FROM session WHERE id = ?", [.int(number)])
    if let parent = session.parent { try purge(parent, database) }
  }

  private func remove(records seqs: ClosedRange<Int>, of number: Int, _ database: SQLiteDatabase) throws {
    var indexed: [(id: Int, text: String)] = []
    var calls: [String] = []
    try payloads(number, seqs, database) { seq, bytes in
      // Of a record that cannot be read, the words stay in the index, and lead nowhere.
      guard let record = try? StoredRecord.record(bytes, text: { try large($0, database) }) else { return true }
      if let text = SearchText.text(of: record.event) {
        indexed.append((Self.recordId(number, seq), SearchText.indexed(text)))
      }
      if case .toolFinished(let finished) = record.event { calls.append(finished.callId) }
      return true
    }
    for call in calls {
      try database.run("DELETE FROM kept WHERE session = ? AND name = ?", [.int(number), .text(call)])
    }
    for (id, text) in indexed {
      try database.run("INSERT INTO word (word, rowid, text) VALUES ('delete', ?, ?)", [.int(id), .text(text)])
    }
    try database.run(
      "DELETE FROM record WHERE id BETWEEN ? AND ?",
      [.int(Self.recordId(number, seqs.lowerBound)), .int(Self.recordId(number, seqs.upperBound))])
  }

  // MARK: - Blobs

  public func keep(_ bytes: [UInt8], id: String, lease: SessionLease) throws {
    try storing {
      let database = try database
      try database.transaction {
        let (number, _) = try check(lease, database)
        try database.run(
          "INSERT INTO kept (session, name, bytes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes",
          [.int(number), .text(id), .blob(bytes)])
      }
    }
  }

  public func blob(_ id: String, session: String, owner: String) throws -> [UInt8]? {
    try storing {
      try database.first(
        """
        WITH RECURSIVE line (id, parent, depth) AS (
          SELECT id, parent, 0 FROM session WHERE owner = ? AND name = ?
          UNION ALL SELECT session.id, session.parent, depth + 1 FROM session JOIN line ON session.id = line.parent
        )
        SELECT bytes FROM line JOIN kept ON kept.session = line.id WHERE kept.name = ? ORDER BY depth LIMIT 1
        """, [.text(owner), .text(session), .text(id)]
      ) { $0.bytes(0) }
    }
  }
}
