import Martlet
import MartletJSON
import MartletSync
import MartletTesting
import Testing

/// Every point at which a process can die or a user can cancel, for all runs of up to three turns with up to three calls.
@Suite struct AgentCrashTests {
  /// Counts how often each call was run, as a disk would.
  final class Effects: Sendable {
    private let counts = Locked<[String: Int]>([:])
    func add(_ callId: String) { counts.withLock { $0[callId, default: 0] += 1 } }
    var all: [String: Int] { counts.withLock { $0 } }
  }

  struct Shape: Sendable, CustomTestStringConvertible {
    var turns: Int
    var calls: Int
    var testDescription: String { "\(turns) turns of \(calls) calls" }
  }

  static let shapes = (0...3).flatMap { turns in (1...3).map { Shape(turns: turns, calls: $0) } }
  static let kinds: [ToolEffect] = [.readOnly, .idempotent, .once]

  func model(_ shape: Shape) -> ScriptedModel {
    ScriptedModel { _, request in
      let problems = MessageRules.violations(in: request.messages)
      if !problems.isEmpty {
        return .failure(ModelError(code: .invalidRequest, message: problems.joined(separator: "; ")))
      }
      // The turn follows from the last prompt on, so that it does not matter who asks.
      let start = request.messages.lastIndex { $0.role == .user } ?? 0
      let turn = request.messages[start...].filter { $0.role == .tool }.count
      guard turn < shape.turns, request.messages[start].text == "Go" else { return .text("Done.") }
      let calls = (0..<shape.calls).map { index in
        ToolCall(id: "call_\(turn)_\(index)", name: Self.kinds[index % 3].rawValue, arguments: ["text": "x"])
      }
      return .calls(calls, text: turn % 2 == 0 ? "Turn \(turn)." : "")
    }
  }

  func tools(_ effects: Effects) throws -> ToolRegistry {
    try ToolRegistry(
      Self.kinds.map { kind in
        EchoTool(name: kind.rawValue, effect: kind) { _, context in
          effects.add(context.callId)
          return .text("ok")
        }
      })
  }

  func store(_ records: [EventRecord]) async throws -> InMemorySessionStore {
    let store = InMemorySessionStore()
    let lease = try await store.acquire(session: "s", owner: "local", holder: "test")
    try await store.append(records, lease: lease)
    await store.release(lease)
    return store
  }

  func log(of store: InMemorySessionStore) async throws -> [EventRecord] {
    try await store.records(of: "s", owner: "local", after: 0, limit: 10_000)
  }

  func fullRun(_ shape: Shape) async throws -> [EventRecord] {
    let store = InMemorySessionStore()
    let agent = Agent(model: model(shape), tools: try tools(Effects()), session: "s", store: store)
    #expect(try await agent.send("Go") == "Done.")
    await agent.close()
    return try await log(of: store)
  }

  @Test(arguments: shapes)
  func `a run cut off after any record is finished by resume, and no effect of its own happens twice`(shape: Shape)
    async throws
  {
    let records = try await fullRun(shape)
    for count in 1...records.count {
      let prefix = Array(records.prefix(count))
      let effects = Effects()
      let store = try await store(prefix)
      let agent = Agent(model: model(shape), tools: try tools(effects), session: "s", store: store)
      let before = AgentLoop(folding: prefix)
      if before.phase == .idle {
        _ = try await agent.send("Go")
      } else if before.history.isEmpty {
        // Cut between the run's start and its prompt: there is nothing to finish, which is said.
        await #expect(throws: AgentError.self) { try await agent.resume() }
        #expect(try await agent.send("Go") == "Done.")
      } else {
        #expect(try await agent.resume() == "Done.", "cut after \(count)")
      }
      for record in prefix {
        guard case .toolStarted(let started) = record.event else { continue }
        let isFinished = prefix.contains {
          if case .toolFinished(let finished) = $0.event { finished.callId == started.call.id } else { false }
        }
        let runs = effects.all[started.call.id] ?? 0
        if before.phase == .idle { continue }
        if isFinished || started.effect == .once {
          #expect(runs == 0, "\(started.call.id) ran again after \(count) records")
        } else {
          #expect(runs == 1, "\(started.call.id) may run again, and did not after \(count) records")
        }
      }
      await agent.close()
      let finished = try await log(of: store)
      #expect(finished.map(\.seq) == (1...finished.count).map { $0 })
      #expect(AgentLoop(folding: finished).phase == .idle)
    }
  }

