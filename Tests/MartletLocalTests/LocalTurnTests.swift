import Martlet
import MartletJSON
import Testing

@testable import MartletLocal

struct LocalTurnTests {
  @Test func `a Chat Completions body becomes a request`() throws {
    let request = try LocalTurn.request([
      "messages": [
        ["role": "system", "content": "Be brief."], ["role": "user", "content": [["type": "text", "text": "Hi"]]],
        [
          "role": "assistant", "content": nil,
          "tool_calls": [
            ["id": "1", "function": ["name": "f", "arguments": "{\"a\":1}"]],
            ["id": "2", "function": ["name": "g", "arguments": ""]],
          ],
        ],
        ["role": "tool", "tool_call_id": "1", "content": "one"],
        ["role": "tool", "tool_call_id": "2", "content": "two"],
        ["role": "user", "content": "Thanks"],
      ],
      "tools": [["type": "function", "function": ["name": "f", "description": "d"]]],
      "tool_choice": ["type": "function", "function": ["name": "f"]], "max_tokens": 7, "temperature": 0, "stop": "x",
      "parallel_tool_calls": false,
    ])
    #expect(request.instructions.compactMap(\.text) == ["Be brief."])
    #expect(request.messages.map(\.role) == [.user, .assistant, .tool, .user])
    #expect(request.messages[1].toolCalls.map(\.argumentsObject) == [["a": 1], [:]])
    #expect(request.messages[2].toolResults.map(\.text) == ["one", "two"])
    #expect(request.messages[2].toolResults.map(\.name) == ["f", "g"])
    #expect(request.tools.map(\.name) == ["f"])
    #expect(request.options.toolChoice == .tool("f"))
    #expect(request.options.maxOutputTokens == 7)
    #expect(request.options.stopSequences == ["x"])
    #expect(request.options.parallelToolCalls == false)
  }

  @Test(
    arguments: [
      [:], ["messages": "hi"], ["messages": [["role": "robot", "content": "x"]]],
      ["messages": [["role": "user", "content": 3]]],
      ["messages": [["role": "user", "content": [["type": "image_url"]]]]],
      ["messages": [], "tools": [["type": "function"]]], ["messages": [], "tool_choice": ["type": "function"]],
      ["messages": [["role": "assistant", "tool_calls": [["id": "1"]]]]],
    ] as [JSONValue]) func `a body that cannot be read says why`(_ body: JSONValue)
  {
    let error = #expect(throws: ModelError.self) { try LocalTurn.request(body) }
    #expect(error?.code == .invalidRequest)
  }

  @Test func `a turn is printed with its calls in order`() {
    let turn = LocalTurn(
      text: "t", calls: [ToolCall(id: "1", name: "f", arguments: ["a": 1])], usage: Usage(input: 3, output: 2))
    #expect(
      turn.json.text()
        == #"{"text":"t","calls":[["f",{"a":1}]],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#)
  }
}
