import Foundation
import Martlet
import MartletJSON
import MartletTesting
import Testing

@testable import MartletSQLite

@Suite struct `A session store in SQLite` {
  /// A database in a directory that goes away.
  final class Place: Sendable {
    let directory =
      FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/martlet-" + UUID().uuidString
    var path: String { directory + "/sessions.db" }
    deinit { try? FileManager.default.removeItem(atPath: directory) }

    func subject() -> SessionStoreSubject {
      let path = path
      let store = SQLiteSessionStore(path: path)
      return SessionStoreSubject(
        store: store,
        reopen: { [self] in
          _ = self
          return SQLiteSessionStore(path: path)
        },
        crash: { await ($0 as? SQLiteSessionStore)?.die() },
        damage: { session, seq in
          let database = try SQLiteDatabase(path)
          try database.run(
            """
            UPDATE record SET payload = substr(payload, 1, 30)
            WHERE id = (SELECT id FROM session WHERE name = ?) << 32 | ?
            """, [.text(session), .int(seq)])
        },
        fill: { isFull in
          try await store.withDatabase { database in
            let pages = try database.first("PRAGMA page_count") { $0.int(0) } ?? 0
            // Gives a row, so that it cannot be executed without reading.
            _ = try database.first("PRAGMA max_page_count = \(isFull ? pages : 1_000_000)") { $0.int(0) }
          }
        })
    }
  }

  @Test(
    arguments: SessionStoreKit.checks + SessionStoreKit.durable + SessionStoreKit.damaged + SessionStoreKit.full)
  func `keeps the contract of stores`(check: SessionStoreCheck) async throws {
    let place = Place()
    try await check.run(place.subject())
  }

  static func created(_ session: String = "s") -> EventRecord {
    EventRecord(
      seq: 1, time: Timestamp(milliseconds: 1), session: session, event: .sessionCreated(SessionCreated(owner: "local"))
    )
  }

  static func prompt(_ seq: Int, _ text: String) -> EventRecord {
    EventRecord(
      seq: seq, time: Timestamp(milliseconds: Int64(seq)), session: "s",
      event: .prompt(Prompt(messageId: "m", message: .user(text))))
  }

