import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

@Suite struct TypedAnswerTests {
  private static let schema: JSONValue = [
    "type": "object", "properties": ["days": ["type": "integer", "minimum": 1]], "required": ["days"],
  ]

  private func agent(_ turns: [ScriptedModel.Turn]) -> (agent: Agent, model: ScriptedModel) {
    let model = ScriptedModel(turns)
    return (
      Agent(model: model, tools: ToolRegistry(), configuration: AgentConfiguration(outputSchema: Self.schema)), model
    )
  }

  private func end(_ agent: Agent, _ prompt: String) async throws -> AgentEvent? {
    var last: AgentEvent?
    for try await record in agent.stream(prompt) { last = record.event }
    return last
  }

  @Test(arguments: [
    "{\"days\":3}", " {\"days\": \"3\"}\n", "```json\n{\"days\": 3}\n```", "Here it is: {\"days\":3}. Done.",
  ])
  func `an answer that fits is the output of the run`(_ text: String) async throws {
    let (agent, model) = agent([.text(text)])
    guard case .finished(let finished) = try await end(agent, "How long?") else {
      Issue.record("the run did not finish")
      return
    }
    #expect(finished.output == ["days": 3])
    #expect(model.requests[0].outputSchema == Self.schema)
    #expect(model.requests[0].instructions.contains { $0.text?.contains("JSON Schema") == true })
  }

  @Test func `an answer that does not fit is asked for once more, with the reasons`() async throws {
    let (agent, model) = agent([.text("three days"), .text("{\"days\":3}")])
    guard case .finished(let finished) = try await end(agent, "How long?") else {
      Issue.record("the run did not finish")
      return
    }
    #expect(finished.output == ["days": 3])
    #expect(finished.iterations == 2)
    #expect(model.requests[1].messages.last?.text.contains("it is not JSON") == true)
    #expect(MessageRules.violations(in: Array(model.requests[1].messages)).isEmpty)
  }

  @Test func `an answer that does not fit twice fails, and the session goes on`() async throws {
    let (agent, model) = agent([
      .text("{\"days\":0}"), .text("{\"days\":-1}"), .text("none"), .text("{\"days\":2}"),
    ])
    guard case .failed(let failed) = try await end(agent, "How long?") else {
      Issue.record("the run did not fail")
      return
    }
    #expect(failed.code == "invalid_output")
    #expect(failed.message.contains("days"))
    #expect(!failed.retryable)
    // Each thing said has its own second chance.
    #expect(try await agent.send("And now?") == "{\"days\":2}")
    #expect(MessageRules.violations(in: Array(model.requests[3].messages)).isEmpty)
  }

  @Test func `a correction counts as an iteration`() async throws {
    let model = ScriptedModel([.text("no")])
    let agent = Agent(
      model: model, tools: ToolRegistry(),
      configuration: AgentConfiguration(budget: Budget(iterations: 1), outputSchema: Self.schema))
    let error = await #expect(throws: AgentError.self) { try await agent.send("How long?") }
    #expect(error?.code == .budget)
  }

  @Test func `any prefix of a corrected run folds to the same state`() async throws {
    let store = InMemorySessionStore()
    let agent = Agent(
      model: ScriptedModel([.text("no"), .text("{\"days\":3}")]), tools: ToolRegistry(),
      configuration: AgentConfiguration(outputSchema: Self.schema), session: "s", store: store)
    _ = try await agent.send("How long?")
    let records = try await store.records(of: "s", owner: "local", after: 0, limit: 100)
    var live = AgentLoop()
    for (index, record) in records.enumerated() {
      live.apply(record)
      let folded = AgentLoop(folding: try records[...index].map { try EventRecord(json: $0.json) })
      #expect(folded == live)
      #expect(folded.pendingEffects == live.pendingEffects)
    }
    // After the answer that does not fit, and before anything else, the correction is what is pending.
    let reply = try #require(records.firstIndex { if case .assistantMessage = $0.event { true } else { false } })
    guard case .correct = AgentLoop(folding: records[...reply]).pendingEffects.first else {
      Issue.record("no correction is pending")
      return
    }
  }

  @Test func `a schema that cannot be used is a mistake of the set-up`() async throws {
    let agent = Agent(
      model: ScriptedModel([]), tools: ToolRegistry(), configuration: AgentConfiguration(outputSchema: ["type": 3]))
    let error = await #expect(throws: AgentError.self) { try await agent.send("How long?") }
    #expect(error?.code == .configuration)
  }
}
