import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

@Suite struct `A run that is cancelled while its session is being given back` {
  @Test func `is over, and its log says so`() async throws {
    let store = SlowlyReleasedStore()
    let tool = EchoTool(requiresPermission: true)
    let model = ScriptedModel([.calls([call("call_a")]), .text("Still here.")])
    let agent = Agent(model: model, tools: try ToolRegistry([tool]), store: store)
    let run = Task { try await agent.send("Go") }
    await store.gate.arrived()
    await agent.requestCancel(by: "user")
    store.gate.open()
    let error = await #expect(throws: AgentError.self) { try await run.value }
    #expect(error?.code == .cancelled)
    let records = try await store.records(of: agent.id, owner: "local", after: 0, limit: 1_000)
    #expect(AgentLoop(folding: records).phase == .idle)
    #expect(records.count { $0.event.type == "cancel_requested" } == 1)
    #expect(records.compactMap(\.seq) == Array(1...records.count))
    #expect(try await agent.send("Are you still there?") == "Still here.")
  }
}

/// A store that gives back a session only when a gate is open.
private struct SlowlyReleasedStore: ForwardingStore {
  let gate = Gate()
  let base: any SessionStore = InMemorySessionStore()

  func release(_ lease: SessionLease) async {
    await gate.wait()
    await base.release(lease)
  }
}
