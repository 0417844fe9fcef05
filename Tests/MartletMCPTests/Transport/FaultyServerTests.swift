#if os(Linux) || os(macOS)
  import Foundation
  import MartletJSON
  import MartletProcess
  import MartletSync
  import Testing

  @testable import MartletMCP

  /// A server that misbehaves, written by others, where it is at hand: `MARTLET_SHARED`, or `shared` beside the package.
  enum FaultyServer {
    static let script: String? = {
      let directory =
        ProcessInfo.processInfo.environment["MARTLET_SHARED"]
        ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared").standardized.path
      let path = directory + "/peers/fake_stdio.py"
      return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    static func with<Result>(
      _ mode: String, configuration: MCPClient.Configuration = MCPClient.Configuration(timeouts: .patient),
      _ body: (MCPClient) async throws -> Result
    ) async throws -> Result {
      let script = try #require(script)
      return try await ShellServer.with(StdioTransport("python3", [script, mode]), configuration: configuration, body)
    }
  }

  @Suite(
    .enabled(
      if: FaultyServer.script != nil, "no misbehaving server: set MARTLET_SHARED to the directory that holds it"))
  struct FaultyServerTests {
    @Test(arguments: ["ok", "banner", "crlf", "utf8", "unknown_content", "slowstart", "dup_id", "id_type"])
    func `a server with a fault that can be got over is used`(_ mode: String) async throws {
      try await FaultyServer.with(mode) { client async throws in
        #expect(try await client.tools().map(\.name) == ["t"])
        let result = try await client.call("t")
        #expect(result.text == "ok")
        #expect(result.content.count == (mode == "unknown_content" ? 2 : 1))
      }
    }

    @Test func `a large result comes whole`() async throws {
      try await FaultyServer.with("huge") { client async throws in
        #expect(try await client.call("t").text.utf8.count == 32 << 20)
      }
    }

    @Test func `a cursor that does not move ends the list`() async throws {
      try await FaultyServer.with("loop") { client async throws in
        let list = try await client.toolList()
        #expect(list.items.map(\.name) == ["t"])
        #expect(!list.problems.isEmpty)
      }
    }

    @Test(arguments: [("die", "exit status 9"), ("die_partial", "exit status 9")])
    func `a server that dies fails the call with its status`(_ mode: String, _ status: String) async throws {
      try await FaultyServer.with(mode, configuration: .init(timeouts: .patient, restartLimit: 0)) {
        client async throws in
        try await client.connect()
        let error = await #expect(throws: MCPError.self) {
          _ = try await client.tools()
          _ = try await client.call("t")
        }
        #expect(error?.code == .connectionClosed)
        #expect(error?.message.contains(status) == true)
      }
    }

    @Test func `a server that ends at its start fails fast`() async throws {
      try await FaultyServer.with("exit_at_start") { client async throws in
        let error = await #expect(throws: MCPError.self) { try await client.connect() }
        #expect(error?.code == .connectionClosed)
        #expect(error?.message.contains("exit status 7") == true)
      }
    }

    @Test func `a server that never answers times out`() async throws {
      try await FaultyServer.with("never") { client async throws in
        try await client.connect()
        let error = await #expect(throws: MCPError.self) {
          try await client.tools(options: MCPRequestOptions(timeout: .milliseconds(100)))
        }
        #expect(error?.code == .timedOut)
        #expect(try await client.call("t").text == "ok")
      }
    }

    @Test(arguments: ["badversion", "futureversion"])
    func `an unknown revision is refused`(_ mode: String) async throws {
      try await FaultyServer.with(mode) { client async throws in
        let error = await #expect(throws: MCPError.self) { try await client.connect() }
        #expect(error?.code == .unsupportedRevision)
      }
    }

    @Test func `an answer in an array is reported instead of waited for`() async throws {
      try await FaultyServer.with("batch") { client async throws in
        let error = await #expect(throws: MCPError.self) { try await client.connect() }
        #expect(error?.code == .invalidResponse)
      }
    }

    @Test func `an error without an id fails the call that is open`() async throws {
      try await FaultyServer.with("nullid") { client async throws in
        let error = await #expect(throws: MCPError.self) { try await client.call("t") }
        #expect(error?.reply?.code == .parseError)
        #expect(try await client.tools().count == 1)
      }
    }
  }
#endif
