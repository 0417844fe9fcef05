#if os(Linux)
  import Foundation
  import MartletHTTP
  import MartletHTTPServer
  import MartletJSON
  import MartletProcess
  import MartletSync
  import Testing

  @testable import MartletMCP

  @Suite(.serialized) struct PythonPeerTests {
    private func with(
      _ transport: any MCPTransport, _ revisions: MCPClient.Revisions = .automatic,
      _ body: (MCPClient) async throws -> Void
    ) async throws {
      // Python takes its time to start.
      let client = MCPClient(
        transport, configuration: .init(revisions: revisions, timeouts: .init(start: .seconds(60), probe: .seconds(30)))
      )
      do {
        try await body(client)
        await client.close()
      } catch {
        await client.close()
        throw error
      }
    }

    /// What the servers of `mcp_servers.py` do.
    private func exercise(_ client: MCPClient, _ revision: MCPRevision) async throws {
      #expect(try await client.connect().revision == revision)
      #expect(try await client.tools().map(\.name) == ["add", "count", "fail"])
      #expect(try await client.call("add", ["a": 2, "b": 3]).text == "5")
      let steps = Locked<[Double]>([])
      let options = MCPRequestOptions(onProgress: { step in steps.withLock { $0.append(step.progress) } })
      #expect(try await client.call("count", ["to": 3], options: options).text == "counted")
      #expect(steps.withLock { $0 } == [1, 2, 3])
      #expect(try await client.call("fail").isError)
      #expect(try await client.read("data://greeting").map(\.text) == ["hello"])
      #expect(try await client.prompt("ask", ["topic": "MCP"]).messages.first?.content?.text == "What is MCP?")
      #expect(try await client.resources().map(\.uri) == ["data://greeting"])
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")), arguments: [false, true])
    func `mcp-server-time tells the time`(_ isLegacy: Bool) async throws {
      let transport = PythonPeer.transport("mcp", "mcp-server-time", [])
      try await with(transport, isLegacy ? .legacy() : .automatic) { client async throws in
        #expect(try await client.connect().revision == (isLegacy ? .november2025 : .july2026))
        #expect(try await client.tools().contains { $0.name == "get_current_time" })
        let result = try await client.call("get_current_time", ["timezone": "Europe/Oslo"])
        #expect(result.structuredContent?["timezone"] == "Europe/Oslo")
        #expect(try await client.call("get_current_time", ["timezone": "Nowhere"]).isError)
      }
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")))
    func `mcp-server-git shows a repository`() async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "mcp-git-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      _ = try await ProcessCommand("git", ["init", "-q", directory]).run()
      try await with(PythonPeer.transport("mcp", "mcp-server-git", ["--repository", directory])) {
        client async throws in
        #expect(try await client.tools().contains { $0.name == "git_status" })
        #expect(try await client.call("git_status", ["repo_path": .string(directory)]).text.contains("branch"))
      }
    }

    @Test(.enabled(if: PythonPeer.has("mcp-legacy"), PythonPeer.reason("mcp-legacy")))
    func `mcp-server-sqlite, which knows only the handshake, is found out`() async throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "mcp-\(UUID().uuidString).db").path
      defer { try? FileManager.default.removeItem(atPath: file) }
      try await with(PythonPeer.transport("mcp-legacy", "mcp-server-sqlite", ["--db-path", file])) {
        client async throws in
        #expect(try await client.connect().revision == .november2025)
        #expect(try await client.call("create_table", ["query": "create table t (x)"]).isError == false)
        #expect(try await client.call("list_tables").text.contains("t"))
      }
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")))
    func `a fastmcp program is used`() async throws {
      let transport = PythonPeer.transport("mcp", "python", ["\(PythonPeer.scripts)/mcp_servers.py", "fast-stdio"])
      try await with(transport) { client async throws in try await exercise(client, .july2026) }
    }

    @Test(.enabled(if: PythonPeer.has("mcp-old"), PythonPeer.reason("mcp-old")))
    func `a program of 2025-03-26 is used`() async throws {
      let transport = PythonPeer.transport("mcp-old", "python", ["\(PythonPeer.scripts)/mcp_servers.py", "old-stdio"])
      try await with(transport) { client async throws in try await exercise(client, .march2025) }
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")), arguments: ["new-http", "fast-http"])
    func `servers over HTTP are used in both ways`(_ kind: String) async throws {
      try await PythonPeer.withServer("mcp", kind, path: "/mcp") { url in
        for revision in [MCPRevision.july2026, .november2025] {
          try await with(HTTPClientTransport(url), revision.era == .modern ? .automatic : .legacy()) {
            client async throws in try await exercise(client, revision)
          }
        }
      }
    }

    @Test(
      .enabled(if: PythonPeer.has("mcp-old"), PythonPeer.reason("mcp-old")),
      arguments: [("old-http", "/mcp", MCPRevision.march2025), ("old-sse", "/sse", .march2025)])
    func `old servers over HTTP are used`(_ kind: String, _ path: String, _ revision: MCPRevision) async throws {
      try await PythonPeer.withServer("mcp-old", kind, path: path) { url in
        try await with(HTTPClientTransport(url)) { client async throws in
          #expect(try await client.connect().revision <= revision)
          try await exercise(client, try await client.connect().revision)
        }
      }
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")), arguments: ["auto", "legacy"])
    func `the Python client uses our server over HTTP`(_ mode: String) async throws {
      let server = MCPServer(MCPImplementation(name: "ours", version: "1"))
      let numbers: JSONValue = ["a": ["type": "integer"], "b": ["type": "integer"]]
      server.register(
        MCPTool(
          name: "add", description: "Adds.", inputSchema: ["type": "object", "properties": numbers],
          outputSchema: ["type": "object", "properties": ["sum": ["type": "integer"]], "required": ["sum"]])
      ) { arguments, _ in
        .structured(["sum": JSONValue((arguments["a"]?.intValue ?? 0) + (arguments["b"]?.intValue ?? 0))])
      }
      server.register(MCPTool(name: "count", description: "Counts.")) { arguments, context in
        let end = arguments["to"]?.intValue ?? 0
        for step in 1...end { try await context.progress(Double(step), total: Double(end)) }
        return "counted"
      }
      server.register(MCPTool(name: "fail", description: "Fails.")) { _, _ in .failure("broken") }
      server.register(MCPTool(name: "ask", description: "Asks.")) { _, context in
        let form: JSONValue = ["type": "object", "properties": ["name": ["type": "string"]]]
        let name = try await context.elicit(MCPElicitationRequest(message: "Name?", schema: form), as: "name")
        let city = try await context.sample(MCPSamplingRequest([.init(["Capital?"])], maxTokens: 9), as: "city")
        return "\(name.content["name"]?.stringValue ?? "") \(city.text)"
      }
      server.register(MCPResource(uri: "data://greeting", name: "greeting")) { uri, _, _ in
        [MCPResourceContents(uri: uri, text: "hello")]
      }
      server.register(MCPPrompt(name: "ask", arguments: [.init(name: "topic", isRequired: true)])) { arguments, _ in
        .init([.init("What is \(arguments["topic"] ?? "")?")])
      }
      let handler = MCPHTTPHandler(server)
      let routes = [HTTPRequest.Method.post, .get, .delete].map { method in
        HTTPRoute(method, "/mcp") { await handler.respond(to: $0.method, headers: $0.headers, body: $0.body) }
      }
      try await HTTPServer.withServer(routes: routes) { network in
        let result = try await PythonPeer.command(
          "mcp", "python", ["\(PythonPeer.scripts)/mcp_client.py", mode, network.url + "/mcp"]
        ).run(limits: ProcessLimits(timeout: .seconds(80)))
        await handler.close()
        #expect(result.status.isSuccess, Comment(rawValue: result.error.text()))
        let seen = try JSONValue(parsing: result.output.text())
        #expect(seen["version"]?.stringValue == (mode == "auto" ? "2026-07-28" : "2025-11-25"))
        #expect(seen["tools"] == ["add", "count", "fail", "ask"])
        #expect(seen["sum"] == ["sum": 5])
        #expect(seen["count"] == "counted")
        #expect(seen["steps"] == [1, 2, 3])
        #expect(seen["failed"] == [true, "broken"])
        #expect(seen["asked"] == "Ada Paris")
        #expect(seen["resource"] == "hello")
        #expect(seen["prompt"] == "What is MCP?")
        #expect(seen["unknown"] == -32602)
      }
    }
  }
#endif
