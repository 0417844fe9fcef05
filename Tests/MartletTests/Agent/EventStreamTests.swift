import Martlet
import MartletJSON
import MartletTesting
import Testing

@Suite struct EventStreamTests {
  @Test func `an observer that comes late gets every durable record from its cursor on`() async throws {
    let agent = try Agent(model: ScriptedModel([.calls([call("call_a")]), .text("Done.")]), tools: [EchoTool()])
    _ = try await agent.send("Go")
    var seqs: [Int] = []
    for try await record in agent.events(after: 4) {
      if let seq = record.seq { seqs.append(seq) }
      if case .finished = record.event { break }
    }
    #expect(seqs == Array(5...15))
  }

  @Test func `a slow reader misses no durable record, and gets a partial for the deltas it lost`() async throws {
    let gate = Gate()
    let words = (0..<5_000).map { ModelEvent.text("w\($0) ", index: 0) }
    let model = ScriptedModel([
      .init(words + [.block(.text("All."), index: 0), .finished(.endTurn, Usage())]) { _ in await gate.wait() }
    ])
    let agent = try Agent(model: model)
    var iterator = agent.stream("Go").makeAsyncIterator()
    var records: [EventRecord] = []
    while let record = try await iterator.next() {
      records.append(record)
      if case .modelCall = record.event { break }
    }
    // The whole reply comes while this reader does not read.
    gate.open()
    var observer = agent.events(after: 0).makeAsyncIterator()
    while let record = try await observer.next() {
      if case .finished = record.event { break }
    }
    while let record = try await iterator.next() { records.append(record) }
    let durable = records.compactMap(\.seq)
    #expect(durable == Array(2...(durable.last ?? 0)))
    #expect(records.count < 2_000)
  }

  @Test func `cancelling a reader of events ends it with CancellationError and not the run`() async throws {
    let gate = Gate()
    let model = ScriptedModel([
      .init([.block(.text("Hello."), index: 0), .finished(.endTurn, Usage())]) { _ in await gate.wait() }
    ])
    let agent = try Agent(model: model)
    let reader = Task { for try await _ in agent.events(after: 0) {} }
    async let answer = agent.send("Go")
    await gate.arrived()
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    gate.open()
    #expect(try await answer == "Hello.")
  }

  @Test func `closing the agent ends the readers of its events`() async throws {
    let agent = try Agent(model: ScriptedModel([.text("Hello.")]))
    _ = try await agent.send("Go")
    let reader = Task { () -> Int in
      var count = 0
      for try await _ in agent.events(after: 0) { count += 1 }
      return count
    }
    await agent.close()
    _ = try? await reader.value
    await #expect(throws: AgentError.self) { try await agent.send("Again") }
  }
}

@Suite struct ToolProgressTests {
  @Test func `what a tool tells of its progress is shown while it runs`() async throws {
    let gate = Gate()
    let tool = EchoTool { _, context in
      context.progress(1, total: 2, message: "half")
      await gate.wait()
      return .text("ok")
    }
    let agent = try Agent(model: ScriptedModel([.calls([call("call_a")]), .text("Done.")]), tools: [tool])
    var steps: [ToolProgress] = []
    for try await record in agent.stream("Go") {
      if case .toolProgress(let step) = record.event {
        steps.append(step)
        gate.open()
      }
    }
    #expect(steps == [ToolProgress(callId: "call_a", progress: 1, total: 2, message: "half")])
  }
}
