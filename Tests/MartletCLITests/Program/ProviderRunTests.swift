#if os(Linux)
  import Foundation
  import MartletHTTP
  import MartletHTTPServer
  import MartletJSON
  import MartletProcess
  import MartletSimulators
  import Testing

  @testable import MartletCLI

  /// The built program against a simulator of each provider, over a real connection.
  @Suite(.timeLimit(.minutes(3))) struct `martlet run with a provider` {
    /// One row for each provider that the command line offers.
    struct Row: Sendable, CustomTestStringConvertible {
      var provider: ProviderSimulator.Provider
      var model: String
      var keyVariable: String?
      var testDescription: String { model }

      static let all = [
        Row(provider: .anthropic, model: "anthropic/claude-opus-5", keyVariable: "ANTHROPIC_API_KEY"),
        Row(provider: .openAIResponses, model: "openai/gpt-5.2", keyVariable: "OPENAI_API_KEY"),
        Row(provider: .openAI, model: "openai-chat/gpt-5.2", keyVariable: "OPENAI_API_KEY"),
        Row(provider: .gemini, model: "gemini/gemini-3-pro", keyVariable: "GEMINI_API_KEY"),
        Row(provider: .ollama, model: "ollama/qwen3", keyVariable: nil),
      ]
    }

    static let key = "sk-very-secret-key"
    static let tools = SimulatorScript(
      [
        .calls(SimulatedCall("calculator", ["expression": "23*4"]), text: "Let me see.", pieceSize: 1),
        .text("It is 92.", pieceSize: 1),
      ], key: key)

    private func program(_ row: Row) throws -> Program {
      var program = try Program()
      if let variable = row.keyVariable { program.environment[variable] = Self.key }
      return program
    }

    /// A simulator that wants the key where the provider has keys.
    private func simulator(_ row: Row, _ script: SimulatorScript) -> ProviderSimulator {
      var script = script
      if row.keyVariable == nil { script.key = nil }
      return ProviderSimulator(row.provider, script: script)
    }

    private func events(_ text: String) throws -> [JSONValue] {
      try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    @Test(arguments: Row.all)
    func `answers with tools, and keeps every rule of the provider`(_ row: Row) async throws {
      let simulator = simulator(row, Self.tools)
      try await simulator.withServer { server in
        let outcome = try await program(row).run(["run", "23*4?", "--model", row.model, "--base-url", server.url + "/"])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.output == "It is 92.\n")
        #expect(outcome.error == "")
      }
      #expect(simulator.violations == [])
      #expect(simulator.exchanges.count == 2)
    }

    /// A server for the shell with two tools, which waits before it says anything.
    private static func server(_ says: String, wait: String = "0") -> JSONValue {
      let script = """
        sleep \(wait)
        reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
        while read -r line; do
          id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
          case "$line" in
            *'"initialize"'*)
              reply '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
            *'"tools/list"'*)
              reply '{"tools":[{"name":"look.up/it","description":"Looks it up.","inputSchema":{"type":"object"}},{"name":"die","description":"Ends.","inputSchema":{"type":"object"}}]}' ;;
            *'"name":"die"'*) exit 9 ;;
            *'"tools/call"'*) reply '{"content":[{"type":"text","text":"\(says)"}]}' ;;
            *'"notifications/'*) ;;
            *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\\n' "$id" ;;
          esac
        done
        """
      return ["command": "/bin/sh", "args": ["-c", .string(script)]]
    }

    @Test(arguments: Row.all)
    func `tools of MCP servers are called, whatever the servers are like`(_ row: Row) async throws {
      let program = try program(row)
      let servers: JSONValue = [
        "mcpServers": [
          "dead": ["command": "/bin/sh", "args": ["-c", "echo no key >&2; exit 7"]],
          "missing": ["command": "/nowhere/it"],
          "slow": Self.server("from the slow one", wait: "1"), "quick": Self.server("from the quick one"),
          "a quick": Self.server("from its double"),
        ]
      ]
      try program.home.write("mcp.json", servers.text())
      let listed = try await program.run(["tools", "list", "--mcp", "mcp.json", "-o", "jsonl"])
      let names = try events(listed.output).compactMap { $0["name"]?.stringValue }
      #expect(names.count > 6 && Set(names).count == names.count)
      let quick = try #require(names.first { $0.hasPrefix("quick__look") })
      let slow = try #require(names.first { $0.hasPrefix("slow__look") })
      #expect(names.contains { $0.hasPrefix("a_quick") })
      for name in names { #expect(name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ".") }, "\(name)") }
      let script = SimulatorScript(
        [
          .calls(SimulatedCall(slow, [:])), .calls(SimulatedCall("quick__die", [:])), .calls(SimulatedCall(quick, [:])),
          .text("Done."),
        ], key: Self.key)
      let simulator = simulator(row, script)
      try await simulator.withServer { server in
        let outcome = try await program.run([
          "run", "go", "--model", row.model, "--base-url", server.url, "--mcp", "mcp.json", "--allow", "slow__*",
          "--allow", "quick__*",
          "--output", "jsonl",
        ])
        #expect(outcome.status == 0, "\(outcome.error)")
        let results = try events(outcome.output).filter { $0["type"] == "tool_finished" }
          .map { $0["result"]?["content"]?[0]?["text"]?.stringValue ?? "" }
        #expect(results.count == 3)
        #expect(results.first == "from the slow one" && results.last == "from the quick one", "\(results)")
        #expect(results[1].contains("exit status 9"), "\(results[1])")
        for name in ["dead", "missing"] {
          #expect(outcome.error.contains("the MCP server \"\(name)\" is left out"), "\(outcome.error)")
        }
        #expect(outcome.error.contains("no key"))
      }
      #expect(simulator.violations == [])
    }

    @Test(arguments: Row.all)
    func `a recorded run replays without the provider and its key`(_ row: Row) async throws {
      let simulator = simulator(row, Self.tools)
      let program = try program(row)
      let recorded = try await simulator.withServer { server in
        try await program.run([
          "run", "23*4?", "--model", row.model, "--base-url", server.url, "--record", "run.jsonl", "--output", "jsonl",
        ])
      }
      #expect(recorded.status == 0, "\(recorded.error)")
      var without = program
      if let variable = row.keyVariable { without.environment[variable] = nil }
      let replayed = try await without.run(["run", "--replay", "run.jsonl", "--output", "jsonl"])
      #expect(replayed.status == 0, "\(replayed.error)")
      func durable(_ output: String) -> [Substring] {
        output.split(separator: "\n").filter { $0.hasPrefix("{\"seq\"") }
      }
      #expect(durable(replayed.output) == durable(recorded.output))
      #expect(simulator.exchanges.count == 2)
    }

    @Test(arguments: Row.all)
    func `a run is resumed where its model was`(_ row: Row) async throws {
      let script = SimulatorScript(
        [.calls(SimulatedCall("shell", ["command": "echo hello"])), .text("Done.")], key: Self.key)
      try await simulator(row, script).withServer { server in
        let program = try program(row)
        let parked = try await program.run(["run", "Do it", "--model", row.model, "--base-url", server.url])
        #expect(parked.status == 5, "\(parked)")
        let session = try await program.run(["sessions", "list"]).output.prefix { $0 != " " }
        let resumed = try await program.run(["resume", String(session), "--base-url", server.url, "--allow", "shell"])
        #expect(resumed.status == 0 && resumed.output == "Done.\n", "\(resumed)")
      }
    }

    @Test(arguments: Row.all)
    func `a provider's models are listed as its service has them`(_ row: Row) async throws {
      var script = SimulatorScript([], key: Self.key)
      script.models = ["model-b", "model-a"]
      try await simulator(row, script).withServer { server in
        let name = String(row.model.prefix { $0 != "/" })
        let table = try await program(row).run(["models", "list", name, "--base-url", server.url])
        #expect(table.status == 0, "\(table.error)")
        let first = table.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(first == ["model", "model-a", "model-b"])
        let lines = try await program(row).run(["models", "list", name, "--base-url", server.url, "-o", "jsonl"])
        #expect(try events(lines.output).compactMap { $0["id"]?.stringValue } == ["model-a", "model-b"])
        var stranger = try program(row)
        stranger.environment[row.keyVariable ?? "X"] = "sk-other-secret"
        let refused = try await stranger.run(["models", "list", name, "--base-url", server.url])
        #expect(refused.status == (row.keyVariable == nil ? 0 : 1))
        #expect(!refused.error.contains("secret"))
      }
    }

    @Test(arguments: Row.all)
    func `a retry is told in text and in events`(_ row: Row) async throws {
      let fault = SimulatedFault.rateLimited(headers: ["retry-after-ms": "20"])
      let script = SimulatorScript([.text("Hi.")], faults: [fault], repeatsFaults: false, key: Self.key)
      for format in ["text", "jsonl"] {
        let simulator = simulator(row, script)
        try await simulator.withServer { server in
          let outcome = try await program(row).run(
            ["run", "hi", "--model", row.model, "--base-url", server.url, "--output", format])
          #expect(outcome.status == 0, "\(outcome.error)")
          if format == "text" {
            #expect(outcome.output == "Hi.\n")
            #expect(outcome.error.hasPrefix("note: the model is asked again in 20 ms: "), "\(outcome.error)")
          } else {
            let retrying = try events(outcome.output).first { $0["type"] == "retrying" }
            #expect(retrying?["attempt"] == 2)
            #expect(retrying?["after_ms"] == 20)
          }
        }
      }
    }

    @Test(arguments: Row.all)
    func `a fallback answers where the first model cannot, and both are in the events`(_ row: Row) async throws {
      let simulator = simulator(
        row, SimulatorScript([.text("Hi.")], faults: [SimulatedFault(status: 403)], key: Self.key))
      try await simulator.withServer { server in
        let outcome = try await program(row).run([
          "run", "hi", "--model", row.model, "--base-url", server.url, "--fallback", row.model + "-2",
          "--fallback", "local", "--output", "jsonl",
        ])
        #expect(outcome.status == 0, "\(outcome.error)")
        let calls = try events(outcome.output).filter { $0["type"] == "model_call" }
        #expect(calls.compactMap { $0["model"]?.stringValue?.hasSuffix("-2") } == [false, true])
        #expect(outcome.output.contains("going on with"))
      }
    }

    @Test(
      arguments: Row.all,
      [
        (SimulatedFault(status: 401), 1), (SimulatedFault(status: 400), 1), (SimulatedFault(isWhole: true), 1),
        (SimulatedFault(cutAfter: 900), 1), (SimulatedFault(endAfter: 900), 1),
        (SimulatedFault(body: "<html>", contentType: "text/html"), 1),
        (SimulatedFault(status: 429, headers: ["x-should-retry": "false"]), 1), (SimulatedFault(errorAfter: 8), 1),
      ] as [(SimulatedFault, Int32)])
    func `a failure is one sentence, and no key is in any output or log`(
      _ row: Row, _ fault: (SimulatedFault, Int32)
    ) async throws {
      let text = String(repeating: "word ", count: 40)
      let simulator = simulator(
        row, SimulatorScript([.text(text, pieceSize: 1)], faults: [fault.0], repeatsFaults: true, key: Self.key))
      try await simulator.withServer { server in
        for format in ["text", "json", "jsonl"] {
          let outcome = try await program(row).run(
            ["run", "hi", "--model", row.model, "--base-url", server.url, "--output", format, "-vv"])
          #expect(outcome.status == fault.1, "\(outcome.error)")
          #expect(outcome.error.split(separator: "\n").count { $0.hasPrefix("error: ") } == 1, "\(outcome.error)")
          #expect(!(outcome.output + outcome.error).contains("secret"))
        }
      }
    }

    @Test(arguments: Row.all)
    func `Ctrl-C closes the connection`(_ row: Row) async throws {
      let simulator = simulator(
        row,
        SimulatorScript(
          [.text(String(repeating: "word ", count: 40), pieceSize: 1)], faults: [SimulatedFault(stallAfter: 3_000)],
          key: Self.key))
      try await simulator.withServer { server in
        let program = try program(row)
        let child = try await ChildProcess.start(
          try program.command(
            ["run", "hi", "--model", row.model, "--base-url", server.url, "--output", "jsonl"]))
        var isSignalled = false
        var text = ""
        for try await bytes in child.output {
          text += String(decoding: bytes, as: UTF8.self)
          if !isSignalled, text.contains("\"delta\":") {
            isSignalled = true
            child.send(signal: 2)
          }
        }
        #expect(try await child.waitForExit().shellStatus == 130, "\(child.errorLines)")
        await child.shutDown()
        while simulator.exchanges.first?.end == .open { await Task.yield() }
        #expect(simulator.exchanges.first?.end == .abandoned)
      }
    }

    @Test func `the key may stand in a file of the user's own, and the address in the configuration`() async throws {
      let simulator = ProviderSimulator(.anthropic, script: Self.tools)
      try await simulator.withServer { server in
        let program = try Program()
        let path = try program.home.write(".config/martlet/keys/anthropic", Self.key + "\n")
        try program.home.write(
          ".config/martlet/config.json",
          #"{"model": "anthropic", "providers": {"anthropic": {"baseURL": "\#(server.url)", "requestsPerMinute": 60}}}"#
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let outcome = try await program.run(["run", "23*4?", "--output", "jsonl"])
        #expect(outcome.status == 0, "\(outcome.error)")
        let call = try events(outcome.output).first { $0["type"] == "model_call" }
        #expect(call?["model"] == "anthropic/claude-opus-5")
        #expect(simulator.exchanges.first?.body["max_tokens"] == 4_096)
        #expect(simulator.violations == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let refused = try await program.run(["run", "23*4?"])
        #expect(refused.status == 2)
        #expect(refused.error.contains("open to others"), "\(refused.error)")
      }
    }

    @Test(arguments: Row.all)
    func `simulate serves a script until it is told to stop`(_ row: Row) async throws {
      let program = try program(row)
      try program.home.write(
        "s.json",
        #"{"replies": [{"calls": [{"name": "calculator", "arguments": {"expression": "1+1"}}]}, {"text": "2"}]}"#)
      let child = try await ChildProcess.start(
        program.command(["simulate", row.provider.rawValue, "--port", "0", "--script", "s.json"]))
      var address = ""
      for try await bytes in child.output {
        address += String(decoding: bytes, as: UTF8.self)
        guard address.hasSuffix("\n") else { continue }
        address.removeLast()
        let outcome = try await program.run(["run", "1+1?", "--model", row.model, "--base-url", address])
        #expect(outcome.output == "2\n", "\(outcome.error)")
        child.send(signal: 15)
      }
      #expect(address.hasPrefix("http://127.0.0.1:"))
      #expect(try await child.waitForExit().shellStatus == 143, "\(child.errorLines)")
      await child.shutDown()
    }
  }
#endif
