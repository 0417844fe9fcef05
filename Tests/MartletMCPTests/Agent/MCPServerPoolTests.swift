import Martlet
import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

@Suite(.hangLimit) struct MCPServerPoolTests {
  /// A server whose tools say who they are. Its list waits for a gate, so that a test decides when it is up.
  private struct Service: MCPServerProtocol {
    let name: String
    let names: [String]
    var gate = Gate()

    var tools: [MCPTool] {
      get async throws {
        await gate.wait()
        return names.map { MCPTool(name: $0, description: "Searches \(name).") }
      }
    }
    func call(_ tool: String, arguments: JSONObject) async throws -> MCPCallResult { "\(name) did \(tool)" }
  }

  private static func entry(_ name: String, trusted: Bool = false) -> MCPServerEntry {
    MCPServerEntry(
      name: name, place: .program(command: name, arguments: [], environment: [:], directory: nil), isTrusted: trusted)
  }

  private static func with<Result>(
    _ servers: [String: any MCPTransport], trusted: Bool = false,
    configuration: MCPServerPool.Configuration = .patient, _ body: (MCPServerPool) async throws -> Result
  ) async throws -> Result {
    let pool = MCPServerPool(
      servers.keys.map { entry($0, trusted: trusted) }, configuration: configuration
    ) { entry in
      guard let transport = servers[entry.name] else { throw MCPError(.cannotStart, "there is no such program") }
      return transport
    }
    do {
      let result = try await body(pool)
      await pool.close()
      return result
    } catch {
      await pool.close()
      throw error
    }
  }

