import Martlet
import MartletJSON
import MartletTesting
import Testing

@Suite struct TranscriptTests {
  func records(_ model: ScriptedModel, tools: [any Tool] = []) async throws -> [EventRecord] {
    let agent = try Agent(model: model, tools: tools)
    var records: [EventRecord] = []
    for try await record in agent.stream("Go") { records.append(record) }
    return records
  }

  @Test func `deltas grow one item, which the complete message then is`() async throws {
    let model = ScriptedModel([
      .init([
        .text("Hel", index: 0), .text("lo", index: 0), .block(.text("Hello."), index: 0), .finished(.endTurn, Usage()),
      ])
    ])
    var transcript = Transcript()
    for record in try await records(model) { transcript.apply(record) }
    #expect(transcript.items.map(\.kind) == [.user("Go"), .assistant("Hello.")])
    #expect(!transcript.isRunning)
    #expect(transcript.iteration == 1)
  }

  @Test func `durable records alone give the same items as the whole stream`() async throws {
    let model = ScriptedModel([.calls([call("call_a")], text: "Let me see."), .text("Done.")])
    let all = try await records(model, tools: [EchoTool()])
    let whole = Transcript(folding: all)
    let durable = Transcript(folding: all.filter { $0.seq != nil })
    #expect(whole.items.map(\.kind) == durable.items.map(\.kind))
    #expect(whole.executions.map(\.state) == [.succeeded])
  }

  @Test func `records that come twice or out of a gap change nothing or little, and never trap`() async throws {
    let model = ScriptedModel([.calls([call("call_a"), call("call_b")], text: "Let me see."), .text("Done.")])
    let all = try await records(model, tools: [EchoTool()])
    var twice = Transcript()
    for record in all + all.filter({ $0.seq != nil }) { twice.apply(record) }
    #expect(twice.items == Transcript(folding: all).items)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      var transcript = Transcript()
      for record in all.shuffled(using: &random).prefix(Int.random(in: 0...all.count, using: &random)) {
        transcript.apply(record.event)
      }
    }
  }

  @Test func `apply says whether the list of items changed`() {
    var transcript = Transcript()
    let began = transcript.apply(.text(Delta(messageId: "m", block: 0, offset: 0, delta: "a")))
    let grew = transcript.apply(.text(Delta(messageId: "m", block: 0, offset: 1, delta: "b")))
    let counted = transcript.apply(.iterationStarted(1))
    #expect(began)
    #expect(!grew)
    #expect(!counted)
    #expect(transcript.items.map(\.kind) == [.assistant("ab")])
  }

  @Test func `what the user said is shown at once and not again by its event`() {
    var transcript = Transcript()
    transcript.user("Hi")
    transcript.apply(.prompt(Prompt(messageId: "m", message: .user("Hi"))))
    #expect(transcript.items.map(\.kind) == [.user("Hi")])
  }

  @Test func `a partial makes up for deltas that were dropped`() {
    var transcript = Transcript()
    transcript.apply(.text(Delta(messageId: "m", block: 0, offset: 0, delta: "a")))
    transcript.apply(.partial(Partial(messageId: "m", blocks: [.text("abcd")])))
    transcript.apply(.text(Delta(messageId: "m", block: 0, offset: 4, delta: "e")))
    #expect(transcript.items.map(\.kind) == [.assistant("abcde")])
  }
}
