import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import Martlet

/// A call that needs something from outside waits for it, in whatever process, and then runs with it.
@Suite(.timeLimit(.minutes(2))) struct `An input` {
  /// Asks for a name once, and then for a colour.
  private struct Greeting: Tool {
    var effect = ToolEffect.once
    var requiresPermission = false
    var expires: Timestamp?
    let runs = Locked(0)
    let name = "greet"
    let description = "Greets somebody. Use it in tests."
    let parameters: JSONValue = ["type": "object", "properties": [:]]

    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
      runs.withLock { $0 += 1 }
      for (index, question) in ["Who?", "Which colour?"].enumerated() where context.inputs.count <= index {
        throw InputNeeded(.question, payload: ["question": .string(question)], expires: expires)
      }
      let words = context.inputs.map { $0.value?.stringValue ?? "declined" }
      return .text("Hello, " + words.joined(separator: " and "))
    }
  }

  private struct Answers: InputProvider {
    let answer: @Sendable (InputRequested) async throws -> JSONValue?
    func input(for request: InputRequested) async throws -> JSONValue? { try await answer(request) }
  }

  private func agent(
    _ tools: [any Tool], _ store: any SessionStore = InMemorySessionStore(), session: String? = nil,
    turns: [ScriptedModel.Turn]? = nil, provider: (any InputProvider)? = nil, approver: (any Approver)? = nil
  ) throws -> Agent {
    var configuration = AgentConfiguration()
    configuration.inputProvider = provider
    configuration.approver = approver
    return Agent(
      model: ScriptedModel(turns ?? [.calls([call("call_1", "greet", [:])]), .text("Done.")]),
      tools: try ToolRegistry(tools), configuration: configuration, session: session, store: store)
  }

  private func loop(_ store: any SessionStore, _ id: String) async throws -> AgentLoop {
    AgentLoop(folding: try await store.records(of: id, owner: "local", after: 0, limit: 1_000))
  }

  private func events(_ store: any SessionStore, _ id: String) async throws -> [AgentEvent] {
    try await store.records(of: id, owner: "local", after: 0, limit: 1_000).map(\.event)
  }

  @Test func `parks the run, is given by another process, and the call runs with all that came`() async throws {
    let store = InMemorySessionStore()
    let tool = Greeting()
    let first = try agent([tool], store)
    let error = await #expect(throws: AgentError.self) { try await first.send("Go.") }
    #expect(error?.code == .waiting)
    #expect(error?.message.contains("give question") == true)
    let id = first.id
    await first.close()
    // Another process gives one after the other.
    for (answer, question) in [("Ada", "Who?"), ("blue", "Which colour?")] {
      let other = try agent([tool], store, session: id, turns: [.text("Done.")])
      let open = try await loop(store, id).openInputs
      #expect(open.map(\.payload) == [["question": .string(question)]])
      #expect(open.first?.kind == "question" && open.first?.callId == "call_1")
      try await other.resolve(input: try #require(open.first).inputId, .string(answer))
      if answer == "Ada" {
        await #expect(throws: AgentError.self) { try await other.resume() }
      } else {
        #expect(try await other.resume() == "Done.")
      }
      await other.close()
    }
    #expect(tool.runs.withLock { $0 } == 3)
    let results = try await loop(store, id).history.flatMap(\.toolResults)
    #expect(results.map { $0.content.compactMap(\.text).joined() } == ["Hello, Ada and blue"])
  }

  @Test func `is given while the run goes on by whoever is there`() async throws {
    let store = InMemorySessionStore()
    let agent = try agent([Greeting()], store, provider: Answers { _ in "Ada" })
    #expect(try await agent.send("Go.") == "Done.")
    let types = try await events(store, agent.id).map(\.type)
    #expect(!types.contains("waiting"))
    #expect(types.filter { $0 == "input_requested" || $0 == "input_resolved" }.count == 4)
  }

  @Test func `that is declined reaches the tool, and one that cannot be asked for parks`() async throws {
    let store = InMemorySessionStore()
    let declining = try agent([Greeting()], store, provider: Answers { _ in nil })
    #expect(try await declining.send("Go.") == "Done.")
    let results = try await loop(store, declining.id).history.flatMap(\.toolResults)
    #expect(results.first?.content.first?.text == "Hello, declined and declined")
    for failure in [InputDeferred() as any Error, ModelError(code: .connection, message: "gone")] {
      let parked = try agent([Greeting()], provider: Answers { _ in throw failure })
      let error = await #expect(throws: AgentError.self) { try await parked.send("Go.") }
      #expect(error?.code == .waiting)
    }
  }

  @Test func `is given once, and what comes after the run is over changes nothing`() async throws {
    let store = InMemorySessionStore()
    let agent = try agent([Greeting()], store)
    await #expect(throws: AgentError.self) { try await agent.send("Go.") }
    let id = try #require(try await loop(store, agent.id).openInputs.first).inputId
    try await agent.resolve(input: id, "Ada")
    let again = await #expect(throws: AgentError.self) { try await agent.resolve(input: id, "Bea") }
    #expect(again?.code == .alreadyAnswered)
    let unknown = await #expect(throws: AgentError.self) { try await agent.resolve(input: "none", "Bea") }
    #expect(unknown?.code == .notFound)
    await #expect(throws: AgentError.self) { try await agent.resume() }
    let second = try #require(try await loop(store, agent.id).openInputs.first).inputId
    await agent.cancel()
    let other = try self.agent([Greeting()], store, session: agent.id, turns: [.text("New.")])
    await agent.close()
    #expect(try await other.send("Something else.") == "New.")
    let late = await #expect(throws: AgentError.self) { try await other.resolve(input: second, "blue") }
    #expect(late?.code == .notFound)
  }

  @Test func `that comes too late counts as declined`() async throws {
    let store = InMemorySessionStore()
    var tool = Greeting()
    tool.expires = Timestamp(milliseconds: 1_000)
    let agent = try agent([tool], store)
    #expect(try await agent.send("Go.") == "Done.")
    let results = try await loop(store, agent.id).history.flatMap(\.toolResults)
    #expect(results.first?.content.first?.text == "Hello, declined and declined")
  }

  @Test func `of a call that needs permission is asked for after it, and permission is asked once`() async throws {
    struct Allowing: Approver {
      let asked: Locked<Int>
      func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
        asked.withLock { $0 += 1 }
        return .allow
      }
    }
    let store = InMemorySessionStore()
    let asked = Locked(0)
    var tool = Greeting()
    tool.requiresPermission = true
    let agent = try agent([tool], store, provider: Answers { _ in "Ada" }, approver: Allowing(asked: asked))
    #expect(try await agent.send("Go.") == "Done.")
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func `of one call does not hold up the others of its batch`() async throws {
    let store = InMemorySessionStore()
    let agent = try agent(
      [Greeting(effect: .readOnly), EchoTool()], store,
      turns: [.calls([call("call_1", "greet", [:]), call("call_2", "echo", ["text": "hi"])]), .text("Done.")])
    await #expect(throws: AgentError.self) { try await agent.send("Go.") }
    let types = try await events(store, agent.id).map(\.type)
    #expect(types.filter { $0 == "tool_finished" }.count == 1)
    #expect(types.last == "waiting")
  }

  @Test(arguments: [ToolEffect.once, .readOnly])
  func `is there after a crash at any record, and no call runs with less than was given`(
    _ effect: ToolEffect
  ) async throws {
    let store = InMemorySessionStore()
    let agent = try agent([Greeting(effect: effect)], store, provider: Answers { _ in "Ada" })
    _ = try await agent.send("Go.")
    let records = try await store.records(of: agent.id, owner: "local", after: 0, limit: 1_000)
    for count in 3..<records.count {
      let cut = InMemorySessionStore()
      let lease = try await cut.acquire(session: agent.id, owner: "local", holder: "test")
      try await cut.append(Array(records.prefix(count)), lease: lease)
      await cut.release(lease)
      var loop = try await loop(cut, agent.id)
      // Without its prompt there is nothing to go on with.
      if loop.phase == .idle || loop.history.isEmpty { continue }
      let resumed = Agent(
        model: ScriptedModel { _, request in
          request.messages.contains { $0.role == .tool } ? .text("Done.") : .calls([call("call_1", "greet", [:])])
        }, tools: try ToolRegistry([Greeting(effect: effect)]), configuration: configuration, session: agent.id,
        store: cut)
      _ = try await resumed.resume()
      loop = try await self.loop(cut, agent.id)
      let result = try #require(loop.history.flatMap(\.toolResults).first)
      let text = result.content.compactMap(\.text).joined()
      #expect(text == "Hello, Ada and Ada" || result.code == .outcomeUnknown, "after \(count): \(text)")
    }
  }

  private var configuration: AgentConfiguration {
    var configuration = AgentConfiguration()
    configuration.inputProvider = Answers { _ in "Ada" }
    return configuration
  }

  @Test func `of a tool that the app performs is its result`() async throws {
    for (value, text, isError) in [
      ("Oslo", "Oslo", false), (["lat": 59.9], #"{"lat":59.9}"#, false),
      (nil, "greet was not performed: the other side declined.", true),
    ] as [(JSONValue?, String, Bool)] {
      let store = InMemorySessionStore()
      let tool = ClientTool("greet", description: "Where the user is.")
      let agent = try agent([tool], store)
      await #expect(throws: AgentError.self) { try await agent.send("Go.") }
      let request = try #require(try await loop(store, agent.id).openInputs.first)
      #expect(request.kind == "client_tool" && request.payload == ["name": "greet", "arguments": [:]])
      try await agent.resolve(input: request.inputId, value)
      #expect(try await agent.resume() == "Done.")
      let result = try #require(try await loop(store, agent.id).history.flatMap(\.toolResults).first)
      #expect(result.content.first?.text == text && result.isError == isError)
    }
  }

  @Test func `does not outlive a run that is cancelled`() async throws {
    let store = InMemorySessionStore()
    let asked = Promise<Void>()
    let agent = try agent(
      [Greeting()], store,
      provider: Answers { _ in
        asked.keep(())
        try await Gate().waitUnlessCancelled()
        return nil
      })
    let run = Task { try await agent.send("Go.") }
    await asked.value
    await agent.cancel()
    let error = await #expect(throws: AgentError.self) { try await run.value }
    #expect(error?.code == .cancelled)
    let loop = try await loop(store, agent.id)
    #expect(loop.openInputs.isEmpty && loop.phase == .idle)
    #expect(loop.history.flatMap(\.toolResults).map(\.code) == [.interrupted])
  }
}