  @Test(arguments: [["alpha", "beta"], ["beta", "alpha"]])
  func `two servers with tools of one name give equal bytes in whichever order they come up`(
    _ order: [String]
  ) async throws {
    let services = ["alpha", "beta"].map { Service(name: $0, names: ["search", "a.b/c"]) }
    let transports = Dictionary(
      uniqueKeysWithValues: services.map { ($0.name, InProcessServerTransport(MCPServer($0)) as any MCPTransport) })
    try await Self.with(transports) { pool in
      let registry = ToolRegistry()
      async let started = pool.start(into: registry)
      for name in order {
        services.first { $0.name == name }?.gate.open()
        while await pool.tools(of: name).isEmpty { await Task.yield() }
      }
      #expect(await started.allSatisfy { $0.error == nil && $0.toolCount == 2 })
      let definitions = await registry.definitions
      #expect(
        definitions.map(\.name) == ["alpha__a_b_c-60ff77d0", "alpha__search", "beta__a_b_c-64f9b08b", "beta__search"])
      for name in ["alpha", "beta"] {
        let tool = try #require(await registry.tool(named: "\(name)__search"))
        #expect(try await tool.call([:], context: ToolContext()).content == [.text("\(name) did search")])
      }
      let odd = try #require(definitions.first { $0.name.hasPrefix("alpha__a") })
      let output = try await #require(await registry.tool(named: odd.name)).call([:], context: ToolContext())
      #expect(output.content == [.text("alpha did a.b/c")])
    }
  }

  @Test func `a server that cannot be started and one that stays silent keep nobody away`() async throws {
    let clock = ManualClock()
    let silent = InProcessTransport.pair()
    let good = Service(name: "good", names: ["search"])
    good.gate.open()
    var configuration = MCPServerPool.Configuration()
    configuration.client.clock = clock
    let transports: [String: any MCPTransport] = [
      "silent": silent.0, "good": InProcessServerTransport(MCPServer(good)),
    ]
    let pool = MCPServerPool(["missing", "silent", "good"].map { Self.entry($0) }, configuration: configuration) {
      guard let transport = transports[$0.name] else { throw MCPError(.cannotStart, "there is no such program") }
      return transport
    }
    let registry = ToolRegistry()
    let isStarted = Locked(false)
    async let started = {
      defer { isStarted.withLock { $0 = true } }
      return await pool.start(into: registry)
    }()
    while await pool.tools.isEmpty { await Task.yield() }
    // Whenever it is that patience with the silent one begins, it ends.
    while !isStarted.withLock({ $0 }) {
      clock.advance(by: .seconds(31))
      await Task.yield()
    }
    let statuses = await started
    #expect(statuses.map(\.name) == ["good", "missing", "silent"])
    #expect(statuses[0].error == nil)
    #expect(statuses[1].error?.message == "there is no such program")
    #expect(statuses[2].error?.code == .timedOut)
    #expect(await registry.definitions.map(\.name) == ["good__search"])
    await pool.close()
  }

  @Test func `a server that dies costs its calls and one start, not the session`() async throws {
    let server = MCPServer(MCPImplementation(name: "s", version: "1"))
    let (started, gate) = (Gate(), Gate())
    server.register(MCPTool(name: "hang")) { _, _ in
      started.open()
      try await gate.waitUnlessCancelled()
      return "late"
    }
    server.register(MCPTool(name: "quick")) { _, _ in "ok" }
    let transport = MortalTransport(server)
    try await Self.with(["s": transport]) { pool in
      let registry = ToolRegistry()
      await pool.start(into: registry)
      let hang = try #require(await registry.tool(named: "s__hang"))
      let quick = try #require(await registry.tool(named: "s__quick"))
      async let lost = hang.call([:], context: ToolContext())
      await started.wait()
      await transport.die()
      let output = try await lost
      #expect(output.isError)
      #expect(output.code == .outcomeUnknown)
      let results = try await withThrowingTaskGroup(of: ToolOutput.self) { group in
        for _ in 0..<8 { group.addTask { try await quick.call([:], context: ToolContext()) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.allSatisfy { $0.content == [.text("ok")] })
      #expect(transport.starts == 2)
    }
    await server.close()
  }

  @Test(arguments: [MCPRevision.july2026, .november2025])
  func `a list that changes reaches the registry, and the agent with its next prompt`(
    _ revision: MCPRevision
  ) async throws {
    let server = MCPServer(MCPImplementation(name: "s", version: "1"))
    server.register(MCPTool(name: "old")) { _, _ in "old" }
    var configuration = MCPServerPool.Configuration.patient
    configuration.client.revisions = revision.era == .modern ? .modern : .legacy(revision)
    try await Self.with(["s": InProcessServerTransport(server)], configuration: configuration) { pool in
      let registry = ToolRegistry()
      await pool.start(into: registry)
      let model = ScriptedModel([.text("one"), .text("two")])
      let agent = Agent(model: model, tools: registry, configuration: AgentConfiguration())
      _ = try await agent.send("a")
      // A modern server tells those who listen, and listening begins beside the start.
      while await registry.tool(named: "s__new") == nil {
        server.register(MCPTool(name: "new")) { _, _ in "new" }
        await Task.yield()
      }
      server.removeTool("old")
      while await registry.tool(named: "s__old") != nil { await Task.yield() }
      _ = try await agent.send("b")
      #expect(model.requests.map { $0.tools.map(\.name) } == [["s__old"], ["s__new"]])
      #expect(model.requests.map(\.prefix?.epoch) == [1, 2])
      await agent.close()
    }
    await server.close()
  }

  @Test func `cancelling a call cancels it at the server`() async throws {
    let server = MCPServer(MCPImplementation(name: "s", version: "1"))
    let (started, never, cancelled) = (Gate(), Gate(), Gate())
    server.register(MCPTool(name: "hang")) { _, _ in
      started.open()
      do { try await never.waitUnlessCancelled() } catch {
        cancelled.open()
        throw error
      }
      return "late"
    }
    try await Self.with(["s": InProcessServerTransport(server)]) { pool in
      await pool.start()
      let tool = try AnyTool(try #require(await pool.tools.first))
      let call = Task { try await tool.call([:], context: ToolContext()) }
      await started.wait()
      call.cancel()
      await cancelled.wait()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
    await server.close()
  }

  @Test func `progress reaches the observer of the call`() async throws {
    let server = MCPServer(MCPImplementation(name: "s", version: "1"))
    server.register(MCPTool(name: "work")) { _, context in
      try await context.progress(1, total: 2, message: "half")
      return "done"
    }
    try await Self.with(["s": InProcessServerTransport(server)]) { pool in
      await pool.start()
      let steps = Locked<[ToolContext.Progress]>([])
      let tool = try AnyTool(try #require(await pool.tools.first))
      _ = try await tool.call([:], context: ToolContext(report: { step in steps.withLock { $0.append(step) } }))
      #expect(steps.withLock { $0 } == [ToolContext.Progress(progress: 1, total: 2, message: "half")])
    }
    await server.close()
  }

  @Test(arguments: [false, true])
  func `annotations count only where the server is trusted`(_ trusted: Bool) async throws {
    let server = MCPServer(MCPImplementation(name: "s", version: "1"))
    let tools: [(String, MCPToolAnnotations?)] = [
      ("read", MCPToolAnnotations(isReadOnly: true)),
      ("set", MCPToolAnnotations(isDestructive: false, isIdempotent: true)),
      ("plain", nil),
    ]
    for (name, annotations) in tools {
      server.register(MCPTool(name: name, annotations: annotations)) { _, _ in "" }
    }
    try await Self.with(["s": InProcessServerTransport(server)], trusted: trusted) { pool in
      await pool.start()
      let found = await pool.tools
      #expect(found.map(\.tool.name) == ["plain", "read", "set"])
      #expect(found.map(\.effect) == (trusted ? [.once, .readOnly, .idempotent] : [.once, .once, .once]))
      #expect(found.map(\.requiresPermission) == (trusted ? [true, false, false] : [true, true, true]))
      #expect(found.map(\.runsConcurrently) == [false, trusted, false])
    }
    await server.close()
  }

  @Test func `only servers that may have a chosen tool are started`() async throws {
    let services = ["alpha", "beta"].map { Service(name: $0, names: ["search", "find"]) }
    for service in services { service.gate.open() }
    let transports = services.map { MortalTransport(MCPServer($0)) }
    try await Self.with(["alpha": transports[0], "beta": transports[1]]) { pool in
      let registry = ToolRegistry()
      await pool.start(into: registry, only: ["alpha__find", "grep"])
      #expect(await registry.definitions.map(\.name) == ["alpha__find"])
      #expect(transports.map(\.starts) == [1, 0])
    }
  }

  @Test func `closing the agent ends the servers it owns, and closing a fork does not`() async throws {
    let service = Service(name: "alpha", names: ["search"])
    service.gate.open()
    let transport = MortalTransport(MCPServer(service))
    try await Self.with(["alpha": transport]) { pool in
      let registry = ToolRegistry()
      await pool.start(into: registry)
      var configuration = AgentConfiguration()
      configuration.resources = [pool]
      let agent = Agent(model: ScriptedModel([.text("yes")]), tools: registry, configuration: configuration)
      _ = try await agent.send("a")
      let tool = try #require(await registry.tool(named: "alpha__search"))
      await (try agent.fork()).close()
      #expect(try await !tool.call([:], context: ToolContext()).isError)
      await agent.close()
      let output = try await tool.call([:], context: ToolContext())
      #expect(output.isError)
      #expect(output.code?.rawValue == "server_unavailable")
    }
  }
}
