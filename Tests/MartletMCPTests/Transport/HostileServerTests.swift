#if os(Linux) || os(macOS)
  import Foundation
  import MartletJSON
  import MartletProcess
  import MartletSync
  import Testing

  @testable import MartletMCP

  /// Programs that do what no decent server does.
  @Suite(.timeLimit(.minutes(2))) struct HostileServerTests {
    private let quick = StdioTransport.Limits(inputGrace: .milliseconds(200), terminateGrace: .milliseconds(200))

    private func with<Result>(
      _ script: String, _ configuration: MCPClient.Configuration = .init(timeouts: .patient, restartLimit: 0),
      limits: StdioTransport.Limits? = nil, _ body: (MCPClient) async throws -> Result
    ) async throws -> Result {
      try await ShellServer.with(
        ShellServer.transport(script, limits: limits ?? quick), configuration: configuration, body)
    }

    @Test(arguments: ["sleep 90 &", "setsid sleep 90 &", "(sleep 90; echo late) &"])
    func `a server that dies fails its calls though a program it left behind holds the pipes`(
      _ leaves: String
    ) async throws {
      let started = ContinuousClock.now
      try await with(ShellServer.script(call: "\(leaves) exit 9")) { client async throws in
        try await client.connect()
        let error = await #expect(throws: MCPError.self) { try await client.call("t") }
        #expect(error?.code == .connectionClosed)
        #expect(error?.message.contains("exit status 9") == true, "\(String(describing: error))")
      }
      // Whoever waits for the end of the pipes waits longer.
      #expect(ContinuousClock.now - started < .seconds(60))
    }

    @Test func `a flood of notifications keeps no answer back`() async throws {
      let flood = """
        yes '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"again and again"}}' \\
          | head -n 100000
        reply '{"content":[{"type":"text","text":"ok"}]}'
        """
      try await with(ShellServer.script(call: flood)) { client async throws in
        // Nobody reads these.
        let unread = client.notifications()
        #expect(try await client.call("t").text == "ok")
        #expect(try await client.call("t").text == "ok")
        _ = unread
      }
    }

    @Test func `a flood of requests is refused, and the call gets its answer`() async throws {
      let flood = """
        i=0; while [ $i -lt 3000 ]; do
          printf '{"jsonrpc":"2.0","id":"q%s","method":"sampling/createMessage","params":{}}\\n' $i; i=$((i+1)); done
        reply '{"content":[{"type":"text","text":"ok"}]}'
        """
      try await with(ShellServer.script(call: flood)) { client async throws in
        #expect(try await client.call("t").text == "ok")
        #expect(try await client.call("t").text == "ok")
      }
    }

    @Test func `garbage, also without an end of line for long, is passed over`() async throws {
      let garbage = """
        head -c 300000 /dev/urandom
        echo
        printf '\\000\\377\\n{\\n[[[[\\n"text"\\n42\\nnull\\n'
        printf '{"jsonrpc":"2.0","id":99999,"result":{}}\\n{"jsonrpc":"2.0","id":"99999","error":{"code":1,"message":"x"}}\\n'
        reply '{"content":[{"type":"text","text":"ok"}]}'
        """
      try await with(ShellServer.script(call: garbage)) { client async throws in
        #expect(try await client.call("t").text == "ok")
      }
    }

    @Test func `a line that does not end is given up at the limit with the call that waits, and the next is answered`()
      async throws
    {
      let endless = """
        yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | tr -d '\\n' | head -c 20000000
        echo
        """
      try await with(
        ShellServer.script(call: endless),
        limits: .init(messageSize: 1 << 20, inputGrace: .milliseconds(200), terminateGrace: .milliseconds(200))
      ) { client async throws in
        let error = await #expect(throws: MCPError.self) { try await client.call("t") }
        #expect(error?.code == .tooLarge)
        #expect(try await client.tools().map(\.name) == ["t"])
      }
    }

    @Test func `cursors that go round in a circle end the list`() async throws {
      let list = """
        case "$line" in
          *'"cursor":"a"'*) reply '{"tools":[{"name":"u","inputSchema":{"type":"object"}}],"nextCursor":"b"}' ;;
          *) reply '{"tools":[{"name":"t","inputSchema":{"type":"object"}}],"nextCursor":"a"}' ;;
        esac
        """
      try await with(ShellServer.script(list: list)) { client async throws in
        let list = try await client.toolList()
        #expect(list.items.map(\.name) == ["t", "u"])
        #expect(!list.problems.isEmpty)
      }
    }

    @Test func `a call can be cancelled in each phase, and the server is there afterwards`() async throws {
      try await with(
        ShellServer.script(call: "sleep 0.05; reply '{\"content\":[{\"type\":\"text\",\"text\":\"ok\"}]}'"),
        .init(timeouts: .patient)
      ) { client async throws in
        for delay in 0..<20 {
          let call = Task { try await client.call("t").text }
          // From before the server is started to after the answer.
          try await Task.sleep(for: .milliseconds(delay * 10))
          call.cancel()
          _ = await call.result
        }
        #expect(try await client.call("t").text == "ok")
      }
    }
  }
#endif
