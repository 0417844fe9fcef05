#if os(Linux) || os(macOS)
  import Foundation
  import MartletJSON
  import MartletProcess
  import MartletSync
  import Testing

  @testable import MartletMCP

  @Suite struct StdioTransportTests {
    private let quick = StdioTransport.Limits(inputGrace: .milliseconds(200), terminateGrace: .milliseconds(200))

    @Test func `a legacy server is found by its error on the probe`() async throws {
      try await ShellServer.with(ShellServer.transport(ShellServer.script())) { client async throws in
        #expect(try await client.connect().revision == .november2025)
        #expect(try await client.tools().map(\.name) == ["t"])
        #expect(try await client.call("t").text == "ok")
      }
    }

    @Test func `a server that ends on the probe is started again`() async throws {
      try await ShellServer.with(ShellServer.transport(ShellServer.script(probe: "exit 3"))) { client async throws in
        #expect(try await client.call("t").text == "ok")
      }
    }

    @Test func `a server that is silent on the probe is asked in the older way`() async throws {
      var configuration = MCPClient.Configuration(timeouts: .patient)
      configuration.timeouts.probe = .milliseconds(50)
      try await ShellServer.with(ShellServer.transport(ShellServer.script(probe: ":")), configuration: configuration) {
        client async throws in
        #expect(try await client.call("t").text == "ok")
      }
    }

    @Test func `a server that ends at its start fails the connection with what it said`() async throws {
      try await ShellServer.with(ShellServer.transport("echo 'missing API key' >&2; exit 7")) { client async throws in
        let error = await #expect(throws: MCPError.self) { try await client.connect() }
        #expect(error?.code == .connectionClosed)
        #expect(error?.message.contains("exit status 7") == true)
        #expect(error?.serverOutput == ["missing API key"])
      }
    }

    @Test func `a program that is not there fails at once`() async throws {
      try await ShellServer.with(StdioTransport("/nowhere/at/all")) { client async throws in
        let error = await #expect(throws: MCPError.self) { try await client.connect() }
        #expect(error?.code == .cannotStart)
      }
    }

    @Test(arguments: ["exit 9", #"printf '{"jsonrpc":"2.0","id":'; exit 9"#])
    func `a server that dies fails all open calls at once, and the next call starts it again`(
      _ call: String
    ) async throws {
      let mark = NSTemporaryDirectory() + "mcp-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: mark) }
      // Dies on the first call only.
      let script = ShellServer.script(
        call: """
          if [ -e "$MARK" ]; then reply '{"content":[{"type":"text","text":"back"}]}'
          else : > "$MARK"; echo dying >&2; \(call); fi
          """)
      try await ShellServer.with(ShellServer.transport(script, environment: ["MARK": mark])) { client async throws in
        try await client.connect()
        let first = Task { try await client.call("t") }
        let error = await #expect(throws: MCPError.self) { try await first.value }
        #expect(error?.code == .connectionClosed)
        #expect(error?.message.contains("exit status 9") == true)
        #expect(error?.serverOutput == ["dying"])
        #expect(try await client.call("t").text == "back")
      }
    }

    @Test func `a server that keeps dying is not started for ever`() async throws {
      let configuration = MCPClient.Configuration(timeouts: .patient, restartLimit: 2)
      try await ShellServer.with(
        ShellServer.transport(ShellServer.script(call: "exit 1")), configuration: configuration
      ) {
        client async throws in
        for _ in 0..<3 {
          let error = await #expect(throws: MCPError.self) { try await client.call("t") }
          #expect(error?.code == .connectionClosed)
        }
        let incidents = await #expect(throws: MCPError.self) { try await client.tools() }
        #expect(incidents?.code == .connectionClosed)
      }
    }

    @Test func `lines that are no messages are passed over and told`() async throws {
      let incidents = Locked<[MCPIncident]>([])
      let script = ShellServer.script(
        start: #"echo 'Starting server (not JSON)'; echo; echo '{"jsonrpc":"2.0", broken'"#,
        list: #"printf '{"jsonrpc":"2.0","method":"x\377\376"}\r\n'; reply '{"tools":[]}'"#)
      let configuration = MCPClient.Configuration(
        timeouts: .patient, onIncident: { incident in incidents.withLock { $0.append(incident) } }
      )
      try await ShellServer.with(ShellServer.transport(script), configuration: configuration) { client async throws in
        #expect(try await client.tools().isEmpty)
        #expect(incidents.withLock { $0.count } == 3)
      }
    }

    @Test func `a message larger than the limit fails its call and nothing else`() async throws {
      let script = ShellServer.script(
        call: #"reply "{\"content\":[{\"type\":\"text\",\"text\":\"$(printf '%20000s' x)\"}]}""#)
      let transport = ShellServer.transport(script, limits: StdioTransport.Limits(messageSize: 10_000))
      try await ShellServer.with(transport) { client async throws in
        let error = await #expect(throws: MCPError.self) { try await client.call("t") }
        #expect(error?.code == .tooLarge)
        #expect(try await client.tools().count == 1)
      }
    }

    @Test func `messages larger than a pipe go both ways at once`() async throws {
      // Writes a large answer before it reads what comes next.
      let script = ShellServer.script(
        call: #"reply "{\"content\":[{\"type\":\"text\",\"text\":\"$(printf '%300000s' x)\"}]}""#)
      try await ShellServer.with(ShellServer.transport(script)) { client async throws in
        try await client.connect()
        let large = JSONValue.string(String(repeating: "y", count: 300_000))
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<4 { group.addTask { try await client.call("t", ["a": large]).text.utf8.count } }
          for try await count in group { #expect(count == 300_000) }
        }
      }
    }

    @Test func `the server gets the environment and directory that are given, and no key of ours`() async throws {
      let script = ShellServer.script(
        call:
          #"reply "{\"content\":[{\"type\":\"text\",\"text\":\"$GIVEN $(pwd) ${MARTLET_SECRET_FOR_TEST:-none}\"}]}""#)
      setenv("MARTLET_SECRET_FOR_TEST", "secret", 1)
      let transport = StdioTransport(
        "/bin/sh", ["-c", script], environment: ["GIVEN": "value"], workingDirectory: "/")
      try await ShellServer.with(transport) { client async throws in
        #expect(try await client.call("t").text == "value / none")
      }
    }

    @Test func `closing ends the whole group, also one that ignores the end of its input and SIGTERM`() async throws {
      let script =
        ShellServer.script(
          start: "trap '' TERM; (trap '' TERM; sleep 1000) & echo $! >&2",
          call: #"reply '{"content":[]}'"#) + "\nwhile :; do sleep 1000; done"
      let transport = ShellServer.transport(script, limits: quick)
      var processes: [Int32] = []
      try await ShellServer.with(transport) { client async throws in
        _ = try await client.call("t")
        // What it says there comes by another way than its answers.
        while transport.errorLines.isEmpty { await Task.yield() }
        processes = [try #require(transport.processID)] + transport.errorLines.compactMap { Int32($0) }
      }
      #expect(processes.count == 2)
      for process in processes { #expect(!Self.isAlive(process)) }
    }

    /// One that is dead and that nobody has buried is not alive.
    private static func isAlive(_ process: Int32) -> Bool {
      guard kill(process, 0) == 0 else { return false }
      guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
      return status.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    @Test func `a client that is dropped takes its server with it`() async throws {
      func process() async throws -> Int32 {
        let transport = ShellServer.transport(ShellServer.script())
        let client = MCPClient(transport, configuration: .init(timeouts: .patient))
        try await client.connect()
        return try #require(transport.processID)
      }
      let process = try await process()
      // Nothing tells when it is gone.
      while Self.isAlive(process) { await Task.yield() }
    }

    @Test func `closing while a call is open fails it`() async throws {
      let client = MCPClient(
        ShellServer.transport(ShellServer.script(call: "sleep 1000"), limits: quick),
        configuration: .init(timeouts: .patient))
      try await client.connect()
      let call = Task { try await client.call("t") }
      async let closing: Void = client.close()
      await #expect(throws: MCPError.self) { try await call.value }
      await closing
    }

    @Test func `connecting can be cancelled`() async throws {
      let transport = ShellServer.transport("sleep 1000", limits: quick)
      try await ShellServer.with(transport) { client async throws in
        let connecting = Task { try await client.connect() }
        while transport.processID == nil { await Task.yield() }
        connecting.cancel()
        await #expect(throws: CancellationError.self) { try await connecting.value }
      }
    }
  }
#endif
