#if os(Linux) || os(macOS)
  import Foundation
  import MartletJSON
  import MartletProcess
  import MartletSync
  import MartletTesting
  import Testing

  @testable import MartletMCP

  /// Programs that do what no decent server does.
  @Suite(.hangLimit) struct HostileServerTests {
    private let quick = StdioTransport.Limits(inputGrace: .milliseconds(200), terminateGrace: .milliseconds(200))

    private func with<Result>(
      _ script: String, _ configuration: MCPClient.Configuration = .init(timeouts: .patient, restartLimit: 0),
      limits: StdioTransport.Limits? = nil, _ body: (MCPClient) async throws -> Result
    ) async throws -> Result {
      try await ShellServer.with(
        ShellServer.transport(script, limits: limits ?? quick), configuration: configuration, body)
    }

    @Test(arguments: ["sleep 3600 &", "setsid sleep 3600 &", "(sleep 3600; echo late) &"])
    func `a server that dies fails its calls though a program it left behind holds the pipes`(
      _ leaves: String
    ) async throws {
      // Whoever waited for the end of the pipes would wait an hour.
      try await with(ShellServer.script(call: "\(leaves) exit 9")) { client async throws in
        try await client.connect()
        let error = await #expect(throws: MCPError.self) { try await client.call("t") }
        #expect(error?.code == .connectionClosed)
        #expect(error?.message.contains("exit status 9") == true, "\(String(describing: error))")
      }
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
      // From before the server is started to after the answer, step by step.
      var step = 0
      var isOver = false
      while !isOver {
        let call = Locked<Task<String, any Error>?>(nil)
        let left = Locked(step)
        let transport = SteppedTransport(base: ShellServer.transport(ShellServer.script(), limits: quick)) {
          let isDue = left.withLock { left in
            defer { left -= 1 }
            return left == 0
          }
          if isDue { call.withLock { $0 }?.cancel() }
        }
        try await ShellServer.with(transport) { client async throws in
          let gate = Gate()
          let task = Task {
            await gate.wait()
            return try await client.call("t").text
          }
          call.withLock { $0 = task }
          gate.open()
          switch await task.result {
          case .success(let text): #expect(text == "ok")
          case .failure(let error): #expect(error is CancellationError, "step \(step): \(error)")
          }
          isOver = left.withLock { $0 >= 0 }
          #expect(try await client.call("t").text == "ok", "step \(step)")
        }
        step += 1
      }
      // A start, two questions that introduce, one for the list and one for the call, before and after.
      #expect(step > 10)
    }
  }
#endif
