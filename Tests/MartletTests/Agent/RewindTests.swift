import Martlet
import MartletJSON
import MartletTesting
import Testing

/// Going back in a conversation, and beside it.
@Suite struct `Going back` {
  private func agent(
    _ turns: [ScriptedModel.Turn], _ tools: [EchoTool] = [], store: InMemorySessionStore = InMemorySessionStore()
  ) throws -> (Agent, ScriptedModel) {
    let model = ScriptedModel(turns)
    return (Agent(model: model, tools: try ToolRegistry(tools), session: "s", store: store), model)
  }

  private func records(_ store: InMemorySessionStore, _ session: String = "s") async throws -> [EventRecord] {
    try await store.records(of: session, owner: "local", after: 0, limit: 10_000)
  }

  @Test func `undo takes back what was said last, again and again, until nothing is left`() async throws {
    let store = InMemorySessionStore()
    let (agent, model) = try agent([.text("One."), .text("Two."), .text("Other two.")], store: store)
    _ = try await agent.send("First")
    let first = await agent.messages
    _ = try await agent.send("Second")
    #expect(try await agent.undo() == .user("Second"))
    #expect(await agent.messages == first)
    #expect(try await agent.send("Another second") == "Other two.")
    // The model never sees what was taken back, and what it saw before is where it was.
    #expect(model.requests.last?.messages.map(\.text) == ["First", "One.", "Another second"])
    #expect(model.requests.map { $0.prefix?.epoch } == [1, 1, 2])
    #expect(try await agent.turns.map(\.message.text) == ["First", "Another second"])
    #expect(try await agent.undo()?.text == "Another second")
    #expect(try await agent.undo()?.text == "First")
    #expect(try await agent.undo() == nil)
    #expect(await agent.messages.isEmpty)
    // Nothing has left the log.
    let log = try await records(store)
    #expect(log.count { $0.event.type == "prompt" } == 3 && log.count { $0.event.type == "rewound" } == 3)
    #expect(AgentLoop(folding: log).history.isEmpty)
    await agent.close()
  }

  @Test func `what was taken back can be brought back`() async throws {
    let (agent, _) = try agent([.text("One."), .text("Two."), .text("Three.")])
    _ = try await agent.send("First")
    _ = try await agent.send("Second")
    let whole = await agent.messages
    let turn = try #require(try await agent.turns.last)
    _ = try await agent.undo()
    // Up to the end of the run that was taken back.
    try await agent.rewind(to: turn.seq + 5)
    #expect(await agent.messages == whole)
    #expect(try await agent.turns.map(\.message.text) == ["First", "Second"])
    #expect(try await agent.send("Third") == "Three.")
    await agent.close()
  }

  @Test func `another process goes on from where it was gone back to`() async throws {
    let store = InMemorySessionStore()
    let (agent, _) = try agent([.text("One."), .text("Two.")], store: store)
    _ = try await agent.send("First")
    _ = try await agent.send("Second")
    _ = try await agent.undo()
    await agent.close()
    let (next, model) = try self.agent([.text("Other.")], store: store)
    await #expect(throws: AgentError.self) { try await next.resume() }
    #expect(try await next.send("Another") == "Other.")
    #expect(model.requests.last?.messages.map(\.text) == ["First", "One.", "Another"])
    await next.close()
  }

