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
}
