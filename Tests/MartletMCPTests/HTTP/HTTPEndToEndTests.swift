import MartletHTTP
import MartletHTTPServer
import MartletJSON
import MartletMCPFixtures
import MartletSync
import MartletTesting
import Testing

@testable import MartletMCP

/// Our client and our server over HTTP, with nothing between them or with a network.
@Suite struct HTTPEndToEndTests {
  static let revisions: [MCPRevision] = [.march2025, .june2025, .november2025, .july2026]

  private func with(
    _ server: MCPServer, _ revision: MCPRevision, handlers: MCPClientHandlers = MCPClientHandlers(),
    settings: MCPHTTPHandler.Configuration = .init(), overNetwork: Bool = false,
    _ body: (MCPClient, MCPHTTPHandler) async throws -> Void
  ) async throws {
    let handler = MCPHTTPHandler(server, configuration: settings)
    let configuration = MCPClient.Configuration(
      handlers: handlers, revisions: revision.era == .modern ? .modern : .legacy(revision), timeouts: .patient)
    let options = HTTPClientTransport.Options(resumptionDelay: .milliseconds(1))
    func run(_ transport: HTTPClientTransport) async throws {
      let client = MCPClient(transport, configuration: configuration)
      do {
        try await body(client, handler)
        await client.close()
      } catch {
        await client.close()
        throw error
      }
    }
    do {
      if overNetwork {
        try await HTTPServer.withServer(routes: FixtureHost.routes(handler)) { network in
          try await run(HTTPClientTransport(network.url + "/mcp", options: options))
          await handler.close()
        }
      } else {
        try await run(HTTPClientTransport("http://localhost/mcp", over: HandlerTransport(handler), options: options))
      }
    }
    await handler.close()
    await server.close()
  }

  private func server() -> MCPServer {
    let server = MCPServer(MCPImplementation(name: "test", version: "1"))
    server.register(MCPTool(name: "echo")) { arguments, _ in .structured(.object(arguments)) }
    server.register(MCPTool(name: "work")) { _, context in
      for step in 0...2 { try await context.progress(Double(step), total: 2) }
      return "done"
    }
    server.register(MCPTool(name: "ask")) { _, context in
      let answer = try await context.elicit(MCPElicitationRequest(message: "Name?", schema: ["type": "object"]))
      return "\(answer.content["name"]?.stringValue ?? "nobody")"
    }
    return server
  }

  @Test(arguments: revisions, [false, true])
  func `tools are listed and called`(_ revision: MCPRevision, overNetwork: Bool) async throws {
    try await with(server(), revision, overNetwork: overNetwork) { client, _ async throws in
      #expect(try await client.connect().revision == revision)
      #expect(try await client.tools().map(\.name) == ["echo", "work", "ask"])
      #expect(try await client.call("echo", ["a": "é\n"]).text == #"{"a":"é\n"}"#)
      let unknown = await #expect(throws: MCPError.self) { try await client.call("none") }
      #expect(unknown?.reply?.code == .invalidParams)
      let method = await #expect(throws: MCPError.self) { try await client.request("no/such") }
      #expect(method?.reply?.code == .methodNotFound)
    }
  }

  @Test(arguments: revisions, [false, true])
  func `progress comes while a call runs, and a server asks within it`(
    _ revision: MCPRevision, overNetwork: Bool
  ) async throws {
    let handlers = MCPClientHandlers(elicitation: { _ in .accept(["name": "Ada"]) })
    try await with(server(), revision, handlers: handlers, overNetwork: overNetwork) { client, _ async throws in
      let steps = Locked<[Double]>([])
      let options = MCPRequestOptions(onProgress: { step in steps.withLock { $0.append(step.progress) } })
      #expect(try await client.call("work", options: options).text == "done")
      #expect(steps.withLock { $0 } == [0, 1, 2])
      guard !revision.facts.elicitationModes.isEmpty else { return }
      #expect(try await client.call("ask").text == "Ada")
    }
  }