  @Test func `the files are the user's alone, durable and checked`() async throws {
    let place = Place()
    let store = SQLiteSessionStore(path: place.path)
    let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
    try await store.append([Self.created()], lease: lease)
    for name in try FileManager.default.contentsOfDirectory(atPath: place.directory) where !name.hasSuffix("-leases") {
      let mode = try FileManager.default.attributesOfItem(atPath: place.directory + "/" + name)[.posixPermissions]
      #expect(mode as? Int == 0o600, "\(name)")
    }
    #expect(try FileManager.default.attributesOfItem(atPath: place.directory)[.posixPermissions] as? Int == 0o700)
    let pragmas = try await store.withDatabase { database in
      try ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "user_version"].map { name in
        try database.first("PRAGMA \(name)") { $0.text(0) ?? "" } ?? ""
      }
    }
    #expect(pragmas == ["wal", "2", "1", "5000", "1"])
    await store.release(lease)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "-leases").isEmpty)
  }

  @Test func `a long text is stored once a session`() async throws {
    let place = Place()
    let store = SQLiteSessionStore(path: place.path)
    let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
    let long = String(repeating: "0123456789", count: 100_000)
    try await store.append([Self.created()] + (2...20).map { Self.prompt($0, long) }, lease: lease)
    let sizes = try await store.withDatabase { database in
      try ["SELECT sum(length(payload)) FROM record", "SELECT count(*) FROM large"].map { sql in
        try database.first(sql) { $0.int(0) } ?? 0
      }
    }
    #expect(sizes[0] < 10_000 && sizes[1] == 1)
  }

  @Test func `a file that is not ours is left alone, and the reason is said`() async throws {
    let place = Place()
    try FileManager.default.createDirectory(atPath: place.directory, withIntermediateDirectories: true)
    let text = Data(String(repeating: "this is no database\n", count: 500).utf8)
    try text.write(to: URL(filePath: place.path))
    let error = try await #require(throws: SessionError.self) {
      _ = try await SQLiteSessionStore(path: place.path).sessions(owner: "local")
    }
    #expect(error.code == .storage && error.message.contains("not a database"), "\(error)")
    #expect(try Data(contentsOf: URL(filePath: place.path)) == text)

    let other = place.directory + "/other.db"
    do { try SQLiteDatabase(other).execute("CREATE TABLE t (x)") }
    let foreign = try await #require(throws: SessionError.self) {
      _ = try await SQLiteSessionStore(path: other).sessions(owner: "local")
    }
    #expect(foreign.message.contains("another program"), "\(foreign)")

    let newer = place.directory + "/newer.db"
    _ = try await SQLiteSessionStore(path: newer).sessions(owner: "local")
    do { try SQLiteDatabase(newer).execute("PRAGMA user_version = 99") }
    let later = try await #require(throws: SessionError.self) {
      _ = try await SQLiteSessionStore(path: newer).sessions(owner: "local")
    }
    #expect(later.message.contains("update martlet"), "\(later)")
  }

  @Test func `a database that may not be written says so, and is still read`() async throws {
    let place = Place()
    let store = SQLiteSessionStore(path: place.path)
    let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
    try await store.append([Self.created()], lease: lease)
    try await store.withDatabase { try $0.execute("PRAGMA query_only = 1") }
    let error = try await #require(throws: SessionError.self) {
      try await store.append([Self.prompt(2, "x")], lease: lease)
    }
    #expect(error.code == .storage && error.message.contains("may not be written"), "\(error)")
    #expect(try await store.records(of: "s", owner: "local", after: 0, limit: 9).count == 1)
  }

  @Test func `a damaged page loses what is on it and nothing before it`() async throws {
    let place = Place()
    do {
      let store = SQLiteSessionStore(path: place.path)
      let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
      try await store.append(
        [Self.created()] + (2...400).map { Self.prompt($0, String(repeating: "text \($0) ", count: 100)) }, lease: lease
      )
      await store.release(lease)
      try await store.withDatabase { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
      await store.die()
    }
    // The page that has record 200, overwritten with noise.
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: place.path)))
    let mark = Array("text 200 text 200".utf8)
    let found = try #require(bytes.firstRange(of: mark)).lowerBound
    let page = found / 4096 * 4096
    for index in page..<page + 4096 { bytes[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 7) }
    try Data(bytes).write(to: URL(filePath: place.path))

    let store = SQLiteSessionStore(path: place.path)
    let problems = await store.problems()
    #expect(!problems.isEmpty)
    let readable = try await store.records(of: "s", owner: "local", after: 0, limit: 1_000)
    #expect(readable.count >= 190 && readable.count < 200, "\(readable.count)")
    let error = try await #require(throws: SessionError.self) {
      _ = try await store.records(of: "s", owner: "local", after: readable.count, limit: 10)
    }
    #expect(error.code == .damaged && error.seq == readable.count + 1)
  }

  @Test func `a sound database has no problems`() async throws {
    let place = Place()
    let store = SQLiteSessionStore(path: place.path)
    let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
    try await store.append([Self.created()], lease: lease)
    await store.release(lease)
    #expect(await store.problems() == [])
  }

  @Test func `records that are gone are noticed`() async throws {
    let place = Place()
    let store = SQLiteSessionStore(path: place.path)
    let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
    try await store.append([Self.created(), Self.prompt(2, "one"), Self.prompt(3, "two")], lease: lease)
    await store.release(lease)
    #expect(await store.problems() == [])
    try await store.withDatabase { try $0.run("DELETE FROM record WHERE id % 4294967296 = 2") }
    #expect(await store.problems() == ["session s has 2 of its 3 records"])
  }

  @Test func `several make the database at once`() async throws {
    let place = Place()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<6 {
        group.addTask {
          let store = SQLiteSessionStore(path: place.path)
          let lease = try await store.acquire(session: "s\(index)", owner: "local", holder: "test")
          try await store.append([Self.created("s\(index)")], lease: lease)
          await store.release(lease)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await SQLiteSessionStore(path: place.path).sessions(owner: "local").count == 6)
  }

  @Test(arguments: [(13, 0), (10, ENOSPC), (10, EDQUOT)] as [(Int32, Int32)])
  func `a full disk is told with what to do, however it is met`(_ code: Int32, _ systemError: Int32) {
    let failure = SQLiteFailure(code: code, message: "disk I/O error", systemError: systemError)
    #expect(failure.description == "there is no space left: make room and go on")
  }

  @Test func `a failing disk is not called full`() {
    let failure = SQLiteFailure(code: 10, message: "disk I/O error", systemError: EIO)
    #expect(failure.description.hasPrefix("the disk failed ("))
  }
}

extension SQLiteSessionStore {
  func withDatabase<Result: Sendable>(_ body: @Sendable (SQLiteDatabase) throws -> Result) throws -> Result {
    try body(try database)
  }
}
