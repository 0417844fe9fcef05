import Martlet
import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

@Suite(.hangLimit) struct MCPSamplerTests {
  private struct Fixed: Approver {
    let verdict: ApprovalVerdict
    let asked = Locked<[ApprovalRequested]>([])
    func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
      asked.withLock { $0.append(request) }
      return ApprovalDecision(verdict)
    }
  }

  private static let request = MCPSamplingRequest(
    [.init(["What is it?"])], maxTokens: 100_000, systemPrompt: "Be brief.")

  @Test func `the agent's model answers a server when the user agrees`() async throws {
    let model = ScriptedModel { _, _ in .text("It is this.") }
    let approver = Fixed(verdict: .allow)
    let sampler = MCPSampler(policy: ApprovalPolicy(), approver: approver) { model }
    let server = MCPServer(MCPImplementation(name: "s", version: "1"))
    server.register(MCPTool(name: "ask")) { _, context in .init([.text(try await context.sample(Self.request).text)]) }
    for revisions in [MCPClient.Revisions.modern, .legacy()] {
      let client = server.client(
        configuration: .init(
          handlers: MCPClientHandlers(sampling: { try await sampler.answer($0, of: "s") }, samplesWithTools: true),
          revisions: revisions, timeouts: .patient))
      #expect(try await client.call("ask").text == "It is this.")
      await client.close()
    }
    let asked = approver.asked.withLock { $0 }
    #expect(asked.first?.call.name == "mcp_sampling")
    #expect(
      asked.first?.call.arguments == .object(["server": "s", "system": "Be brief.", "messages": "user: What is it?"]))
    let seen = try #require(model.requests.first)
    #expect(seen.instructions == [.text("Be brief.")])
    #expect(seen.options.maxOutputTokens == 4_096)
    await server.close()
  }

  @Test func `nobody to ask, a no, a rule and the limit refuse`() async throws {
    let model = ScriptedModel { _, _ in .text("yes") }
    func refusal(_ sampler: MCPSampler) async -> String? {
      await #expect(throws: MCPErrorObject.self) { try await sampler.answer(Self.request, of: "s") }?.message
    }
    let nobody = MCPSampler(policy: ApprovalPolicy(), approver: nil) { model }
    #expect(await refusal(nobody) == "nobody is here to allow sampling")
    let no = MCPSampler(policy: ApprovalPolicy(), approver: Fixed(verdict: .deny)) { model }
    #expect(await refusal(no) == "the user does not allow sampling")
    let rules = PermissionRules(deny: [try PermissionRule("mcp_sampling")])
    let denied = MCPSampler(policy: ApprovalPolicy(mode: .all, rules: rules), approver: nil) { model }
    #expect(await refusal(denied)?.contains("not allowed") == true)
    #expect(model.requests.isEmpty)
    let once = MCPSampler(policy: ApprovalPolicy(mode: .all), approver: nil, limit: 1) { model }
    #expect(try await once.answer(Self.request, of: "s").text == "yes")
    #expect(await refusal(once) == "this client answers no more sampling requests")
  }

  @Test func `tools and their results go both ways`() async throws {
    let model = ScriptedModel([.calls([ToolCall(id: "c1", name: "look", arguments: ["x": 1])], text: "Let me see.")])
    let sampler = MCPSampler(policy: ApprovalPolicy(mode: .all), approver: nil) { model }
    var request = MCPSamplingRequest(
      [
        .init(["go"]), .init(role: "assistant", [.toolUse(id: "a", name: "look", input: ["x": 0])]),
        .init([.toolResult(id: "a", "nothing")]),
      ], maxTokens: 10)
    request.tools = [MCPTool(name: "look", description: "Looks.")]
    let result = try await sampler.answer(request, of: "s")
    #expect(result.stopReason == "toolUse")
    #expect(result.content == [.text("Let me see."), .toolUse(id: "c1", name: "look", input: ["x": 1])])
    let seen = try #require(model.requests.first)
    #expect(seen.tools.map(\.name) == ["look"])
    #expect(seen.messages.map(\.role) == [.user, .assistant, .tool])
    #expect(seen.options.maxOutputTokens == 10)
  }

  private static func asking(_ usage: Usage) -> ScriptedModel.Turn {
    .reply([.toolCall(ToolCall(id: "c1", name: "s__ask", arguments: [:]))], usage: usage)
  }

  /// An agent whose one tool has a server ask the agent's model.
  private func agent(
    _ model: ScriptedModel, budget: Budget = Budget()
  ) async throws -> (agent: Agent, pool: MCPServerPool, server: MCPServer) {
    let server = MCPServer(MCPImplementation(name: "s", version: "1"))
    server.register(MCPTool(name: "ask")) { _, context in .init([.text(try await context.sample(Self.request).text)]) }
    let side = Locked<(any LanguageModel)?>(nil)
    let sampler = MCPSampler(policy: ApprovalPolicy(mode: .all), approver: nil) { try #require(side.withLock { $0 }) }
    var settings = MCPServerPool.Configuration.patient
    settings.handlers = { name in MCPClientHandlers(sampling: { try await sampler.answer($0, of: name) }) }
    let pool = MCPServerPool(
      [MCPServerEntry(name: "s", place: .program(command: "s", arguments: [], environment: [:], directory: nil))],
      configuration: settings
    ) { _ in InProcessServerTransport(server) }
    let registry = ToolRegistry()
    await pool.start(into: registry)
    var configuration = AgentConfiguration(budget: budget)
    configuration.approval = ApprovalPolicy(mode: .all)
    configuration.resources = [pool]
    let agent = Agent(model: model, tools: registry, configuration: configuration)
    side.withLock { $0 = agent.sideModel(for: .sampling) }
    return (agent, pool, server)
  }

  @Test func `what a server has the model say counts in the run, and stands in its log`() async throws {
    let model = ScriptedModel([
      Self.asking(Usage(input: 100, output: 10)),
      .reply([.text("It is this.")], usage: Usage(input: 30, output: 7)),
      .reply([.text("Done.")], usage: Usage(input: 120, output: 5)),
    ])
    let (agent, _, server) = try await agent(model)
    var events: [AgentEvent] = []
    for try await record in agent.stream("go") { events.append(record.event) }
    let calls = events.compactMap { if case .modelCall(let call) = $0 { call.purpose } else { nil } }
    #expect(calls == [.turn, .sampling, .turn])
    let usage = events.compactMap { if case .modelCallEnded(let ended) = $0 { ended.usage.total } else { nil } }
    #expect(usage == [110, 37, 125])
    guard case .finished(let finished)? = events.last else {
      Issue.record("\(String(describing: events.last))")
      return
    }
    #expect(finished.reason == .answered && finished.usage.total == 272)
    await agent.close()
    await server.close()
  }

  @Test func `a server does not get what the run's budget has not left`() async throws {
    let model = ScriptedModel([
      Self.asking(Usage(input: 900, output: 80)),
      .text("not reached"),
    ])
    let (agent, _, server) = try await agent(model, budget: Budget(tokens: 1_000))
    var result: ToolFinished?
    for try await record in agent.stream("go") {
      if case .toolFinished(let finished) = record.event { result = finished }
    }
    #expect(result?.result.isError == true)
    #expect(model.requests.count == 1)
    await agent.close()
    await server.close()
  }

  @Test func `a server's answer is cut to what the budget has left`() async throws {
    let model = ScriptedModel([
      Self.asking(Usage(input: 100, output: 10)),
      .reply([.text("It is this.")], usage: Usage(input: 30, output: 7)), .text("Done."),
    ])
    let (agent, _, server) = try await agent(model, budget: Budget(tokens: 1_000))
    _ = try await agent.send("go")
    let output = try #require(model.requests[1].options.maxOutputTokens)
    #expect((16...890).contains(output))
    await agent.close()
    await server.close()
  }
}