  @Test func `into a turn of tools keeps the results that were there and says of the others what is known`()
    async throws
  {
    let store = InMemorySessionStore()
    let tools = [
      EchoTool(name: "look", effect: .readOnly) { _, _ in .text("seen") },
      EchoTool(name: "pay", effect: .once) { _, _ in .text("paid") },
    ]
    let calls = ["look", "pay"].map { ToolCall(id: "c_\($0)", name: $0, arguments: ["text": "x"]) }
    let (agent, model) = try agent([.calls(calls), .text("Done."), .text("Again.")], tools, store: store)
    _ = try await agent.send("Go")
    let log = try await records(store)
    func seq(_ type: String, _ call: String) throws -> Int {
      try #require(
        log.first {
          switch $0.event {
          case .toolStarted(let started): type == "started" && started.call.id == call
          case .toolFinished(let finished): type == "finished" && finished.callId == call
          default: false
          }
        }?.seq)
    }
    try await agent.rewind(to: try seq("started", "c_pay"))
    let results = try #require(await agent.messages.last).toolResults
    #expect(results.map(\.callId) == ["c_look", "c_pay"])
    #expect(results[0].text == "seen" && results[0].code == nil)
    #expect(results[1].code == .outcomeUnknown)
    #expect(try await agent.send("And now?") == "Again.")
    #expect(MessageRules.violations(in: try #require(model.requests.last).messages).isEmpty)
    await agent.close()
  }

  @Test func `is refused while a run is under way, and to records that are not there`() async throws {
    let gate = Gate()
    let (agent, _) = try agent([
      ScriptedModel.Turn(
        [.block(.text("One."), index: 0), .finished(.endTurn, Usage())], before: { _ in await gate.wait() })
    ])
    async let answer = agent.send("First")
    await gate.arrived()
    await #expect { try await agent.undo() } throws: { ($0 as? AgentError)?.code == .busy }
    await #expect { try await agent.rewind(to: 1) } throws: { ($0 as? AgentError)?.code == .busy }
    gate.open()
    _ = try await answer
    for seq in [0, -3, 1_000] {
      await #expect { try await agent.rewind(to: seq) } throws: { ($0 as? AgentError)?.code == .notFound }
      await #expect { _ = try await agent.fork(at: seq) } throws: { ($0 as? AgentError)?.code == .notFound }
    }
    #expect(await agent.messages.count == 2)
    await agent.close()
  }

  @Test func `a fork says something else in the place of a prompt, and both go on by themselves`() async throws {
    let store = InMemorySessionStore()
    let (agent, model) = try agent([.text("One."), .text("Two."), .text("Other."), .text("Three.")], store: store)
    _ = try await agent.send("First")
    _ = try await agent.send("Second")
    let turn = try #require(try await agent.turns.last)
    #expect(turn.message == .user("Second"))
    let other = try await agent.fork(at: turn.before)
    #expect(try await other.send("Edited") == "Other.")
    #expect(model.requests.last?.messages.map(\.text) == ["First", "One.", "Edited"])
    #expect(try await agent.send("Third") == "Three.")
    #expect(await agent.messages.map(\.text) == ["First", "One.", "Second", "Two.", "Third", "Three."])
    #expect(await other.messages.map(\.text) == ["First", "One.", "Edited", "Other."])
    // Behind the point where it was forked the fork goes back by itself.
    #expect(try await other.undo()?.text == "Edited")
    #expect(try await other.undo()?.text == "First")
    #expect(await other.messages.isEmpty)
    let list = await store.sessions(owner: "local")
    #expect(list.first { $0.id == other.id }?.forkedFrom == SessionOrigin(session: "s", seq: turn.before))
    await agent.close()
    await other.close()
  }

  @Test func `a fork of a run under way is finished by itself`() async throws {
    let store = InMemorySessionStore()
    let gate = Gate()
    let tool = EchoTool(name: "look", effect: .readOnly) { _, _ in
      await gate.wait()
      return .text("seen")
    }
    let (agent, _) = try agent(
      [.calls([ToolCall(id: "c", name: "look", arguments: ["text": "x"])]), .text("Done."), .text("Done too.")], [tool],
      store: store)
    async let answer = agent.send("Go")
    await gate.arrived()
    let fork = try await agent.fork()
    gate.open()
    #expect(try await answer == "Done.")
    #expect(try await fork.resume() == "Done too.")
    #expect(await fork.messages.count == 4)
    await agent.close()
    await fork.close()
  }

  @Test func `what is shown is cut with it`() async throws {
    let store = InMemorySessionStore()
    let (agent, _) = try agent([.text("One."), .text("Two."), .text("Three.")], store: store)
    _ = try await agent.send("First")
    _ = try await agent.send("Second")
    _ = try await agent.undo()
    _ = try await agent.send("Third")
    let transcript = Transcript(folding: try await records(store))
    #expect(
      transcript.items.map(\.kind) == [.user("First"), .assistant("One."), .user("Third"), .assistant("Three.")])
    await agent.close()
  }
}
