import Martlet
import MartletJSON
import MartletTesting
import Testing

@Suite struct CallReadingModelTests {
  func agent(_ turns: [String]) throws -> (Agent, ScriptedModel) {
    let model = ScriptedModel(
      turns.map { text in
        .init(text.map { .text(String($0), index: 0) } + [.block(.text(text), index: 0), .finished(.endTurn, Usage())])
      })
    return (try Agent(model: CallReadingModel(model), tools: [EchoTool()]), model)
  }

  @Test(arguments: [
    #"Let me see.<tool_call>{"name":"echo","arguments":{"text":"hi"}}</tool_call>"#,
    #"<|python_tag|>{"name":"echo","parameters":{"text":"hi"}}"#,
    #"{"tool_calls":[{"function":"echo","arguments":"{\"text\":\"hi\"}"}]}"#,
  ])
  func `calls written as text run like any others`(text: String) async throws {
    let (agent, model) = try agent([text, "Done."])
    #expect(try await agent.send("Go") == "Done.")
    let messages = await agent.messages
    #expect(messages[1].toolCalls.map(\.name) == ["echo"])
    #expect(messages[2].text == "hi")
    #expect(!messages[1].text.contains("{"))
    #expect(MessageRules.violations(in: model.requests[1].messages).isEmpty)
  }

  @Test func `thinking tags become thinking`() async throws {
    let (agent, _) = try agent(["<think>Hm.</think>Hello."])
    #expect(try await agent.send("Go") == "Hello.")
    #expect(await agent.messages[1].content.first == .thinking(Thinking(text: "Hm.")))
  }

  @Test func `text that only looks like a call stays text`() async throws {
    let (agent, _) = try agent([#"{"name":"nobody","arguments":{}}"#])
    #expect(try await agent.send("Go") == #"{"name":"nobody","arguments":{}}"#)
  }
}
