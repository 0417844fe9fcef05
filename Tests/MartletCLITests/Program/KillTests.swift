import Foundation
import Martlet
import MartletJSON
import MartletProcess
import MartletSQLite
import MartletSync
import MartletTesting
import Testing

/// The program killed with SIGKILL, whose run another process then finishes.
@Suite(.serialized) struct `A run that was killed` {
  /// A home, a store in it and the counter of effects.
  struct World {
    var program: Program
    let effects: String
    let store: String

    init(_ store: String) throws {
      program = try Program("MartletScripted")
      effects = program.home.path + "/effects"
      try FileManager.default.createDirectory(atPath: effects, withIntermediateDirectories: true)
      program.environment["MARTLET_EFFECTS"] = effects
      self.store = store
    }

    var options: [String] { ["--store", store, "--output", "json"] }

    /// How often each call of a tool took effect.
    func counts(_ effect: ToolEffect) -> [String: Int] {
      let text = (try? String(contentsOf: URL(filePath: effects + "/" + effect.rawValue), encoding: .utf8)) ?? ""
      return Dictionary(text.split(separator: "\n").map { (String($0), 1) }, uniquingKeysWith: +)
    }

    func open() -> any SessionStore {
      store.hasPrefix("file:")
        ? FileSessionStore(directory: program.home.path + "/s") : SQLiteSessionStore(path: program.home.path + "/s")
    }

    /// Finishes the run in a new process, and checks everything that must hold then.
    func checkResume(_ place: String) async throws {
      let store = open()
      guard let session = try await store.sessions(owner: "local").first?.id else {
        // Killed before anything was stored: nothing was done either.
        for effect in ToolEffect.allCases { #expect(counts(effect).isEmpty, "\(place)") }
        return
      }
      let before = try await records(store, session)
      let wasOpen = AgentLoop(folding: before).phase != .idle
      if wasOpen {
        let outcome = try await program.run(["resume", session] + options)
        #expect(outcome.status == 0, "\(place): \(outcome.error)")
        #expect(try JSONValue(parsing: outcome.output)["answer"] == "Done.", "\(place)")
      }
      let log = try await records(store, session)
      #expect(log.map(\.seq) == (1...log.count).map { $0 }, "\(place)")
      var results: [String: ToolOutcome] = [:]
      for record in log {
        if case .toolFinished(let finished) = record.event { results[finished.callId] = finished.result }
      }
      let once = counts(.once)
      for (call, count) in once {
        #expect(count == 1, "\(place): \(call) took effect \(count) times")
        #expect(results[call] != nil, "\(place): \(call) took effect and has no result")
      }
      for (call, result) in results where result.code != .outcomeUnknown && !result.isError {
        let runs = ToolEffect.allCases.reduce(0) { $0 + (counts($1)[call] ?? 0) }
        #expect(runs >= 1, "\(place): \(call) has a result and no effect")
      }
      // What the model was sent was valid each time.
      var loop = AgentLoop()
      for record in log {
        if case .modelCall = record.event {
          let wrong = MessageRules.violations(in: loop.history)
          #expect(wrong.isEmpty, "\(place): before record \(record.seq ?? 0): \(wrong)")
        }
        loop.apply(record)
      }
      #expect(loop.phase == .idle, "\(place)")
      // And the session goes on.
      let agent = Agent(
        model: ScriptedModel([.text("Yes.")]), tools: try ToolRegistry([]), session: session, store: store)
      if log.contains(where: { if case .prompt = $0.event { true } else { false } }) {
        #expect(try await agent.send("Still there?") == "Yes.", "\(place)")
        #expect(MessageRules.violations(in: await agent.messages + [.user("next")]).isEmpty, "\(place)")
      }
      await agent.close()
    }

    private func records(_ store: any SessionStore, _ session: String) async throws -> [EventRecord] {
      try await store.records(of: session, owner: "local", after: 0, limit: 100_000)
    }
  }

  static let stores = ["sqlite:s", "file:s"]

