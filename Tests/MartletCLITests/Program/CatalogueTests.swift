#if os(Linux)
  import MartletHTTP
  import MartletHTTPServer
  import MartletJSON
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct `A tool catalogue on the command line` {
    static let catalogue = #"""
      {"version": 1, "tools": [
        {"name": "echo", "description": "Says it again."},
        {"name": "hello", "implementation": "echo", "description": "Says hello.", "preset": {"text": "hello"}},
        {"name": "harmless", "implementation": "keep"}, {"name": "launch", "implementation": "rocket"}]}
      """#

    private func tools(_ output: String) throws -> [String: String] {
      let events = try output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
      let context = try #require(events.first { $0["type"] == "context" })
      var tools: [String: String] = [:]
      for tool in context["tools"]?.arrayValue ?? [] {
        tools[tool["name"]?.stringValue ?? ""] = tool["description"]?.stringValue
      }
      return tools
    }

    @Test func `describes and adds tools, keeps a copy, and cannot rename what needs permission`() async throws {
      var program = try Program.scripted([["calls": [["name": "hello", "arguments": [:]]]], ["text": "Done."]])
      let route = HTTPRoute(.get, "/tools.json") { _ in
        HTTPResponse(status: 200, body: HTTPBody(Array(Self.catalogue.utf8)))
      }
      let run = ["run", "go", "--output", "jsonl"]
      try await HTTPServer.withServer(routes: [route]) { server in
        program.environment["MARTLET_TOOL_CATALOGUE"] = server.url + "/tools.json"
        let outcome = try await program.run(run)
        #expect(outcome.status == 0, "\(outcome.error)")
        let tools = try tools(outcome.output)
        #expect(tools["echo"] == "Says it again.")
        #expect(tools["hello"] == "Says hello.")
        #expect(tools["harmless"] == nil && tools["launch"] == nil)
        #expect(outcome.error.contains("harmless is left out: keep needs permission"))
        #expect(outcome.error.contains("launch is left out: there is no tool rocket"))
        #expect(outcome.output.contains(#""content":[{"type":"text","text":"hello"}]"#))
        let chosen = try await program.run(run + ["--tools", "echo"])
        #expect(try self.tools(chosen.output) == ["echo": "Says it again."])
        let listed = try await program.run(["tools", "call", "hello"])
        #expect(listed.output == "hello\n")
      }
      let offline = try await program.run(run)
      #expect(offline.status == 0)
      #expect(try tools(offline.output)["hello"] == "Says hello.")
      #expect(offline.error.contains("the last good copy is used"))
    }

    @Test func `a project that is not trusted cannot set it`() async throws {
      let program = try Program.scripted([["text": "Yes."]])
      try program.home.write("a/.martlet/config.json", #"{"toolCatalogue": "http://127.0.0.1:1/tools.json"}"#)
      let outcome = try await program.run(["run", "go", "--cd", "a"])
      #expect(outcome.status == 0)
      #expect(outcome.error.contains("ignored are toolCatalogue"))
      #expect(!outcome.error.contains("cannot be used"))
    }
  }
#endif
