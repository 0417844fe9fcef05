import Martlet
import MartletJSON
import MartletSync
import MartletTesting
import Testing

/// Calls that must not be repeated and were running when the program ended.
@Suite struct `A call whose outcome is lost` {
  struct Answering: Approver {
    let decision: ApprovalDecision?
    let asked = Locked<[ApprovalRequested]>([])

    func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
      asked.withLock { $0.append(request) }
      guard let decision else { throw ApprovalDeferred() }
      return decision
    }
  }

  /// A store with a run that was cut off after its call had started.
  static func cutStore(_ tool: EchoTool) async throws -> InMemorySessionStore {
    let whole = InMemorySessionStore()
    let model = ScriptedModel([
      .calls([ToolCall(id: "c1", name: "send", arguments: ["text": "hi"])]), .text("Sent."),
    ])
    let agent = Agent(model: model, tools: try ToolRegistry([tool]), session: "s", store: whole)
    _ = try await agent.send("Send it")
    await agent.close()
    let records = try await whole.records(of: "s", owner: "local", after: 0, limit: 1_000)
    let cut = try #require(
      records.firstIndex { if case .toolStarted = $0.event { true } else { false } })
    let store = InMemorySessionStore()
    let lease = try await store.acquire(session: "s", owner: "local", holder: "gone")
    try await store.append(Array(records[...cut]), lease: lease)
    await store.release(lease)
    return store
  }

  /// What the model was told of the call, whether it ran again, and what was asked.
  private func resumed(
    asks: Bool, _ decision: ApprovalDecision?
  ) async throws -> (result: ToolResult?, runs: Int, asked: [ApprovalRequested], answer: String?) {
    let runs = Locked(0)
    let tool = EchoTool(name: "send", effect: .once) { _, _ in
      runs.withLock { $0 += 1 }
      return .text("sent")
    }
    let store = try await Self.cutStore(tool)
    runs.withLock { $0 = 0 }
    let approver = Answering(decision: decision)
    var configuration = AgentConfiguration(approver: approver)
    configuration.asksAboutLostCalls = asks
    let model = ScriptedModel([.text("Done.")])
    let agent = Agent(
      model: model, tools: try ToolRegistry([tool]), configuration: configuration, session: "s",
      store: store)
    var answer: String?
    do { answer = try await agent.resume() } catch let error as AgentError
      where error.code == .waiting
    {}
    await agent.close()
    var result: ToolResult?
    for record in try await store.records(of: "s", owner: "local", after: 0, limit: 1_000) {
      if case .toolFinished(let finished) = record.event { result = finished.toolResult }
    }
    return (result, runs.withLock { $0 }, approver.asked.withLock { $0 }, answer)
  }

  @Test func `is reported as unknown where nobody is to be asked`() async throws {
    let end = try await resumed(asks: false, ApprovalDecision(.allow))
    #expect(end.result?.code == .outcomeUnknown)
    #expect(end.runs == 0 && end.asked.isEmpty && end.answer == "Done.")
  }

  @Test func `runs again when the user says so`() async throws {
    let end = try await resumed(asks: true, ApprovalDecision(.allow, by: "user"))
    #expect(end.asked.count == 1 && end.asked.first?.isAboutLostCall == true)
    #expect(end.result?.text == "sent" && end.result?.isError == false)
    #expect(end.runs == 1 && end.answer == "Done.")
  }

  @Test func `stays unknown when the user does not want it again`() async throws {
    let end = try await resumed(asks: true, ApprovalDecision(.deny, by: "user"))
    #expect(end.result?.code == .outcomeUnknown)
    #expect(end.runs == 0 && end.asked.count == 1 && end.answer == "Done.")
  }

  @Test func `waits while nobody answers`() async throws {
    let end = try await resumed(asks: true, nil)
    // Nobody answers: closing the agent leaves the question open for the next one.
    #expect(end.result == nil && end.runs == 0 && end.asked.count == 1 && end.answer == nil)
  }
}
