import Martlet
import MartletJSON
import MartletTesting
import Testing

@Suite struct MessageRulesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    let refused: [Message]
    let accepted: [Message]
    let violation: String
    var testDescription: String { rule }
  }

  private static let call = ToolCall(id: "a", name: "now")
  private static let other = ToolCall(id: "b", name: "now")
  private static let unread = ToolCall(id: "a", name: "now", arguments: .unparsed(text: "{", reason: "cut off"))
  private static func reply(_ calls: ToolCall...) -> Message { .assistant(text: "", toolCalls: calls) }
  private static func result(_ id: String, _ content: [ContentBlock] = [.text("noon")]) -> ToolResult {
    ToolResult(callId: id, name: "now", content: content)
  }
  private static let asked: [Message] = [.user("Hello"), reply(call), .tool([result("a")])]

  static let cases: [Case] = [
    Case(rule: "some_message", refused: [], accepted: [.user("Hello")], violation: "there are no messages"),
    Case(
      rule: "some_content", refused: [.user([]), .user("Hello")], accepted: [.user("Hello")],
      violation: "message 0 is empty"),
    Case(
      rule: "words_in_text", refused: [.user(" \n")],
      accepted: [
        .user("Hello"),
        Message(
          role: .assistant,
          content: [ContentBlock(.text(""), extra: BlockExtra(provider: "gemini", value: "signature"))]),
        .user("Go on"),
      ], violation: "message 0 has an empty text block"),
    Case(
      rule: "results_follow", refused: [.user("Hello"), reply(call, other), .tool([result("b"), result("a")])],
      accepted: [.user("Hello"), reply(unread, other), .tool([result("a"), result("b")])],
      violation: "message 2 answers [\"b\", \"a\"], but [\"a\", \"b\"] were called, in this order"),
    Case(
      rule: "results_alone",
      refused: [
        .user("Hello"), reply(call), Message(role: .tool, content: [.toolResult(result("a")), .text("Go on")]),
      ], accepted: asked + [.user("Go on")], violation: "message 2 mixes results with other blocks"),
    Case(
      rule: "result_content", refused: [.user("Hello"), reply(call), .tool([result("a", [])])], accepted: asked,
      violation: "the result of a is empty"),
    Case(
      rule: "unique_ids", refused: asked + [reply(call), .tool([result("a")])],
      accepted: asked + [reply(other), .tool([result("b")])], violation: "message 3 uses call id \"a\" again"),
    Case(
      rule: "call_names", refused: [.user("Hello"), reply(ToolCall(id: "a", name: "")), .tool([result("a")])],
      accepted: asked, violation: "message 1 has a call \"a\" without a name"),
    Case(
      rule: "roles_of_blocks", refused: [.user("Hello"), .user([.toolResult(result("a"))])], accepted: asked,
      violation: "message 1 of role user has calls or results in it"),
  ]

  @Test(arguments: cases)
  func `a conversation that breaks a rule is named`(_ sample: Case) {
    #expect(MessageRules.violations(in: sample.refused).contains(sample.violation))
    let rule = MessageRules.all.first { $0.name == sample.rule }
    #expect(rule?.violations(in: sample.refused) == [sample.violation])
  }

  @Test(arguments: cases)
  func `a conversation that keeps all rules is accepted`(_ sample: Case) {
    #expect(MessageRules.violations(in: sample.accepted) == [])
  }

  @Test func `every rule has a case and a source`() {
    #expect(MessageRules.all.map(\.name) == Self.cases.map(\.rule))
    #expect(MessageRules.all.allSatisfy { !$0.source.isEmpty })
  }

  @Test(arguments: [
    [Message.user("Hello"), reply(call)], [.user("Hello"), reply(call), .user("Go on")],
    [.user("Hello"), .tool([result("a")])], [.user("Hello"), reply(call), .tool([result("a"), result("a")])],
    [.user("Hello"), reply(call, other), .tool([result("a")])],
  ])
  func `a call without exactly one result in its place is named`(_ messages: [Message]) {
    #expect(!MessageRules.violations(in: messages).isEmpty)
  }

  @Test func `a paused reply may be last`() {
    let messages: [Message] = [.user("Hello"), .assistant(text: "So")]
    #expect(MessageRules.violations(in: messages).count == 1)
    #expect(MessageRules.violations(in: messages, continuesReply: true) == [])
  }

  @Test func `a conversation may only grow`() {
    let thinking = ContentBlock.thinking(Thinking(text: "Hm"))
    let before: [Message] = [.user("Hello"), Message(role: .assistant, content: [thinking, .text("Hi")])]
    #expect(MessageRules.changes(from: before, to: before + [.user("Go on")]) == [])
    #expect(MessageRules.changes(from: before, to: [.user("Hello")]) == ["1 messages are gone"])
    #expect(
      MessageRules.changes(from: before, to: [.user("Hi"), .assistant(text: "Hi")])
        == ["message 0 changed", "the thinking of message 1 changed"])
  }
}