  @Test(arguments: shapes)
  func `after a crash at any record something new can be said instead, and the old task is not resumed`(shape: Shape)
    async throws
  {
    let records = try await fullRun(shape)
    for count in 1..<records.count {
      let effects = Effects()
      let store = try await store(Array(records.prefix(count)))
      let agent = Agent(model: model(shape), tools: try tools(effects), session: "s", store: store)
      #expect(try await agent.send("Something else") == "Done.", "cut after \(count)")
      #expect(effects.all.isEmpty, "an old call ran after \(count) records")
      #expect(MessageRules.violations(in: await agent.messages + [.user("next")]).isEmpty)
      await agent.close()
    }
  }

  @Test(arguments: shapes)
  func `a run cancelled at any record leaves a session that answers`(shape: Shape) async throws {
    let count = try await fullRun(shape).count
    for cut in 2...count {
      let store = InMemorySessionStore()
      let agent = Agent(model: model(shape), tools: try tools(Effects()), session: "s", store: store)
      var last: AgentEvent?
      for try await record in agent.stream("Go") {
        if record.seq == cut { await agent.cancel() }
        if record.seq != nil { last = record.event }
      }
      if case .finished = last {
      } else {
        Issue.record("cancelled at \(cut): the stream ended with \(String(describing: last))")
      }
      #expect(try await agent.send("Something else") == "Done.", "cancelled at \(cut)")
      await agent.close()
    }
  }

  @Test(arguments: shapes)
  func `a store that fails at any append ends the run with a reason, and the session goes on once it works again`(
    shape: Shape
  ) async throws {
    let count = try await fullRun(shape).count
    for failing in 1..<count {
      let store = FailingStore(failsAfter: failing)
      let agent = Agent(model: model(shape), tools: try tools(Effects()), session: "s", store: store)
      do {
        _ = try await agent.send("Go")
        // Grouped appends may have taken the last records together.
      } catch let error as AgentError {
        #expect(error.code == .storage, "failing after \(failing): \(error)")
      }
      await store.repair()
      #expect(try await agent.send("Something else") == "Done.", "failing after \(failing)")
      await agent.close()
    }
  }

  @Test func `a reader of a run that cannot be stored any further is told why it ends`() async throws {
    let count = try await fullRun(Shape(turns: 1, calls: 2)).count
    for failing in 3..<count - 1 {
      let store = FailingStore(failsAfter: failing)
      let agent = Agent(
        model: model(Shape(turns: 1, calls: 2)), tools: try tools(Effects()), session: "s", store: store)
      var isOver = false
      do {
        for try await record in agent.stream("Go") {
          if case .finished = record.event { isOver = true }
        }
        #expect(isOver, "failing after \(failing)")
      } catch let error as AgentError {
        #expect(error.code == .storage && !error.message.isEmpty, "failing after \(failing): \(error)")
      }
      await agent.close()
    }
  }
}

/// A store that takes so many records and then has no space, until it is repaired.
actor FailingStore: ForwardingStore {
  let base: any SessionStore = InMemorySessionStore()
  private var left: Int

  init(failsAfter count: Int) { left = count }

  func repair() { left = .max }

  func append(_ records: [EventRecord], lease: SessionLease) async throws {
    guard records.count <= left else { throw SessionError(code: .storage, message: "no space left on device") }
    left -= left == .max ? 0 : records.count
    try await base.append(records, lease: lease)
  }
}
