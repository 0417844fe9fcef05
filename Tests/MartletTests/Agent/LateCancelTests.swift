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
private actor SlowlyReleasedStore: SessionStore {
  nonisolated let gate = Gate()
  private let base = InMemorySessionStore()

  func acquire(session: String, owner: String, holder: String) async throws -> SessionLease {
    try await base.acquire(session: session, owner: owner, holder: holder)
  }
  func release(_ lease: SessionLease) async {
    await gate.wait()
    await base.release(lease)
  }
  func append(_ records: [EventRecord], lease: SessionLease) async throws {
    try await base.append(records, lease: lease)
  }
  func records(of session: String, owner: String, after seq: Int, limit: Int) async throws -> [EventRecord] {
    try await base.records(of: session, owner: owner, after: seq, limit: limit)
  }
  func sessions(owner: String) async throws -> [SessionSummary] { await base.sessions(owner: owner) }
  func search(_ query: String, owner: String, limit: Int) async throws -> [SessionMatch] {
    await base.search(query, owner: owner, limit: limit)
  }
  func fork(_ first: EventRecord, owner: String) async throws { try await base.fork(first, owner: owner) }
  func quarantine(from seq: Int, lease: SessionLease) async throws -> String {
    try await base.quarantine(from: seq, lease: lease)
  }
  func delete(session: String, owner: String) async throws { try await base.delete(session: session, owner: owner) }
}
