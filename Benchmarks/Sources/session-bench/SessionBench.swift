import Foundation
import Martlet
import MartletJSON
import MartletSQLite
import MartletTesting

/// What durable sessions cost: appends and reading against SQLite itself, and what a long log does to a run.
@main struct SessionBench {
  static func main() async throws {
    let sections = CommandLine.arguments.dropFirst()
    if sections.first == "--added", let path = sections.last { return print(try await added(path)) }
    func isWanted(_ section: String) -> Bool { sections.isEmpty || sections.contains(section) }
    let directory = FileManager.default.temporaryDirectory.path + "/martlet-session-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(atPath: directory) } catch { print("left behind: \(directory)") }
    }
    if isWanted("append") { try await appends(directory) }
    if isWanted("open") { try await opening(directory) }
    if isWanted("turns") { try await turns(directory) }
    if isWanted("memory") { try await memory(directory) }
  }

  static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    return (clock.now - start) / .seconds(1)
  }

  static func pad(_ value: some CustomStringConvertible, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - value.description.count)) + value.description
  }

  static func ratio(_ value: Double) -> String { String(format: "%.2f ×", value) }

  // MARK: - Appending

  static func appends(_ directory: String) async throws {
    print(
      "\nDurable appends (write-ahead log, synchronous=FULL): records per second, and the store's share of SQLite's")
    print("  records a commit        SQLite, same rows        store        share       (without the index of words)")
    for batch in [1, 6, 64, 512] {
      let records = SampleSession.records(max(600, min(12_000, batch * 60)))
      var (store, raw, bare) = (Double.infinity, Double.infinity, Double.infinity)
      for round in 0..<5 {
        let path = "\(directory)/append-\(batch)-\(round)"
        store = min(store, try await appendTime(records, batch, path))
        raw = min(raw, try await rawAppendTime(records, batch, path + "-raw", isIndexed: true))
        bare = min(bare, try await rawAppendTime(records, batch, path + "-bare", isIndexed: false))
      }
      let count = Double(records.count)
      print(
        "  \(pad(batch, 16)) \(pad(Int(count / raw), 24)) \(pad(Int(count / store), 12)) \(pad(ratio(raw / store), 12)) "
          + pad(ratio(bare / store), 20))
    }
  }

  static func appendTime(_ records: [EventRecord], _ batch: Int, _ path: String) async throws -> Double {
    let store = SQLiteSessionStore(path: path)
    let lease = try await store.acquire(session: SampleSession.name, owner: "local", holder: "bench")
    let time = try await seconds {
      var start = 0
      while start < records.count {
        let end = min(start + batch, records.count)
        try await store.append(Array(records[start..<end]), lease: lease)
        start = end
      }
    }
    await store.release(lease)
    return time
  }

  /// The same rows in the same transactions, the bytes and the words ready.
  static func rawAppendTime(
    _ records: [EventRecord], _ batch: Int, _ path: String, isIndexed: Bool
  ) async throws -> Double {
    let database = try RawSQLite(path)
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    try database.execute(
      """
      CREATE TABLE session (id INTEGER PRIMARY KEY, last_seq INTEGER, updated_at INTEGER) STRICT;
      INSERT INTO session VALUES (1, 0, 0);
      CREATE TABLE record (id INTEGER PRIMARY KEY, payload TEXT NOT NULL) STRICT;
      CREATE VIRTUAL TABLE word USING fts5 (text, content = '', tokenize = 'ascii');
      """)
    let rows = records.map { record in
      (record.json.bytes(), isIndexed ? words(of: record.event).map { Array($0.utf8) } : nil)
    }
    let insert = try database.prepare("INSERT INTO record (id, payload) VALUES (?, ?)")
    let index = try database.prepare("INSERT INTO word (rowid, text) VALUES (?, ?)")
    let update = try database.prepare("UPDATE session SET last_seq = ?, updated_at = ? WHERE id = 1")
    return try await seconds {
      var start = 0
      while start < rows.count {
        let end = min(start + batch, rows.count)
        try database.execute("BEGIN IMMEDIATE")
        for (offset, row) in rows[start..<end].enumerated() {
          let id = 1 << 32 | start + offset + 1
          insert.bind(id, at: 1)
          try row.0.withUnsafeBytes {
            insert.bind($0, at: 2)
            try insert.run()
          }
          guard let words = row.1 else { continue }
          index.bind(id, at: 1)
          try words.withUnsafeBytes {
            index.bind($0, at: 2)
            try index.run()
          }
        }
        update.bind(end, at: 1)
        update.bind(end, at: 2)
        try update.run()
        try database.execute("COMMIT")
        start = end
      }
    }
  }

  /// What the store indexes of an event; the sample's texts are words in lower case already.
  static func words(of event: AgentEvent) -> String? {
    switch event {
    case .sessionCreated(let created): created.title
    case .prompt(let prompt): prompt.message.text
    case .assistantMessage(let reply): reply.message.text
    case .toolFinished(let finished): finished.toolResult.text
    default: nil
    }
  }

  // MARK: - Opening

  static func opening(_ directory: String) async throws {
    let count = 100_000
    let path = directory + "/open"
    do {
      let store = SQLiteSessionStore(path: path)
      let lease = try await store.acquire(session: SampleSession.name, owner: "local", holder: "bench")
      let records = SampleSession.records(count)
      for start in stride(from: 0, to: count, by: 2_000) {
        try await store.append(Array(records[start..<min(start + 2_000, count)]), lease: lease)
      }
      await store.release(lease)
    }
    var times: [(name: String, best: Double)] = []
    func measure(_ name: String, _ body: () async throws -> Void) async throws {
      var best = Double.infinity
      for _ in 0..<7 { best = min(best, try await seconds(body)) }
      times.append((name, best))
    }
    try await measure("reading the rows with SQLite") {
      let database = try RawSQLite(path)
      let statement = try database.prepare("SELECT id, payload FROM record ORDER BY id")
      var rows: [[UInt8]] = []
      rows.reserveCapacity(count)
      statement.rows(1) { rows.append(Array($0)) }
      precondition(rows.count == count)
    }
    try await measure("reading the records") {
      let store = SQLiteSessionStore(path: path)
      var seq = 0
      while true {
        let page = try await store.records(of: SampleSession.name, owner: "local", after: seq, limit: 250)
        guard let last = page.last?.seq else { break }
        seq = last
      }
      precondition(seq == count)
    }
    try await measure("opening and folding the session") {
      let agent = Agent(
        model: ScriptedModel([]), tools: try ToolRegistry([]), session: SampleSession.name,
        store: SQLiteSessionStore(path: path))
      let wasQueued = try await agent.unqueue("none")
      let messages = await agent.messages.count
      precondition(!wasQueued && messages > count / 10)
      await agent.close()
    }
    print(
      "\nA session of \(count) records, \(((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0) / 1_000_000) MB"
    )
    for (name, best) in times {
      print(
        "  \(name)\(String(repeating: " ", count: 36 - name.count)) \(pad(Int(best * 1000), 6)) ms "
          + "\(pad(String(format: "%.2f", best / Double(count) * 1e6), 8)) µs a record \(pad(ratio(best / times[0].best), 10))"
      )
    }
  }

  // MARK: - Turns

  struct Trivial: Tool {
    let name = "echo"
    let description = "Repeats a text."
    let effect = ToolEffect.readOnly
    var parameters: JSONValue { ["type": "object", "properties": ["text": ["type": "string"]]] }
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput { .text("ok") }
  }

  static func turns(_ directory: String) async throws {
    print("\nOne pass of the loop in a stored session: instant model, trivial tool, everything durable")
    print("  messages before        µs/pass       of 10 messages")
    var first: Double?
    for length in [10, 100, 1_000, 10_000] {
      var best = Double.infinity
      for round in 0..<5 {
        let store = SQLiteSessionStore(path: "\(directory)/turns-\(length)-\(round)")
        best = min(best, try await secondsPerPass(history: length, passes: 100, store))
      }
      let base = first ?? best
      first = base
      print("  \(pad(length, 15)) \(pad(String(format: "%.1f", best * 1e6), 14)) \(pad(ratio(best / base), 20))")
    }
  }

  static func secondsPerPass(history length: Int, passes: Int, _ store: SQLiteSessionStore) async throws -> Double {
    var messages: [Message] = []
    for index in 0..<length / 2 {
      messages.append(.user("Question \(index) about something of ordinary length."))
      messages.append(.assistant(text: "Answer \(index), which is about as long as the question was."))
    }
    let clock = ContinuousClock()
    let times = Times()
    let model = ScriptedModel(keepsRequests: false) { index, _ in
      if index == 0 { times.start = clock.now }
      if index == passes {
        times.end = clock.now
        return .text("Done.")
      }
      return .calls([ToolCall(id: "", name: "echo", arguments: ["text": .string("\(index)")])])
    }
    let agent = Agent(
      model: model, tools: try ToolRegistry([Trivial()]),
      configuration: AgentConfiguration(budget: Budget(iterations: passes + 1)), messages: messages, store: store)
    _ = try await agent.send("Go")
    await agent.close()
    return (times.end - times.start) / .seconds(1) / Double(passes)
  }

  /// Written by the model's calls, one after the other, and read when they are over.
  final class Times: @unchecked Sendable {
    var start = ContinuousClock.now
    var end = ContinuousClock.now
  }

  // MARK: - Memory

  /// A session whose log is far larger than its view: what opening it and a run in it add to the process.
  static func memory(_ directory: String) async throws {
    print("\nMemory of a run in a session whose view was compacted (results of 20 kB)")
    print("          log        view       added while opening and running")
    for megabytes in [5, 100] {
      let path = "\(directory)/memory-\(megabytes)"
      let (log, view) = try await fill(path, megabytes)
      // In a process of its own, where nothing is left of the filling.
      let added = try addedElsewhere(path)
      print(
        "  \(pad(log / 1_000_000, 8)) MB \(pad(view / 1_000, 8)) kB \(pad(String(format: "%.1f", Double(added) / 1e6), 12)) MB"
      )
    }
  }

  static func fill(_ path: String, _ megabytes: Int) async throws -> (log: Int, view: Int) {
    let store = SQLiteSessionStore(path: path)
    let lease = try await store.acquire(session: SampleSession.name, owner: "local", holder: "bench")
    let records = SampleSession.records(megabytes * 1_000_000 / 20_000 * 8, resultBytes: 20_000, compactsEvery: 100)
    var log = 0
    for start in stride(from: 0, to: records.count, by: 100) {
      let batch = Array(records[start..<min(start + 100, records.count)])
      for record in batch { log += record.json.bytes().count }
      try await store.append(batch, lease: lease)
    }
    await store.release(lease)
    let view = AgentLoop(folding: records).history.reduce(0) { $0 + $1.json.bytes().count }
    return (log, view)
  }

  static func addedElsewhere(_ path: String) throws -> Int {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--added", path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  static func added(_ path: String) async throws -> Int {
    let store = SQLiteSessionStore(path: path)
    // What the library takes once is not the session's.
    _ = try await store.sessions(owner: "local")
    let before = residentBytes()
    var peak = before
    let agent = Agent(
      model: ScriptedModel(keepsRequests: false) { index, _ in
        index < 50 ? .calls([ToolCall(id: "", name: "echo", arguments: ["text": .string("\(index)")])]) : .text("Done.")
      }, tools: try ToolRegistry([Trivial()]), configuration: AgentConfiguration(budget: Budget(iterations: 60)),
      session: SampleSession.name, store: store)
    for try await _ in agent.stream("Go") { peak = max(peak, residentBytes()) }
    await agent.close()
    return peak - before
  }

  static func residentBytes() -> Int {
    // Linux tells pages; elsewhere the memory is not measured.
    do {
      let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4_096
    } catch {
      return 0
    }
  }
}