  @Test(arguments: stores) func `at any write of the journal is finished, and no effect happens twice`(_ store: String)
    async throws
  {
    let whole = try World(store)
    #expect(try await whole.program.run(["run", "Go"] + whole.options).status == 0)
    try await whole.checkResume("whole")
    for side in ["before", "after"] {
      var isOver = false
      var first = 1
      while !isOver, first < 200 {
        // Some at a time; counts that the run does not reach are runs that nothing happens to.
        let ends = try await Self.together(first..<first + 2 * Self.width) { count in
          var world = try World(store)
          world.program.environment["MARTLET_DIE"] = "\(side):\(count)"
          let outcome = try await world.program.run(["run", "Go"] + world.options)
          #expect(outcome.status == 0 || outcome.status == 137, "\(side) \(count): \(outcome.error)")
          world.program.environment["MARTLET_DIE"] = nil
          try await world.checkResume("\(side) write \(count)")
          return (count, outcome.status == 0)
        }
        isOver = ends.contains { $0.1 }
        for (count, isWhole) in ends where isWhole { #expect(count > 10, "there were \(count - 1) writes only") }
        first += 2 * Self.width
      }
      #expect(isOver)
    }
  }

  /// Random moments for each store: with both, 200. `MARTLET_KILLS` says otherwise.
  static let kills = ProcessInfo.processInfo.environment["MARTLET_KILLS"].flatMap { Int($0) } ?? 100
  /// Programs that run side by side.
  static let width = max(2, ProcessInfo.processInfo.activeProcessorCount)

  static func together<Input: Sendable, Output: Sendable>(
    _ inputs: some Sequence<Input>, _ body: @escaping @Sendable (Input) async throws -> Output
  ) async throws -> [Output] {
    try await withThrowingTaskGroup(of: Output.self) { group in
      var outputs: [Output] = []
      for (index, input) in inputs.enumerated() {
        if index >= width, let output = try await group.next() { outputs.append(output) }
        group.addTask { try await body(input) }
      }
      for try await output in group { outputs.append(output) }
      return outputs
    }
  }

  @Test(arguments: stores) func `at any moment is finished, and no effect happens twice`(_ store: String) async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let clock = ContinuousClock()
    let whole = try World(store)
    let duration = try await clock.measure { _ = try await whole.program.run(["run", "Go"] + whole.options) }
    // The machine may become faster or slower meanwhile: the span that moments are taken from follows it.
    let span = Locked(duration)
    let parts = (0..<Self.kills).map { _ in Double.random(in: 0.05...1.3, using: &generator) }
    let cuts = try await Self.together(parts.enumerated()) { number, part in
      let world = try World(store)
      let child = try await ChildProcess.start(try world.program.command(["run", "Go"] + world.options))
      let moment = span.withLock { span in span * part }
      // The moment is the point of this test: nothing else is waited for.
      try await ContinuousClock().sleep(for: moment)
      child.send(signal: SIGKILL)
      for try await _ in child.output {}
      let status = try await child.waitForExit()
      await child.shutDown()
      try await world.checkResume("seed \(seed), kill \(number) after \(moment)")
      let isCut = status.shellStatus == 137
      span.withLock { span in span = span * (isCut ? 1.02 : 0.85) }
      return isCut
    }
    #expect(Self.kills < 20 || cuts.count { $0 } > Self.kills / 4, "most were over before they were killed")
  }

  @Test func `while another process runs the session, that one is named and keeps it`() async throws {
    let program = try Program.scripted([["text": "Let me", "waits": true]])
    let child = try await ChildProcess.start(try program.command(["run", "go", "--output", "jsonl"]))
    var text = ""
    var isChecked = false
    for try await bytes in child.output {
      text += String(decoding: bytes, as: UTF8.self)
      guard !isChecked, text.contains("\"delta\":\"e\"") else { continue }
      isChecked = true
      let second = try await program.run(["run", "--continue", "me too"])
      #expect(second.status == 1)
      #expect(second.error.contains("is in use by pid \(child.id)"), "\(second.error)")
      let session = try #require(try JSONValue(parsing: String(text.split(separator: "\n")[0]))["session"]?.stringValue)
      let resumed = try await program.run(["resume", session])
      #expect(resumed.error.contains("is in use by pid \(child.id)"), "\(resumed.error)")
      child.send(signal: SIGKILL)
    }
    #expect(isChecked)
    _ = try await child.waitForExit()
    await child.shutDown()
  }
}
