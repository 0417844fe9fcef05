import Martlet
import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

@Suite(.timeLimit(.minutes(1))) struct MCPSamplerTests {
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
          revisions: revisions, timeouts: .init(probe: .seconds(60))))
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
}
