import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

/// Invariant I2 at the borders of epochs: equal inputs give equal bytes, and what changes is told.
@Suite struct PromptPrefixTests {
  private func tool(_ number: Int) -> EchoTool { EchoTool(name: "tool_\(number)") }

  private func warnings(_ agent: Agent, _ store: InMemorySessionStore) async throws -> [String] {
    try await store.records(of: agent.id, owner: "local", after: 0, limit: 1_000).compactMap {
      if case .warning(let warning) = $0.event, warning.code == "prefix_changed" { warning.message } else { nil }
    }
  }

  @Test func `whatever order tools come in, whatever the locale and the time, requests have the same bytes`()
    async throws
  {
    var random = SeededGenerator(seed: LoopInvariantTests.seed)
    var expected: [UInt8]?
    for _ in 0..<50 {
      let model = ScriptedModel([.calls([call("c", "tool_3")]), .text("Done.")])
      let registry = ToolRegistry()
      for number in (0..<12).shuffled(using: &random) { try await registry.register(tool(number)) }
      var configuration = AgentConfiguration(instructions: "Be kind.")
      configuration.locale = random.pick(["en_US_POSIX", "de_DE", "tr_TR", "zh_CN"])
      configuration.timeZone = random.pick(["UTC", "Asia/Tokyo"])
      let time = Timestamp(milliseconds: Int64.random(in: 0..<2_000_000_000_000, using: &random))
      let agent = Agent(
        model: model, tools: registry, configuration: configuration, session: "s",
        environment: AgentEnvironment(now: { time }))
      _ = try await agent.send("Go")
      let bytes = model.requests.flatMap { request -> [UInt8] in
        JSONValue.array(
          request.tools.map(\.json) + request.instructions.map(\.json) + request.messages.map(\.json)
        ).bytes()
      }
      #expect(expected ?? bytes == bytes, "seed \(LoopInvariantTests.seed)")
      expected = bytes
    }
  }

  @Test func `a tool that comes or goes is told with what it costs`() async throws {
    let store = InMemorySessionStore()
    let registry = try ToolRegistry([tool(1)])
    let agent = Agent(
      model: ScriptedModel { _, _ in .text("Yes.") }, tools: registry,
      configuration: AgentConfiguration(instructions: "Be kind."), store: store)
    _ = try await agent.send(String(repeating: "word ", count: 400))
    #expect(try await warnings(agent, store) == [])
    try await registry.register(tool(0))
    _ = try await agent.send("Hi")
    await registry.unregister("tool_1")
    await agent.setInstructions("Be brief.")
    _ = try await agent.send("Hi")
    let told = try await warnings(agent, store)
    #expect(told.count == 2)
    #expect(told.first?.contains("(tool tool_0 was added): about ") == true)
    #expect(told.last?.contains("(instructions changed, tool tool_1 was removed)") == true)
    let cost = told.first?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    #expect(cost > 500 && cost < 1_200)
    // What stays the same is not told again.
    _ = try await agent.send("Hi")
    #expect(try await warnings(agent, store).count == 2)
  }

  @Test func `another conversation in place of this one is told`() async throws {
    let store = InMemorySessionStore()
    let agent = Agent(model: ScriptedModel { _, _ in .text("Yes.") }, tools: ToolRegistry(), store: store)
    _ = try await agent.send("One")
    await agent.setMessages([.user("One"), .assistant(text: "No.")])
    _ = try await agent.send("Two")
    #expect(try await warnings(agent, store).first?.contains("messages from number 2 on were replaced") == true)
  }

  @Test func `a change within an epoch is noticed`() {
    var monitor = PrefixMonitor()
    let prefix = PromptPrefix(session: "s", epoch: 1)
    var request = ModelRequest(instructions: [.text("A")], messages: [.user("One")], prefix: prefix)
    #expect(monitor.take(request) == nil)
    request.messages.append(.assistant(text: "Yes."))
    #expect(monitor.take(request) == nil)
    request.instructions = [.text("B")]
    #expect(monitor.take(request)?.message.hasPrefix("the instructions changed within an epoch") == true)
    request.messages = [.user("Other")]
    #expect(monitor.take(request)?.message.hasPrefix("earlier messages changed") == true)
    request.prefix?.epoch = 2
    request.tools = [SearchHistoryTool.definition]
    #expect(monitor.take(request) == nil)
  }

  @Test func `hashes do not depend on the order of keys`() {
    let one = PromptSegment(name: "a", ["x": 1, "y": [2]])
    let two = PromptSegment(name: "a", ["y": [2], "x": 1])
    #expect(one == two)
    #expect(one.hash != PromptSegment(name: "a", ["x": 1, "y": [3]]).hash)
  }
}

extension Agent {
  fileprivate func setInstructions(_ text: String) { configuration.instructions = text }
  fileprivate func setMessages(_ messages: [Message]) { self.messages = messages }
}
