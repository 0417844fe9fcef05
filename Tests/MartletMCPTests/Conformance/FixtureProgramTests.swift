#if os(Linux) || os(macOS)
  import Foundation
  import MartletJSON
  import MartletProcess
  import Testing

  @testable import MartletMCP

  /// The two programs as the official suite runs them.
  @Suite struct FixtureProgramTests {
    @Test(arguments: MCPRevision.allCases)
    func `the server's program serves over standard streams`(_ revision: MCPRevision) async throws {
      let configuration = MCPClient.Configuration(
        revisions: revision.era == .modern ? .modern : .legacy(revision), timeouts: .patient)
      let transport = StdioTransport(try BuiltProgram.command("martlet-mcp-fixture", ["--stdio"]))
      try await ShellServer.with(transport, configuration: configuration) { client async throws in
        #expect(try await client.connect().revision == revision)
        #expect(try await client.tools().contains { $0.name == "test_simple_text" })
        #expect(try await client.call("greet", ["name": "World"]).text == "Hello, World!")
      }
    }

    @Test(arguments: ["2025-11-25", "2026-07-28"], ["", "--stateless"])
    func `the client's program plays against the server's`(revision: String, option: String) async throws {
      let script = """
        coproc server { exec "$SERVER" --port 0 \(option); }
        read -r url <&"${server[0]}"
        "$CLIENT" "$url"
        status=$?
        kill "$server_PID"
        exit $status
        """
      let result = try await ProcessCommand(
        "/bin/bash", ["-c", script],
        environment: BuiltProgram.sanitizerOptions.merging([
          "PATH": "/usr/bin:/bin", "SERVER": try BuiltProgram.path("martlet-mcp-fixture"),
          "CLIENT": try BuiltProgram.path("martlet-mcp-fixture-client"), "MCP_CONFORMANCE_SCENARIO": "initialize",
          "MCP_CONFORMANCE_PROTOCOL_VERSION": revision,
        ]) { $1 }
      ).run()
      #expect(result.status.shellStatus == 0, "\(result.error.text())")
    }

    @Test func `the client's program says what is missing`() async throws {
      let result = try await BuiltProgram.command("martlet-mcp-fixture-client").run()
      #expect(result.status.shellStatus == 1)
      #expect(result.error.text().contains("MCP_CONFORMANCE_SCENARIO"))
    }
  }
#endif
