import Martlet
import MartletJSON
import MartletTesting
import Testing

/// A tool that answers with its text.
struct EchoTool: Tool {
  var name = "echo"
  var effect = ToolEffect.readOnly
  var requiresPermission = false
  var body: @Sendable (JSONObject, ToolContext) async throws -> ToolOutput = { arguments, _ in
    .text(arguments["text"]?.stringValue ?? "")
  }
  var description: String { "Repeats a text. Use it in tests." }
  var parameters: JSONValue {
    ["type": "object", "properties": ["text": ["type": "string"]], "required": ["text"]]
  }
  func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
    try await body(arguments.objectValue ?? [:], context)
  }
}

func call(
  _ id: String, _ name: String = "echo", _ arguments: JSONObject = ["text": "hi"]
) -> ToolCall {
  ToolCall(id: id, name: name, arguments: arguments)
}

@Suite struct AgentTests {
  @Test func `an answer comes back as text`() async throws {
    let agent = try Agent(model: ScriptedModel([.text("Hello.")]))
    #expect(try await agent.send("Hi") == "Hello.")
    #expect(await agent.messages == [.user("Hi"), .assistant(text: "Hello.")])
  }

  @Test func `tools run and their results go back in one message in call order`() async throws {
    let model = ScriptedModel([
      .calls([call("call_a", "echo", ["text": "one"]), call("call_b", "echo", ["text": "two"])]), .text("Done."),
    ])
    let agent = try Agent(model: model, tools: [EchoTool()])
    #expect(try await agent.send("Go") == "Done.")
    let messages = await agent.messages
    #expect(messages.count == 4)
    #expect(messages[2].role == .tool)
    #expect(messages[2].toolResults.map(\.callId) == ["call_a", "call_b"])
    #expect(messages[2].toolResults.map(\.text) == ["one", "two"])
    #expect(model.requests.count == 2)
    #expect(Array(model.requests[1].messages) == Array(messages.prefix(3)))
  }

  @Test func `the stream gives every durable event with a number and ends`() async throws {
    let agent = try Agent(model: ScriptedModel([.calls([call("call_a")]), .text("Done.")]), tools: [EchoTool()])
    var types: [String] = []
    var seqs: [Int] = []
    for try await record in agent.stream("Go") {
      if let seq = record.seq { seqs.append(seq) }
      types.append(record.event.type)
    }
    #expect(
      types == [
        "run_started", "context", "prompt", "iteration_started", "model_call", "model_call_ended", "assistant_message",
        "tool_started", "tool_finished", "iteration_started", "model_call", "text", "model_call_ended",
        "assistant_message", "finished",
      ])
    #expect(seqs == Array(2...15))
  }

  @Test func `running out of iterations is an error that says so`() async throws {
    let model = ScriptedModel { index, _ in .calls([call("call_\(index)")]) }
    let agent = try Agent(model: model, tools: [EchoTool()])
    do {
      _ = try await agent.send("Go")
      Issue.record("there was an answer")
    } catch let error as AgentError {
      #expect(error.code == .budget)
      #expect(error.message.contains("5 iterations"))
    }
    #expect(model.requests.count == 5)
  }

  @Test func `a second run while one is under way is refused`() async throws {
    let gate = Gate()
    let model = ScriptedModel([
      .init([.block(.text("x"), index: 0), .finished(.endTurn, Usage())]) { _ in await gate.wait() }
    ])
    let agent = try Agent(model: model)
    async let first = agent.send("one")
    await gate.arrived()
    do {
      _ = try await agent.send("two")
      Issue.record("two runs at once")
    } catch let error as AgentError {
      #expect(error.code == .busy)
    }
    gate.open()
    #expect(try await first == "x")
  }
}
