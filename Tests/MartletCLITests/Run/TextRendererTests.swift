import Martlet
import MartletJSON
import Testing

@testable import MartletCLI

@Suite struct `the answer as text` {
  private func record(_ event: AgentEvent) -> EventRecord {
    EventRecord(time: Timestamp(milliseconds: 0), session: "s", run: "r", event: event)
  }

  private func reply(_ text: String, id: String = "m1", calls: [ToolCall] = []) -> AgentEvent {
    .assistantMessage(AssistantMessage(messageId: id, message: .assistant(text: text, toolCalls: calls)))
  }

  private func delta(_ text: String, at offset: Int, block: Int = 0, id: String = "m1") -> AgentEvent {
    .text(Delta(messageId: id, block: block, offset: offset, delta: text))
  }

  private func render(_ events: [AgentEvent], terminal: Bool) throws -> (output: String, error: String) {
    let memory = Console.inMemory(terminal: terminal)
    var renderer = TextRenderer(console: memory.console)
    var report = RunReport()
    for event in events {
      report.take(record(event))
      try renderer.show(record(event))
    }
    try renderer.finish(report)
    return (memory.output.text, memory.error.text)
  }

  private let end = AgentEvent.finished(Finished(iterations: 1, reason: .answered))

  @Test func `a terminal gets text as it comes, once`() throws {
    let shown = try render([delta("It is ", at: 0), delta("92.", at: 6), reply("It is 92."), end], terminal: true)
    #expect(shown.output == "It is 92.\n")
  }

  @Test func `what an observer missed comes with the whole reply`() throws {
    let shown = try render([delta("It ", at: 0), delta("92.", at: 6), reply("It is 92."), end], terminal: true)
    #expect(shown.output == "It is 92.\n")
    #expect(try render([reply("It is 92."), end], terminal: true).output == "It is 92.\n")
  }

  @Test func `several blocks follow each other`() throws {
    let message = Message(role: .assistant, content: [.text("one"), .text("two")])
    let shown = try render(
      [
        delta("one", at: 0), delta("two", at: 0, block: 1),
        .assistantMessage(AssistantMessage(messageId: "m1", message: message)), end,
      ], terminal: true)
    #expect(shown.output == "onetwo\n")
  }

  @Test func `control sequences do not reach a terminal, and reach a file`() throws {
    let text = "a\u{1B}]0;x\u{07}b"
    #expect(try render([delta(text, at: 0), reply(text), end], terminal: true).output == "ab\n")
    #expect(try render([delta(text, at: 0), reply(text), end], terminal: false).output == text + "\n")
  }

  @Test func `a file gets no talk before calls`() throws {
    let call = ToolCall(id: "c", name: "calculator", arguments: ["expression": "23*4"])
    let events: [AgentEvent] = [
      delta("Let me see", at: 0), reply("Let me see", calls: [call]),
      .toolStarted(ToolStarted(call: call, effect: .readOnly)),
      .toolFinished(ToolFinished(ToolResult(callId: "c", name: "calculator", content: [.text("92")]), durationMs: 2)),
      delta("It is 92.", at: 0, id: "m2"), reply("It is 92.", id: "m2"), end,
    ]
    let file = try render(events, terminal: false)
    #expect(file.output == "It is 92.\n")
    #expect(file.error == "")
    let screen = try render(events, terminal: true)
    #expect(screen.output == "Let me see\nIt is 92.\n")
    #expect(screen.error == "▸ calculator expression=23*4\n  → 92 (2 ms)\n")
  }

  @Test func `a reply that is asked for again starts on a line of its own`() throws {
    let shown = try render(
      [
        delta("It i", at: 0), .retrying(Retrying(attempt: 2, afterMs: 10, reason: "overloaded")),
        delta("It is.", at: 0, id: "m2"), reply("It is.", id: "m2"), end,
      ], terminal: true)
    #expect(shown.output == "It i\nIt is.\n")
    #expect(shown.error.contains("overloaded"))
  }

  @Test func `a typed answer is its JSON`() throws {
    let end = AgentEvent.finished(Finished(iterations: 1, reason: .answered, output: ["n": 1]))
    #expect(try render([reply("{\"n\": 1}"), end], terminal: false).output == "{\"n\":1}\n")
  }
}