  @Test(arguments: revisions, [false, true])
  func `changes are told while nothing is asked`(_ revision: MCPRevision, overNetwork: Bool) async throws {
    let server = server()
    try await with(server, revision, overNetwork: overNetwork) { client, _ async throws in
      let changes = try await client.listen(MCPListenFilter(tools: true))
      #expect(changes.acknowledged.tools)
      server.removeTool("ask")
      var reader = changes.makeAsyncIterator()
      #expect(try await reader.next() == .toolsChanged)
    }
  }

  @Test(arguments: revisions, [false, true])
  func `cancelling a call ends its handler`(_ revision: MCPRevision, overNetwork: Bool) async throws {
    let server = server()
    let (began, ended) = (Gate(), Gate())
    server.register(MCPTool(name: "slow")) { _, context in
      defer { ended.open() }
      // A stream that is open already, and one that is not.
      try await context.progress(1)
      began.open()
      try await Gate().waitUnlessCancelled()
      return "done"
    }
    try await with(server, revision, overNetwork: overNetwork) { client, _ async throws in
      let call = Task { try await client.call("slow") }
      await began.wait()
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      await ended.wait()
      #expect(try await client.call("echo").text == "{}")
    }
  }

  @Test(arguments: [false, true])
  func `a stream that the server ends early is taken up again`(_ overNetwork: Bool) async throws {
    let server = server()
    server.register(MCPTool(name: "reconnect")) { _, context in
      try await context.progress(1)
      await context.disconnect()
      try await context.progress(2)
      try await context.progress(3)
      return "back"
    }
    server.register(MCPTool(name: "at_once")) { _, context in
      await context.disconnect()
      return "back"
    }
    let settings = MCPHTTPHandler.Configuration(retryDelay: .milliseconds(10))
    try await with(server, .november2025, settings: settings, overNetwork: overNetwork) { client, _ async throws in
      let steps = Locked<[Double]>([])
      let options = MCPRequestOptions(onProgress: { step in steps.withLock { $0.append(step.progress) } })
      #expect(try await client.call("reconnect", options: options).text == "back")
      #expect(steps.withLock { $0 } == [1, 2, 3])
      #expect(try await client.call("at_once").text == "back")
    }
  }

  @Test func `a session that the server has forgotten is begun anew, and the call is made`() async throws {
    try await with(server(), .november2025) { client, handler async throws in
      try await client.connect()
      #expect(handler.sessionCount == 1)
      await handler.forgetSessions()
      #expect(try await client.call("echo").text == "{}")
      #expect(handler.sessionCount == 1)
    }
  }

  @Test func `closing a client ends its session`() async throws {
    let handler = MCPHTTPHandler(server())
    let client = MCPClient(
      HTTPClientTransport("http://localhost/mcp", over: HandlerTransport(handler)),
      configuration: .init(revisions: .legacy(), timeouts: .patient))
    try await client.connect()
    #expect(handler.sessionCount == 1)
    await client.close()
    #expect(handler.sessionCount == 0)
    await handler.close()
  }

  @Test func `a server without sessions answers each request for itself`() async throws {
    let settings = MCPHTTPHandler.Configuration(hasSessions: false)
    try await with(server(), .november2025, settings: settings) { client, handler async throws in
      #expect(try await client.tools().count == 3)
      #expect(try await client.call("work").text == "done")
      #expect(handler.sessionCount == 0)
    }
  }

  @Test func `marked arguments go into headers, and the server checks them`() async throws {
    let server = MCPServer(MCPImplementation(name: "test", version: "1"))
    server.register(
      MCPTool(
        name: "marked",
        inputSchema: [
          "type": "object",
          "properties": [
            "text": ["type": "string", "x-mcp-header": "Text"],
            "number": ["type": "integer", "x-mcp-header": "Number"],
          ],
        ])
    ) { arguments, _ in "\(JSONValue.object(arguments).text())" }
    try await with(server, .july2026) { client, _ async throws in
      for text in ["plain", "", " outer ", "tab\t", "日本", "a\r\nb"] {
        let result = try await client.call("marked", ["text": .string(text), "number": 3.0])
        #expect(!result.isError)
      }
      _ = try await client.call("marked", ["text": nil])
    }
  }
}

extension MCPHTTPHandler {
  /// As after a restart.
  func forgetSessions() async { await endSessions() }
}
