import Martlet
import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

/// A server's question outlives the processes on both sides (2026-07-28): the run parks, and the call is taken up again.
@Suite(.hangLimit) struct `A question of an MCP server while nobody is there` {
  private let store = InMemorySessionStore()
  private let key = RequestState.makeKey()
  private let rounds = Locked<[String]>([])

  private func server() -> MCPServer {
    var configuration = MCPServer.Configuration()
    configuration.stateKey = key
    let server = MCPServer(MCPImplementation(name: "desk", version: "1"), configuration: configuration)
    let rounds = rounds
    server.register(MCPTool(name: "book")) { _, context in
      rounds.withLock { $0.append("began") }
      let schema: JSONValue = ["type": "object", "properties": ["seat": ["type": "string"]], "required": ["seat"]]
      let answer = try await context.elicit(MCPElicitationRequest(message: "Which seat?", schema: schema), as: "seat")
      guard answer.action == .accept else { return .failure("not booked") }
      rounds.withLock { $0.append("booked") }
      return "seat \(answer.content["seat"]?.stringValue ?? "none")"
    }
    return server
  }

  /// One process: a pool with a server of its own, and an agent.
  private func process<Result>(
    session: String? = nil, turns: [ScriptedModel.Turn], parks: Bool = true, _ body: (Agent) async throws -> Result
  ) async throws -> Result {
    var configuration = MCPServerPool.Configuration.patient
    configuration.handlers = { _ in
      var handlers = MCPClientHandlers()
      handlers.parksElicitation = parks
      return handlers
    }
    let entry = MCPServerEntry(
      name: "desk", place: .program(command: "desk", arguments: [], environment: [:], directory: nil))
    let pool = MCPServerPool([entry], configuration: configuration) { _ in InProcessServerTransport(server()) }
    let registry = ToolRegistry()
    await pool.start(into: registry)
    var settings = AgentConfiguration()
    settings.approval = ApprovalPolicy(mode: .all)
    settings.resources = [pool]
    let agent = Agent(
      model: ScriptedModel(turns), tools: registry, configuration: settings, session: session, store: store)
    do {
      let result = try await body(agent)
      await agent.close()
      return result
    } catch {
      await agent.close()
      throw error
    }
  }

  private static let calling = ScriptedModel.Turn.calls([ToolCall(id: "call_1", name: "desk__book", arguments: [:])])

  private func loop(_ id: String) async throws -> AgentLoop {
    AgentLoop(folding: try await store.records(of: id, owner: "local", after: 0, limit: 1_000))
  }

  @Test(arguments: [["seat": ["action": "accept", "content": ["seat": "12A"]]], nil] as [JSONValue?])
  func `parks the run, and another process answers and goes on with the call`(_ answer: JSONValue?) async throws {
    let id = try await process(turns: [Self.calling]) { agent in
      let error = await #expect(throws: AgentError.self) { try await agent.send("Book a seat.") }
      #expect(error?.code == .waiting)
      return agent.id
    }
    let open = try #require(try await loop(id).openInputs.first)
    #expect(open.kind == "elicitation" && open.callId == "call_1")
    let needed = try #require(MCPInputNeeded(payload: open.payload))
    #expect(needed.server == "desk" && needed.questions.map(\.question.message) == ["Which seat?"])
    try await process(session: id, turns: [.text("Done.")]) { agent in
      try await agent.resolve(input: open.inputId, answer)
      #expect(try await agent.resume() == "Done.")
    }
    let result = try #require(try await loop(id).history.flatMap(\.toolResults).first)
    #expect(result.content.compactMap(\.text).joined() == (answer == nil ? "not booked" : "seat 12A"))
    #expect(rounds.withLock { $0 } == ["began", "began"] + (answer == nil ? [] : ["booked"]))
  }

  @Test func `is declined where nothing is parked`() async throws {
    try await process(turns: [Self.calling, .text("Done.")], parks: false) { agent in
      #expect(try await agent.send("Book a seat.") == "Done.")
      let result = try #require(try await loop(agent.id).history.flatMap(\.toolResults).first)
      #expect(result.isError)
    }
  }

  @Test func `is not offered to servers that could not take the call up again`() {
    var handlers = MCPClientHandlers()
    handlers.parksElicitation = true
    for revision in MCPRevision.allCases {
      let capabilities = handlers.capabilities(revision.facts, extensions: [:])
      #expect(capabilities.elicitationModes.isEmpty == (revision != .july2026), "\(revision)")
    }
  }
}
