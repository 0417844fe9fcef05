import Foundation
import Martlet
import MartletJSON
import Testing

@Suite struct MessageTests {
  @Test func `a reply keeps its text and calls through its JSON form`() throws {
    let message = Message.assistant(
      text: "Let me see.",
      toolCalls: [ToolCall(id: "call_00000001", name: "calculator", arguments: ["expression": "2*3"])])
    #expect(try Message(json: message.json) == message)
    #expect(
      message.json.text()
        == #"{"role":"assistant","content":[{"type":"text","text":"Let me see."},{"type":"tool_call","id":"call_00000001","name":"calculator","arguments":{"expression":"2*3"}}]}"#
    )
  }

  @Test(arguments: ["[1]", "nul", "\"x\"", "{\"a\":", "NaN"])
  func `arguments that are no JSON object stay unparsed with their text`(text: String) {
    let call = ToolCall(id: "call_1", name: "t", argumentsText: text)
    guard case .unparsed(let kept, let reason) = call.arguments else {
      Issue.record("read as an object")
      return
    }
    #expect(kept == text)
    #expect(!reason.isEmpty)
  }

  @Test(arguments: ["", "  \n"])
  func `empty arguments mean no arguments`(text: String) {
    #expect(ToolCall(id: "call_1", name: "t", argumentsText: text).arguments == .object([:]))
  }

  @Test func `a made id is call and eight characters`() {
    let id = ToolCall.makeId()
    #expect(id.hasPrefix("call_"))
    #expect(id.utf8.count == 13)
  }

  @Test func `a block of a later format is kept whole`() throws {
    let json: JSONValue = ["type": "hologram", "depth": 3, "extra": ["x": 1]]
    #expect(try ContentBlock(json: json).json == json)
  }

  @Test func `a chat template gets roles, calls and one message for each result`() throws {
    let call = ToolCall(
      id: "call_00000001", name: "add",
      arguments: ["a": 2, "b": 0.5, "c": ["x": [true, .null, "y"]]])
    let asked = Message.assistant(text: "", toolCalls: [call]).templateDictionary
    #expect(asked["role"] as? String == "assistant")
    let calls = try #require(asked["tool_calls"] as? [[String: any Sendable]])
    #expect(calls.count == 1)
    #expect(calls[0]["id"] as? String == "call_00000001")
    let function = try #require(calls[0]["function"] as? [String: any Sendable])
    #expect(function["name"] as? String == "add")
    let arguments = try #require(function["arguments"] as? [String: any Sendable])
    #expect(arguments["a"] as? Int == 2)
    #expect(arguments["b"] as? Double == 0.5)
    let list = try #require((arguments["c"] as? [String: any Sendable])?["x"] as? [any Sendable])
    #expect(list.count == 3)
    #expect(list[0] as? Bool == true)
    #expect(list[2] as? String == "y")

    let answered = Message.tool([
      ToolResult(callId: "call_00000001", name: "add", content: [.text("2.5")]),
      ToolResult(callId: "call_00000002", name: "add", content: [.text("3")]),
    ])
    #expect(answered.templateDictionaries.map { $0["tool_call_id"] as? String } == ["call_00000001", "call_00000002"])
    #expect(answered.templateDictionary["role"] as? String == "tool")
    #expect(answered.templateDictionary["content"] as? String == "2.5")
    #expect(Message.user("hi").templateDictionary["content"] as? String == "hi")
    #expect(Message.system("be brief").templateDictionary["role"] as? String == "system")
  }

  @Test func `a conversation is kept and read back with any coder`() throws {
    let messages: [Message] = [
      .system("be brief"), .user("2 + 3, größer?"),
      .assistant(
        text: "Let me see.",
        toolCalls: [
          ToolCall(id: "call_00000001", name: "add", arguments: ["b": 3, "a": 2.5]),
          ToolCall(id: "call_00000002", name: "add", argumentsText: "{\"a\":"),
        ]),
      .tool([ToolResult(callId: "call_00000001", name: "add", content: [.text("5.5")])]),
    ]
    let encoded = try JSONEncoder().encode(messages)
    #expect(try JSONDecoder().decode([Message].self, from: encoded) == messages)
    #expect(try JSONTextDecoder().decode([Message].self, from: JSONTextEncoder().encode(messages)) == messages)
    #expect(try JSONTextDecoder().decode([Message].self, from: Array(encoded)) == messages)
  }
}
