import Martlet
import MartletJSON
import MartletTesting
import Testing

@Suite struct `An agent with a memory` {
  let directory: TemporaryDirectory
  let memory: Memory

  init() throws {
    directory = try TemporaryDirectory()
    memory = Memory(
      user: MemoryStore(path: directory.path + "/user.md"), project: MemoryStore(path: directory.path + "/project.md"))
  }

  private func agent(
    _ model: ScriptedModel, _ memory: Memory? = nil, session: String? = nil,
    store: any SessionStore = InMemorySessionStore()
  ) throws -> Agent {
    let memory = memory ?? self.memory
    var configuration = AgentConfiguration(instructions: "Be brief.")
    configuration.sources = [memory]
    return Agent(
      model: model, tools: try ToolRegistry(memory.tools), configuration: configuration, session: session, store: store)
  }

  private func run(_ tool: String, _ arguments: JSONObject, _ memory: Memory? = nil) async throws -> ToolResult {
    let model = ScriptedModel([.calls([call("call_a", tool, arguments)]), .text("Done.")])
    let agent = try agent(model, memory)
    _ = try await agent.send("Go")
    return try #require(await agent.messages[2].toolResults.first)
  }

  @Test func `reads its notes into the instructions, after the fixed ones`() async throws {
    try await memory.user.remember("Likes tea.")
    try await memory.project?.remember("Builds with make.")
    let model = ScriptedModel([.text("Hi.")])
    _ = try await agent(model).send("Hello")
    #expect(
      model.requests[0].instructions.compactMap(\.text) == [
        "Be brief.",
        "What you know about this user:\n- Likes tea.\n\nWhat you know about this project:\n- Builds with make.",
      ])
  }

  @Test func `says nothing where nothing is known`() async throws {
    let model = ScriptedModel([.text("Hi.")])
    _ = try await agent(model).send("Hello")
    #expect(model.requests[0].instructions.compactMap(\.text) == ["Be brief."])
  }

  @Test func `keeps the beginning of the prompt byte for byte while the file changes`() async throws {
    try await memory.user.remember("Likes tea.")
    let model = ScriptedModel([
      .calls([call("call_a", "remember", ["note": "Lives in Oslo."])]), .text("Noted."), .text("Oslo."), .text("Oslo."),
    ])
    let store = InMemorySessionStore()
    let first = try agent(model, store: store)
    _ = try await first.send("I live in Oslo.")
    try await memory.user.remember("Written from outside.")
    _ = try await first.send("Where do I live?")
    await first.close()
    // Another process goes on with the session, and a fork of it too.
    let fork = EventRecord(
      seq: 6, time: Timestamp(milliseconds: 1), session: "fork",
      event: .sessionCreated(SessionCreated(owner: "local", forkedFrom: SessionOrigin(session: first.id, seq: 5))))
    try await store.fork(fork, owner: "local")
    for session in [first.id, "fork"] {
      let next = try agent(ScriptedModel { _, _ in .text("Oslo.") }, session: session, store: store)
      _ = try await next.send("Again?")
      let records = try await store.records(of: session, owner: "local", after: 0, limit: 1_000)
      #expect(records.count { if case .context = $0.event { true } else { false } } == 1)
      await next.close()
    }
    let expected = model.requests[0].instructions
    #expect(expected.compactMap(\.text).last == "What you know about this user:\n- Likes tea.")
    for request in model.requests {
      #expect(request.instructions == expected)
      #expect(request.tools == model.requests[0].tools)
    }
    #expect(try directory.read("user.md") == "- Likes tea.\n- Lives in Oslo.\n- Written from outside.\n")
    #expect(Array(model.requests[1].messages).last?.text == "Remembered: Lives in Oslo.")
  }

  @Test func `a new session and a new epoch know what was remembered since`() async throws {
    let model = ScriptedModel { _, _ in .text("Yes.") }
    let agent = try agent(model)
    _ = try await agent.send("One")
    try await memory.user.remember("Likes tea.")
    _ = try await agent.send("Two")
    #expect(model.requests[1].instructions == model.requests[0].instructions)
    try await agent.tools.register(EchoTool())
    _ = try await agent.send("Three")
    #expect(model.requests[2].instructions.compactMap(\.text).last == "What you know about this user:\n- Likes tea.")
    let other = ScriptedModel([.text("Yes.")])
    _ = try await self.agent(other).send("Hello")
    #expect(other.requests[0].instructions == model.requests[2].instructions)
  }

  @Test func `without its memory the instructions lose the notes`() async throws {
    try await memory.user.remember("Likes tea.")
    let model = ScriptedModel { _, _ in .text("Yes.") }
    let agent = try agent(model)
    _ = try await agent.send("One")
    await agent.forgetSources()
    _ = try await agent.send("Two")
    #expect(model.requests[1].instructions.compactMap(\.text) == ["Be brief."])
  }

  @Test func `the tools declare what running them twice does, and say what they did`() async throws {
    let effects = memory.tools.map { "\($0.name) \($0.effect.rawValue)" }
    #expect(effects == ["remember idempotent", "recall read_only", "forget idempotent"])
    #expect(try await run("remember", ["note": "Likes tea."]).text == "Remembered: Likes tea.")
    #expect(try await run("remember", ["note": "likes tea."]).text == "That was remembered already.")
    #expect(try await run("remember", ["note": "Uses make.", "scope": "project"]).isError == false)
    #expect(try await run("recall", [:]).text == "- Likes tea.\n- Uses make.")
    #expect(try await run("recall", ["query": "tea"]).text == "- Likes tea.")
    #expect(try await run("recall", ["query": "tea", "scope": "project"]).text == "No note is about that.")
    #expect(try await run("forget", ["note": "tea"]).text == "Forgotten: Likes tea.")
    let again = try await run("forget", ["note": "tea"])
    #expect(again.isError)
    #expect(again.code == .init(rawValue: "not_found"))
    #expect(try directory.read("project.md") == "- Uses make.\n")
  }

  @Test func `a full memory is an error result that the model can act on`() async throws {
    let small = Memory(user: MemoryStore(path: directory.path + "/small.md", limit: 20))
    let result = try await run("remember", ["note": "This does not fit into it."], small)
    #expect(result.isError)
    #expect(result.code == .init(rawValue: "memory_full"))
    #expect(result.text.contains("the memory is full"))
    #expect(try small.tools[0].parameters["properties"]?["scope"] == nil)
  }

  @Test func `a memory that cannot be read is a warning, once, and stops nothing`() async throws {
    try directory.write("user.md", [0xFF])
    let agent = try agent(ScriptedModel { _, _ in .text("Yes.") })
    var warnings: [String] = []
    for prompt in ["One", "Two"] {
      for try await record in agent.stream(prompt) {
        if case .warning(let warning) = record.event { warnings.append(warning.message) }
      }
    }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("is not text") == true)
  }

  @Test func `of a file longer than its limit the rest is left to recall`() async throws {
    try directory.write("small.md", "- first\n- second\n- third\n")
    let model = ScriptedModel([.text("Hi.")])
    _ = try await agent(model, Memory(user: MemoryStore(path: directory.path + "/small.md", limit: 18))).send("Hello")
    #expect(
      model.requests[0].instructions.compactMap(\.text).last
        == "What you know about this user:\n- first\n- second\n[More notes are left out here; recall finds them.]")
  }
}

extension Agent {
  fileprivate func forgetSources() { configuration.sources = [] }
}
