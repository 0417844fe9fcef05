import Foundation
import Martlet
import MartletJSON
import MartletProcess
import MartletSQLite
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
      var count = 0
      while !isOver, count < 200 {
        count += 1
        var world = try World(store)
        world.program.environment["MARTLET_DIE"] = "\(side):\(count)"
        let outcome = try await world.program.run(["run", "Go"] + world.options)
        isOver = outcome.status == 0
        #expect(isOver || outcome.status == 137, "\(side) \(count): \(outcome.error)")
        world.program.environment["MARTLET_DIE"] = nil
        try await world.checkResume("\(side) write \(count)")
        #expect(!isOver || count > 10, "there were \(count - 1) writes only")
      }
    }
  }

  /// For each store; `MARTLET_KILLS` says otherwise. Each takes about as long as three starts of the program.
  static let kills = ProcessInfo.processInfo.environment["MARTLET_KILLS"].flatMap { Int($0) } ?? 10

  @Test(arguments: stores) func `at any moment is finished, and no effect happens twice`(_ store: String) async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let clock = ContinuousClock()
    let whole = try World(store)
    let duration = try await clock.measure { _ = try await whole.program.run(["run", "Go"] + whole.options) }
    for number in 0..<Self.kills {
      let world = try World(store)
      let moment = duration * Double.random(in: 0.2...1.05, using: &generator)
      let child = try await ChildProcess.start(try world.program.command(["run", "Go"] + world.options))
      // The moment is the point of this test: nothing else is waited for.
      try await clock.sleep(for: moment)
      child.send(signal: SIGKILL)
      for try await _ in child.output {}
      _ = try await child.waitForExit()
      await child.shutDown()
      try await world.checkResume("seed \(seed), kill \(number) after \(moment)")
    }
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
