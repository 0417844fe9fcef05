import Foundation
import MartletHTTP
import MartletHTTPServer
import MartletJSON
import MartletMCP
import MartletProcess
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct `MCP servers on the command line` {
  /// The tools of the scripted program, offered as an MCP server, and a server that cannot be started.
  private func program(_ script: JSONValue = [["text": "Yes."]], allow: Bool = true) throws -> Program {
    let program = try Program.scripted(script)
    try program.home.write("mcp.json", try servers(allow: allow))
    return program
  }

  private func servers(_ names: [String] = ["box"], allow: Bool = true) throws -> String {
    var entries = JSONObject()
    for name in names {
      entries[name] = [
        "command": .string(try Program.directory + "/MartletScripted"),
        "args": .array((["mcp", "serve"] + (allow ? ["--allow", "keep"] : [])).map { .string($0) }),
        "env": ["MARTLET_DATA": "${MARTLET_DATA}", "MARTLET_SCRIPT": "${MARTLET_SCRIPT}"],
      ]
    }
    return JSONValue.object(["mcpServers": .object(entries)]).text()
  }

  private func addBroken(_ program: Program) throws {
    try program.home.write(
      ".config/martlet/config.json",
      #"{"mcpServers": {"broken": {"command": "/nowhere/server"}, "off": {"command": "x", "disabled": true}}}"#)
  }

  @Test func `list tells how each is, and that one cannot be used`() async throws {
    let program = try program()
    let fine = try await program.run(["mcp", "list", "--mcp", "mcp.json"])
    #expect(fine.status == 0, "\(fine.error)")
    #expect(fine.output.hasPrefix("box  ready  "), "\(fine.output)")
    #expect(fine.output.contains("  4 tools  "))
    try addBroken(program)
    let outcome = try await program.run(["mcp", "list", "--mcp", "mcp.json", "-o", "jsonl"])
    #expect(outcome.status == 1)
    let rows = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(rows.map { $0["name"] } == ["box", "broken", "off"])
    #expect(rows.map { $0["state"] } == ["ready", "failed", "disabled"])
    #expect(rows[0]["tools"] == 4 && rows[0]["server"] == "martlet")
    #expect(rows[1]["error"]?.stringValue?.contains("cannot be started") == true, "\(rows[1].text())")
  }

  @Test func `tools and call work by the server's own names`() async throws {
    let program = try program()
    let tools = try await program.run(["mcp", "tools", "box", "--mcp", "mcp.json"])
    #expect(tools.status == 0, "\(tools.error)")
    for name in ["box__ask_agent", "box__echo", "box__hold", "box__keep"] { #expect(tools.output.contains(name)) }
    let call = try await program.run(["mcp", "call", "box", "echo", #"{"text": "hi"}"#, "--mcp", "mcp.json"])
    #expect(call.output == "hi\n" && call.status == 0, "\(call.error)")
    let wrong = try await program.run(["mcp", "call", "box", "ech", "{}", "--mcp", "mcp.json"])
    #expect(wrong.status == 2 && wrong.error.contains("did you mean echo?"), "\(wrong.error)")
    let nobody = try await program.run(["mcp", "call", "bos", "echo", "--mcp", "mcp.json"])
    #expect(nobody.status == 2 && nobody.error.contains("did you mean box?"), "\(nobody.error)")
    let failed = try await program.run(["mcp", "call", "box", "echo", "{}", "--mcp", "mcp.json"])
    #expect(failed.status == 1, "\(failed.output)")
  }

  @Test func `what needs permission is refused by serve, unless a rule allows it`() async throws {
    let refused = try program(allow: false)
    let no = try await refused.run(["mcp", "call", "box", "keep", #"{"name": "f"}"#, "--mcp", "mcp.json"])
    #expect(no.status == 1 && no.error.contains("needs permission, and nobody is here to give it"), "\(no.error)")
    #expect(!refused.home.exists("f"))
    let allowed = try program()
    let yes = try await allowed.run(["mcp", "call", "box", "keep", #"{"name": "f"}"#, "--mcp", "mcp.json"])
    #expect(yes.status == 0 && yes.output == "kept\n", "\(yes.error)")
    #expect(allowed.home.exists("f"))
  }

  @Test func `run has their tools, asks for permission, and goes on without a broken one`() async throws {
    let script: JSONValue = [["calls": [["name": "box__echo", "arguments": ["text": "hi"]]]], ["text": "Done."]]
    let program = try program(script)
    try addBroken(program)
    let parked = try await program.run(["run", "go", "--mcp", "mcp.json"])
    #expect(parked.status == 5, "\(parked.error)")
    #expect(parked.error.contains("the MCP server \"broken\" is left out"))
    let outcome = try await program.run(
      ["run", "go", "--mcp", "mcp.json", "--allow", "box__*", "--output", "jsonl"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.contains(#""content":[{"type":"text","text":"hi"}]"#))
    let listed = try await program.run(["tools", "list", "--mcp", "mcp.json"])
    #expect(listed.output.contains("box__echo (asks for permission)"), "\(listed.output)")
    let chosen = try await program.run(
      ["run", "go", "--mcp", "mcp.json", "--tools", "echo,box__nothing", "--output", "jsonl"])
    #expect(chosen.status == 2 && chosen.error.contains("no MCP server has a tool \"box__nothing\""), "\(chosen.error)")
  }

  @Test func `two servers of the same tools give the model the same bytes in any order`() async throws {
    var seen: Set<String> = []
    for names in [["b", "a"], ["a", "b"]] {
      let program = try Program.scripted([["text": "Yes."]])
      try program.home.write("mcp.json", try servers(names))
      let outcome = try await program.run(["run", "go", "--mcp", "mcp.json", "--output", "jsonl"])
      #expect(outcome.status == 0, "\(outcome.error)")
      let events = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
      let tools = try #require(events.first { $0["type"] == "context" }?["tools"])
      #expect(tools.arrayValue?.contains { $0["name"] == "a__echo" } == true)
      seen.insert(tools.text())
    }
    #expect(seen.count == 1)
  }

  @Test func `a project that is not trusted starts nothing`() async throws {
    let program = try Program.scripted([["text": "Yes."]])
    try program.home.write(
      "a/.martlet/config.json",
      #"{"mcpServers": {"evil": {"command": "/bin/sh", "args": ["-c", "touch started"], "trust": true}}}"#)
    for arguments in [["run", "go"], ["mcp", "list"], ["tools", "list"]] {
      let outcome = try await program.run(arguments + ["--cd", "a"])
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.error.contains("ignored are mcpServers"), "\(outcome.error)")
    }
    #expect(!program.home.exists("a/started"))
  }

  @Test(arguments: [
    (#"{"x": 1}"#, "names no MCP servers"), (#"{"#, "f.json:1:"), (#"{"mcpServers": []}"#, "names no MCP servers"),
  ])
  func `a file that names no servers says so`(_ text: String, _ says: String) async throws {
    let program = try Program.scripted([["text": "Yes."]])
    try program.home.write("f.json", text)
    let outcome = try await program.run(["run", "--mcp", "f.json", "hi"])
    #expect(outcome.status == 2 && outcome.error.contains(says), "\(outcome.error)")
  }

  /// A server that does one thing wrong, and what is said about it.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// For the shell: what it does when its tool is called, or, where `start` is set, at once.
    var call = ""
    var start = ""
    let says: [String]
  }

  /// Answers as a server of 2025-11-25 with one tool, `t`.
  private func faulty(_ fault: Fault) throws -> Program {
    let program = try Program()
    try program.home.write(
      "server.sh",
      #"""
      reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
      \#(fault.start)
      while read -r line; do
        id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
        case "$line" in
          *'"initialize"'*) reply '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
          *'"tools/list"'*) reply '{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}' ;;
          *'"tools/call"'*) \#(fault.call) ;;
          *'"notifications/'*) ;;
          *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id" ;;
        esac
      done
      """#)
    let entry: JSONValue = ["command": "/bin/sh", "args": [.string(program.home.path + "/server.sh")]]
    try program.home.write("mcp.json", JSONValue.object(["mcpServers": ["box": entry]]).text())
    return program
  }

  static let faults = [
    Fault(
      testDescription: "ends at its start", start: "echo 'no key' >&2; exit 7",
      says: ["box cannot be used: the server has ended (exit status 7)", "it said: no key"]),
    Fault(
      testDescription: "writes something else", start: "echo Hello; exit 0",
      says: ["box cannot be used", "(exit status 0), and wrote what is no message: this is no JSON"]),
    Fault(
      testDescription: "is killed in a call", call: "kill -9 $$",
      says: ["t of box failed: the server has ended (ended by signal 9)"]),
    Fault(
      testDescription: "answers with no object", call: "reply null",
      says: ["t of box failed: the answer cannot be used: a result is a JSON object"]),
    Fault(
      testDescription: "answers with a content that is no list", call: #"reply '{"content":"text"}'"#,
      says: ["t of box failed: the answer cannot be used: the content of a tool's result is a list"]),
    Fault(
      testDescription: "answers with an error",
      call: #"printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no\\nway"}}\n' "$id""#,
      says: ["t of box failed: no way"]),
  ]

  @Test(arguments: faults)
  func `a server with a fault costs one sentence and the status 1`(_ fault: Fault) async throws {
    let outcome = try await faulty(fault).run(["mcp", "call", "box", "t", "--mcp", "mcp.json"])
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome.output)")
    for text in fault.says { #expect(outcome.error.contains(text), "\(outcome.error)") }
    #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
  }

  @Test(arguments: [("{", ":1:2: "), ("[]", "must be a JSON object"), ("null", "must be a JSON object"), ("{} x", "x")])
  func `arguments that are no object are refused with the reason`(_ text: String, _ says: String) async throws {
    let program = try faulty(Fault(testDescription: "none", says: []))
    let outcome = try await program.run(["mcp", "call", "box", "t", text, "--mcp", "mcp.json"])
    #expect(outcome.status == 2 && outcome.error.contains("\"t\" cannot be called with this: "), "\(outcome.error)")
    #expect(outcome.error.contains(says.hasPrefix(":") ? "; an example is" : says), "\(outcome.error)")
  }

  @Test(arguments: [["mcp", "list"], ["mcp", "tools"], ["mcp", "call", "box", "t"], ["tools", "list"]])
  func `Ctrl-C while a server is silent ends both`(_ arguments: [String]) async throws {
    let program = try faulty(
      Fault(testDescription: "silent", start: "echo $$ > started.tmp; mv started.tmp started; sleep 3600", says: []))
    let child = try await ChildProcess.start(try program.command(arguments + ["--mcp", "mcp.json"]))
    while !program.home.exists("started") { await Task.yield() }
    child.send(signal: SIGINT)
    #expect(try await child.waitForExit().shellStatus == 130, "\(child.errorLines)")
    await child.shutDown(inputGrace: .zero)
    #expect(child.errorLines == ["error: cancelled"])
    let text = try String(contentsOfFile: program.home.path + "/started", encoding: .utf8)
    let server = try #require(Int32(text.dropLast()))
    #expect(kill(server, 0) != 0)
  }

  @Test func `an agent that is asked answers, and goes on in its session`() async throws {
    let script: JSONValue = [
      ["calls": [["name": "keep", "arguments": ["name": "f"]]]], ["text": "First."], ["text": "Second."],
    ]
    let program = try program(script, allow: false)
    let command = try program.command(["mcp", "serve"])
    let client = MCPClient(
      StdioTransport(command), configuration: .init(timeouts: .init(start: .seconds(300), probe: .seconds(300))))
    let first = try await client.call("ask_agent", ["prompt": "go"])
    #expect(first.structuredContent?["answer"] == "First.", "\(first.text)")
    #expect(!program.home.exists("f"))
    let session = try #require(first.structuredContent?["session"])
    let second = try await client.call("ask_agent", ["prompt": "go on", "session": session])
    #expect(second.structuredContent?["answer"] == "Second.", "\(second.text)")
    #expect(second.structuredContent?["session"] == session)
    let unknown = try await client.call("ask_agent", ["prompt": "x", "session": "nothing"])
    #expect(unknown.isError && unknown.text.contains("no session"))
    await client.close()
  }

  #if os(Linux)
    @Test func `serve over HTTP wants its token, this machine's name, and no foreign page`() async throws {
      var program = try Program.scripted([["text": "Yes."]])
      program.environment["MARTLET_MCP_TOKEN"] = "0123456789abcdef"
      let command = try program.command(["mcp", "serve", "--http", "0", "--no-agent"])
      let child = try await ChildProcess.start(command)
      var url = ""
      for try await chunk in child.output {
        url += String(decoding: chunk, as: UTF8.self)
        if url.hasSuffix("\n") { break }
      }
      url = String(url.dropLast())
      #expect(url.hasPrefix("http://127.0.0.1:") && url.hasSuffix("/mcp"))
      let good: HTTPHeaders = ["Authorization": "Bearer 0123456789abcdef"]
      for revisions in [MCPClient.Revisions.modern, .legacy()] {
        let client = MCPClient(
          HTTPClientTransport(url, options: .init(headers: good)),
          configuration: .init(revisions: revisions, timeouts: .init(probe: .seconds(300))))
        #expect(try await client.tools().map(\.name) == ["echo", "keep", "hold"])
        #expect(try await client.call("echo", ["text": "hi"]).text == "hi")
        await client.close()
      }
      for headers: HTTPHeaders in [[:], ["Authorization": "Bearer wrong"]] {
        let client = MCPClient(
          HTTPClientTransport(url, options: .init(headers: headers)),
          configuration: .init(timeouts: .init(start: .seconds(300))))
        let error = await #expect(throws: MCPError.self) { try await client.tools() }
        #expect(error?.code == .unauthorized)
        await client.close()
      }
      for foreign: HTTPHeaders in [["Origin": "https://evil.example"], ["Host": "evil.example"]] {
        var headers = good
        for field in foreign { headers[field.name] = field.value }
        headers["Content-Type"] = "application/json"
        headers["Accept"] = "application/json, text/event-stream"
        let response = try await SystemTransport.shared.send(
          HTTPRequest(.post, url, headers: headers, body: HTTPRequest.Body.bytes(Array("{}".utf8))))
        #expect(response.status == 403, "\(foreign)")
        response.body.finish()
      }
      await child.shutDown(inputGrace: .zero, terminateGrace: .seconds(10))
    }

    @Test func `serve for others needs a token, in a file of one's own`() async throws {
      let program = try Program.scripted([["text": "Yes."]])
      let open = try await program.run(["mcp", "serve", "--http", "0", "--host", "0.0.0.0"])
      #expect(open.status == 2 && open.error.contains("--token-file"), "\(open.error)")
      try program.home.write("token", "0123456789abcdef\n")
      let loose = try await program.run(["mcp", "serve", "--http", "0", "--token-file", "token"])
      #expect(loose.status == 2 && loose.error.contains("chmod 600"), "\(loose.error)")
    }

    @Test func `serve on a port that is taken says so`() async throws {
      let program = try Program.scripted([["text": "Yes."]])
      try await HTTPServer.withServer(routes: []) { other in
        let outcome = try await program.run(["mcp", "serve", "--http", "\(other.port)"])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.error.contains("port \(other.port) is taken by another program"), "\(outcome.error)")
      }
    }
  #endif
}
