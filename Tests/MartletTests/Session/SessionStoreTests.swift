import Foundation
import Martlet
import MartletJSON
import MartletTesting
import Testing

@Suite struct `A session store in memory` {
  @Test(arguments: SessionStoreKit.checks) func `keeps the contract of stores`(check: SessionStoreCheck) async throws {
    try await check.run(SessionStoreSubject(store: InMemorySessionStore()))
  }
}

@Suite struct `A session store in files` {
  /// A directory that goes away.
  final class Directory: Sendable {
    let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/martlet-" + UUID().uuidString
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func subject() -> SessionStoreSubject {
      let path = path
      return SessionStoreSubject(
        store: FileSessionStore(directory: path),
        reopen: { [self] in
          _ = self
          return FileSessionStore(directory: path)
        },
        crash: { await ($0 as? FileSessionStore)?.die() },
        damage: { session, seq in
          let file = URL(filePath: "\(path)/local/\(session).jsonl")
          var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
          lines[seq - 1] = String(lines[seq - 1].dropLast(20))
          try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        })
    }

    func write(_ name: String, _ text: String) throws {
      let file = path + "/local/" + name
      try FileManager.default.createDirectory(atPath: path + "/local", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: file))
    }

    func read(_ name: String) throws -> String {
      try String(contentsOf: URL(filePath: path + "/local/" + name), encoding: .utf8)
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path + "/local")) ?? []).sorted() }
  }

  @Test(arguments: SessionStoreKit.checks + SessionStoreKit.durable + SessionStoreKit.damaged)
  func `keeps the contract of stores`(check: SessionStoreCheck) async throws {
    let directory = Directory()
    try await check.run(directory.subject())
  }

  static func records(_ count: Int) -> [EventRecord] {
    (1...count).map { seq in
      EventRecord(
        seq: seq, time: Timestamp(milliseconds: Int64(seq)), session: "s",
        event: seq == 1
          ? .sessionCreated(SessionCreated(owner: "local"))
          : .prompt(Prompt(messageId: "m", message: .user("text \(seq)"))))
    }
  }

  @Test func `the file is the event format, one record a line`() async throws {
    let directory = Directory()
    let store = FileSessionStore(directory: directory.path)
    let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
    let records = Self.records(3)
    try await store.append(records, lease: lease)
    #expect(directory.names == ["s.jsonl", "s.lock"])
    #expect(try directory.read("s.lock") == "test")
    await store.release(lease)
    #expect(directory.names == ["s.jsonl"])
    #expect(try directory.read("s.jsonl") == records.map { $0.json.text() + "\n" }.joined())
    let mode = try FileManager.default.attributesOfItem(atPath: directory.path + "/local/s.jsonl")[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let folder = try FileManager.default.attributesOfItem(atPath: directory.path)[.posixPermissions]
    #expect(folder as? Int == 0o700)
  }

  @Test func `a log cut off at any byte loses at most the record that was cut, and keeps what is left of it`()
    async throws
  {
    let text = Self.records(4).map { $0.json.text() + "\n" }.joined()
    let ends = text.utf8.enumerated().filter { $0.element == 0x0A }.map { $0.offset + 1 }
    for cut in 1..<text.utf8.count {
      let directory = Directory()
      try directory.write("s.jsonl", String(decoding: text.utf8.prefix(cut), as: UTF8.self))
      let whole = ends.count { $0 <= cut }
      let store = FileSessionStore(directory: directory.path)
      let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
      if whole > 0 {
        #expect(try await store.records(of: "s", owner: "local", after: 0, limit: 9).count == whole, "cut at \(cut)")
      }
      if ends.contains(cut) {
        #expect(try await store.records(of: "s", owner: "local", after: whole, limit: 9).isEmpty)
        continue
      }
      let error = try await #require(throws: SessionError.self, "cut at \(cut)") {
        try await store.records(of: "s", owner: "local", after: whole, limit: 9)
      }
      #expect(error.code == .damaged && error.seq == whole + 1)
      await #expect(throws: SessionError.self) {
        try await store.append([Self.records(whole + 1)[whole]], lease: lease)
      }
      let place = try await store.quarantine(from: whole + 1, lease: lease)
      let rest = try String(contentsOf: URL(filePath: place), encoding: .utf8)
      #expect(rest.utf8.elementsEqual(text.utf8.prefix(cut).dropFirst(whole > 0 ? ends[whole - 1] : 0)))
      try await store.append([Self.records(whole + 1)[whole]], lease: lease)
      #expect(try await store.records(of: "s", owner: "local", after: 0, limit: 9).count == whole + 1)
    }
  }

  @Test func `a record that is just being written is not there yet for readers`() async throws {
    let directory = Directory()
    let lines = Self.records(3).map { $0.json.text() + "\n" }
    try directory.write("s.jsonl", lines[0] + lines[1] + lines[2].prefix(30))
    let store = FileSessionStore(directory: directory.path)
    #expect(try await store.records(of: "s", owner: "local", after: 0, limit: 9).count == 2)
    #expect(try await store.records(of: "s", owner: "local", after: 2, limit: 9).isEmpty)
    try directory.write("s.jsonl", lines.joined())
    #expect(try await store.records(of: "s", owner: "local", after: 2, limit: 9).count == 1)
  }

  @Test func `a long text is stored once a session, however often it is said`() async throws {
    let directory = Directory()
    let store = FileSessionStore(directory: directory.path)
    let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
    let long = String(repeating: "0123456789", count: 100_000)
    var records = Self.records(1)
    for seq in 2...20 {
      records.append(
        EventRecord(
          seq: seq, time: Timestamp(milliseconds: 5), session: "s",
          event: .prompt(Prompt(messageId: "m", message: .user(long)))))
    }
    try await store.append(records, lease: lease)
    await store.release(lease)
    #expect(try await store.records(of: "s", owner: "local", after: 0, limit: 99) == records)
    let blobs = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/local/s.blobs")
    #expect(blobs.count == 1)
    #expect(try directory.read("s.jsonl").utf8.count < 10_000)
    try await store.delete(session: "s", owner: "local")
    #expect(directory.names.isEmpty)
  }
}

@Suite struct `Stored bytes` {
  @Test func `of any shape are read or refused, never fatal`() throws {
    var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    let seed = generator
    let sample = EventRecord(
      seq: 1, time: Timestamp(milliseconds: 1), session: "s",
      event: .prompt(Prompt(messageId: "m", message: .user(String(repeating: "x", count: 70_000)))))
    let bytes = StoredRecord.bytes(sample) { _ in "id" }
    #expect(bytes.count < 1_000)
    for _ in 0..<2_000 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<mutated.count, using: &generator)
        mutated[index] =
          generator.chance(0.5)
          ? UInt8.random(in: 0...255, using: &generator) : bytes.randomElement(using: &generator) ?? 0
      }
      if let record = try? StoredRecord.record(mutated, text: { _ in [0x79] }) {
        #expect(record.seq.map { $0 >= 0 } ?? true, "seed \(seed)")
      }
    }
  }
}
