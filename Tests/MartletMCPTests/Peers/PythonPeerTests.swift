#if os(Linux)
  import Foundation
  import MartletHTTP
  import MartletHTTPServer
  import MartletJSON
  import MartletMCPFixtures
  import MartletProcess
  import MartletSync
  import Testing

  @testable import MartletMCP

  /// What was exercised with which peer, printed when the suite is over.
  final class PeerReport: Sendable {
    static let shared = PeerReport()
    private let legs = Locked<[String: Int]>([:])

    /// Notes a leg that went well.
    func passed(_ leg: String) { legs.withLock { $0[leg, default: 0] += 1 } }

    var text: String {
      let legs = legs.withLock { $0 }
      return legs.keys.sorted().map { "\($0): \(legs[$0] ?? 0) passed" }.joined(separator: "\n")
    }
  }

  struct PrintsPeers: SuiteTrait, TestScoping {
    var isRecursive: Bool { false }

    @concurrent func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      try await function()
      print("Peers made with the Python packages:\n\(PeerReport.shared.text)")
    }
  }

  @Suite(.serialized, PrintsPeers()) struct PythonPeerTests {
    /// For a Python client with all that it does: others install and build meanwhile.
    private static let limits = ProcessLimits(timeout: .seconds(600))

    private func with(
      _ transport: any MCPTransport, _ revisions: MCPClient.Revisions = .automatic,
      _ body: (MCPClient) async throws -> Void
    ) async throws {
      // Python takes its time to start.
      let client = MCPClient(transport, configuration: .init(revisions: revisions, timeouts: .patient))
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
      let seen = steps.withLock { $0 }
      // Servers of that package tell progress on the standing stream, so that it may come after the answer.
      if revision == .march2025 { #expect([1, 2, 3].starts(with: seen)) } else { #expect(seen == [1, 2, 3]) }
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
      PeerReport.shared.passed("mcp-server-time, stdio, \(isLegacy ? "2025-11-25" : "2026-07-28")")
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
      PeerReport.shared.passed("mcp-server-git, stdio, 2026-07-28")
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
      PeerReport.shared.passed("mcp-server-sqlite (mcp 1), stdio, 2025-11-25")
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")))
    func `a fastmcp program is used`() async throws {
      let transport = PythonPeer.transport("mcp", "python", ["\(PythonPeer.scripts)/mcp_servers.py", "fast-stdio"])
      try await with(transport) { client async throws in try await exercise(client, .july2026) }
      PeerReport.shared.passed("fastmcp, stdio, 2026-07-28")
    }

    @Test(
      .enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")), arguments: [MCPRevision.july2026, .november2025])
    func `a program of the newest package is used in both ways`(_ revision: MCPRevision) async throws {
      let transport = PythonPeer.transport("mcp", "python", ["\(PythonPeer.scripts)/mcp_servers.py", "new-stdio"])
      try await with(transport, revision.era == .modern ? .automatic : .legacy()) { client async throws in
        try await exercise(client, revision)
      }
      PeerReport.shared.passed("mcp 2.3.0, stdio, \(revision)")
    }

    @Test(.enabled(if: PythonPeer.has("mcp-old"), PythonPeer.reason("mcp-old")))
    func `a program of 2025-03-26 is used`() async throws {
      let transport = PythonPeer.transport("mcp-old", "python", ["\(PythonPeer.scripts)/mcp_servers.py", "old-stdio"])
      try await with(transport) { client async throws in try await exercise(client, .march2025) }
      PeerReport.shared.passed("mcp 1.9.4, stdio, 2025-03-26")
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")), arguments: ["new-http", "fast-http"])
    func `servers over HTTP are used in both ways`(_ kind: String) async throws {
      try await PythonPeer.withServer("mcp", kind, path: "/mcp") { url in
        for revision in [MCPRevision.july2026, .november2025] {
          try await with(HTTPClientTransport(url), revision.era == .modern ? .automatic : .legacy()) {
            client async throws in try await exercise(client, revision)
          }
          PeerReport.shared.passed("\(kind == "new-http" ? "mcp 2.3.0" : "fastmcp"), HTTP, \(revision)")
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
        PeerReport.shared.passed(
          "mcp 1.9.4, \(kind == "old-sse" ? "HTTP with server-sent events" : "HTTP"), \(revision)")
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
      try await HTTPServer.withServer(routes: FixtureHost.routes(handler)) { network in
        let result = try await PythonPeer.command(
          "mcp", "python", ["\(PythonPeer.scripts)/mcp_client.py", mode, network.url + "/mcp"]
        ).run(limits: Self.limits)
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
        PeerReport.shared.passed("the client of mcp 2.3.0, HTTP, \(mode)")
      }
    }

    /// Runs the Python client and reads what it saw.
    private func look(_ what: String, _ mode: String, _ place: [String], environment: [String: String] = [:])
      async throws
      -> JSONValue
    {
      var command = PythonPeer.command(
        "mcp", "python", ["\(PythonPeer.scripts)/mcp_suite_client.py", what, mode] + place)
      command.environment.merge(environment) { $1 }
      let result = try await command.run(limits: Self.limits)
      #expect(result.status.isSuccess, Comment(rawValue: result.error.text()))
      let seen = try JSONValue(parsing: result.output.text())
      #expect(seen["version"]?.stringValue == (mode == "auto" ? "2026-07-28" : "2025-11-25"))
      return seen
    }

    private func checkFixture(_ seen: JSONValue, _ mode: String) {
      #expect(seen["server"] == "martlet-mcp-fixture")
      #expect(seen["tools"]?.arrayValue?.contains("json_schema_2020_12_tool") == true)
      #expect(seen["text"] == "This is a simple text response for testing.")
      #expect(seen["kinds"] == ["image", "audio", "resource"])
      #expect(seen["steps"] == [[0, 100], [50, 100], [100, 100]])
      #expect(seen["logged"]?.arrayValue?.count == 3)
      #expect(seen["failed"] == true)
      #expect(seen["sampled"] == "LLM response: Paris")
      #expect(seen["asked"]?.stringValue?.contains("yes") == true)
      #expect(seen["rounds"] == "Ada likes red.")
      #expect(seen["together"] == "Got client_roots, greeting, user_name.")
      #expect(seen["parallel"]?.arrayValue?.count == 20)
      #expect(seen["resources"]?.arrayValue?.count == 3)
      #expect(seen["templates"] == ["test://template/{id}/data"])
      #expect(seen["read"]?.stringValue?.contains("Data for ID: 7") == true)
      #expect(seen["blob"] == "image/png")
      #expect(seen["prompts"] == 5)
      #expect(seen["prompt"]?.stringValue?.contains("arg2='two'") == true)
      #expect(seen["completed"] == ["paris", "park", "party"])
      #expect(seen["unknown"] == [-32602, mode == "auto" ? -32602 : -32002, -32602])
      #expect(seen["change"] == (mode == "auto" ? "ToolsListChanged" : nil))
      #expect(seen["afterwards"] == "Hello, you!")
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")), arguments: ["auto", "legacy"])
    func `the Python client uses the suite's server as a program`(_ mode: String) async throws {
      let seen = try await look("fixture", mode, [try BuiltProgram.path("martlet-mcp-fixture"), "--stdio"])
      checkFixture(seen, mode)
      PeerReport.shared.passed("the client of mcp 2.3.0, stdio, \(mode)")
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")), arguments: ["auto", "legacy"])
    func `the Python client uses the suite's server over HTTP`(_ mode: String) async throws {
      try await BuiltProgram.withServer { url in checkFixture(try await look("fixture", mode, [url]), mode) }
      PeerReport.shared.passed("the client of mcp 2.3.0, HTTP, \(mode)")
    }

    /// The command with a scripted model, and where it keeps things.
    private func withCommand(_ body: (_ program: String, _ environment: [String: String]) async throws -> Void)
      async throws
    {
      let home = FileManager.default.temporaryDirectory.appending(path: "mcp-serve-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: home) }
      let script: JSONValue = [
        ["calls": [["name": "echo", "arguments": ["text": "hi"]]]], ["text": "First."], ["text": "Second."],
      ]
      try Data(script.bytes()).write(to: URL(filePath: home + "/script.json"))
      try await body(
        "MartletScripted",
        ["HOME": home, "MARTLET_DATA": home + "/data", "MARTLET_SCRIPT": home + "/script.json"])
    }

    private func checkCommand(_ seen: JSONValue) {
      #expect(seen["server"] == "martlet")
      #expect(seen["tools"] == ["echo", "keep", "hold", "ask_agent"], "\(seen["tools"]?.text() ?? "")")
      #expect(seen["manners"]?["echo"]?[0] == true)
      #expect(seen["echo"] == "hi")
      #expect(seen["refused"]?[0] == true)
      #expect(seen["refused"]?[1]?.stringValue?.contains("needs permission") == true)
      #expect(seen["wrong"] == true)
      #expect(seen["asked"] == "First." && seen["again"] == "Second." && seen["same"] == true)
      #expect(seen["steps"] == ["calls echo"])
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")), arguments: ["auto", "legacy"])
    func `the Python client uses the command's tools and its agent`(_ mode: String) async throws {
      try await withCommand { program, environment in
        let place = [try BuiltProgram.path(program), "mcp", "serve"]
        checkCommand(try await look("martlet", mode, place, environment: environment))
      }
      PeerReport.shared.passed("the client of mcp 2.3.0 with martlet mcp serve, stdio, \(mode)")
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")), arguments: ["auto", "legacy"])
    func `the Python client uses the command's tools and its agent over HTTP`(_ mode: String) async throws {
      try await withCommand { program, environment in
        let command = try BuiltProgram.command(
          program, ["mcp", "serve", "--http", "0"],
          environment: StdioTransport.plainEnvironment.merging(environment) { $1 })
        try await BuiltProgram.withListener(command) { url in
          checkCommand(try await look("martlet", mode, [url]))
        }
      }
      PeerReport.shared.passed("the client of mcp 2.3.0 with martlet mcp serve, HTTP, \(mode)")
    }

    private func checkSchemas(_ side: String, _ place: String, atLeast count: Int) async throws {
      let result = try await PythonPeer.command(
        "mcp", "python", ["\(PythonPeer.scripts)/mcp_wire_schema.py", side, place]
      ).run(limits: Self.limits)
      #expect(result.status.isSuccess, Comment(rawValue: result.error.text()))
      let found = try JSONValue(parsing: result.output.text())
      #expect(found["wrong"] == [], "\(found["wrong"]?.text() ?? "")")
      #expect(found["checked"]?.intValue ?? 0 >= count)
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")))
    func `every message of the suite's server fits the schema of its revision`() async throws {
      try await BuiltProgram.withServer { url in try await checkSchemas("server", url, atLeast: 300) }
      PeerReport.shared.passed("the schemas of mcp-types 2.3.0, the server's messages")
    }

    @Test(.enabled(if: PythonPeer.has("mcp"), PythonPeer.reason("mcp")))
    func `every message of the suite's client fits the schema of its revision`() async throws {
      try await checkSchemas("client", try BuiltProgram.path("martlet-mcp-fixture-client"), atLeast: 30)
      PeerReport.shared.passed("the schemas of mcp-types 2.3.0, the client's messages")
    }
  }
#endif
