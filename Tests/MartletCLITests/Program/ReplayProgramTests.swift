import Foundation
import MartletJSON
import MartletProcess
import Testing

#if os(Linux)
  import MartletHTTP
  import MartletHTTPServer
#endif

/// `--record` and `--replay` as users run them.
@Suite(.timeLimit(.minutes(2))) struct `recording and replaying` {
  static let script: JSONValue = [
    [
      "text": "Let me.",
      "calls": [["name": "echo", "arguments": ["text": "hello"]], ["name": "keep", "arguments": ["name": "kept"]]],
    ],
    ["text": "Done."],
  ]

  private func durable(_ output: String) -> [String] {
    output.split(separator: "\n").map(String.init).filter { $0.hasPrefix("{\"seq\"") }
  }

  private func recorded() async throws -> (Program, String) {
    let program = try Program.scripted(Self.script)
    let outcome = try await program.run([
      "run", "Do it", "--approve", "all", "--record", "run.jsonl", "--output", "jsonl",
    ])
    #expect(outcome.status == 0, "\(outcome.error)")
    return (program, outcome.output)
  }

  @Test func `a replay prints the same durable lines, and does nothing`() async throws {
    var (program, output) = try await recorded()
    let kept = program.home.path + "/kept"
    #expect(FileManager.default.fileExists(atPath: kept))
    try FileManager.default.removeItem(atPath: kept)
    // No model: the script is gone.
    program.environment["MARTLET_SCRIPT"] = nil
    let replayed = try await program.run(["run", "--replay", "run.jsonl", "--output", "jsonl"])
    #expect(replayed.status == 0, "\(replayed.error)")
    #expect(replayed.error == "")
    #expect(durable(replayed.output) == durable(output))
    #expect(durable(output).count > 8)
    #expect(!FileManager.default.fileExists(atPath: kept))
    let text = try await program.run(["run", "Do it", "--replay", "run.jsonl"])
    #expect(text.output.hasSuffix("Done.\n"), "\(text)")
    // The recorded session is kept once, by the run that was recorded.
    let sessions = try await program.run(["sessions", "list"])
    #expect(sessions.output.split(separator: "\n").count <= 2, "\(sessions.output)")
  }

  @Test func `what differs is named, with status 1`() async throws {
    let (program, _) = try await recorded()
    let prompt = try await program.run(["run", "Do that", "--replay", "run.jsonl"])
    #expect(prompt.status == 1)
    #expect(prompt.error.contains("event 4 (prompt): message.content[0].text, byte "), "\(prompt.error)")
    let tools = try await program.run(["run", "--tools", "echo", "--replay", "run.jsonl"])
    #expect(tools.status == 1)
    #expect(tools.error.contains("(context): tools[1]"), "\(tools.error)")
  }

  @Test func `a replay goes on live from an event`() async throws {
    let (program, output) = try await recorded()
    try program.home.write("script.json", (["x", ["text": "Otherwise."]] as JSONValue).text())
    // With the results of the tools.
    let count = durable(output).firstIndex { $0.contains("\"type\":\"iteration_started\",\"iteration\":2") }
    let last = try #require(count)
    let replayed = try await program.run(["run", "--replay", "run.jsonl", "--from", "\(last)", "--output", "jsonl"])
    #expect(replayed.status == 0, "\(replayed.error)")
    #expect(Array(durable(replayed.output).prefix(last)) == Array(durable(output).prefix(last)))
    #expect(replayed.output.contains("Otherwise."))
    let far = try await program.run(["run", "--replay", "run.jsonl", "--from", "999"])
    #expect(far.status == 2)
  }

  @Test func `a killed run's recording replays up to its cut`() async throws {
    let program = try Program.scripted([["text": "Waiting", "waits": true]])
    let child = try await ChildProcess.start(
      program.command(["run", "Do it", "--record", "run.jsonl", "--output", "jsonl"]))
    var output = ""
    for try await chunk in child.output {
      output += String(decoding: chunk, as: UTF8.self)
      if output.contains("\"delta\"") { break }
    }
    kill(child.id, SIGKILL)
    _ = try await child.waitForExit()
    let replayed = try await program.run(["run", "--replay", "run.jsonl", "--output", "jsonl"])
    #expect(replayed.status == 1)
    #expect(replayed.error.contains("was cut off after event"), "\(replayed.error)")
    #expect(durable(replayed.output).count >= 6 && durable(output).starts(with: durable(replayed.output).prefix(5)))
  }

  @Test func `a replay needs nothing of where it was recorded`() async throws {
    let script: JSONValue = [
      [
        "calls": [
          ["name": "box__echo", "arguments": ["text": "from the box"]], ["name": "hello", "arguments": [:]],
          ["name": "load_skill", "arguments": ["name": "notes"]],
        ]
      ], ["text": #"{"n": 1}"#],
    ]
    let program = try Program.scripted(script)
    let home = program.home
    try home.write("rules.txt", "Always be kind.")
    try home.write("schema.json", #"{"type": "object", "required": ["n"]}"#)
    try home.write(
      "more/notes/SKILL.md", "---\nname: notes\ndescription: How notes are taken\n---\nTake them by hand.\n")
    try home.write("AGENTS.md", "No jokes.")
    try home.write("data/memory.md", "- likes tea\n")
    try home.write(
      ".config/martlet/config.json",
      #"{"system": "@rules.txt", "maxIterations": 7, "permissions": {"allow": ["box__*"], "deny": ["rm_*"]}}"#)
    let server: JSONObject = [
      "command": .string(try Program.directory + "/MartletScripted"),
      "args": ["mcp", "serve", "--allow", "keep"],
      "env": ["MARTLET_DATA": "${MARTLET_DATA}", "MARTLET_SCRIPT": "${MARTLET_SCRIPT}"],
    ]
    try home.write("mcp.json", JSONValue.object(["mcpServers": ["box": .object(server)]]).text())
    var arguments = [
      "run", "Do it", "--mcp", "mcp.json", "--skills", "more", "--schema", "schema.json", "--record", "run.jsonl",
      "--output", "jsonl",
    ]
    #if os(Linux)
      let catalogue =
        #"{"version": 1, "tools": [{"name": "hello", "implementation": "echo", "preset": {"text": "hi"}}]}"#
      let route = HTTPRoute(.get, "/tools.json") { _ in
        HTTPResponse(status: 200, body: HTTPBody(Array(catalogue.utf8)))
      }
      let recorded = try await HTTPServer.withServer(routes: [route]) { server in
        var program = program
        program.environment["MARTLET_TOOL_CATALOGUE"] = server.url + "/tools.json"
        return try await program.run(arguments)
      }
    #else
      let recorded = try await program.run(arguments)
    #endif
    #expect(recorded.status == 0, "\(recorded.error)")
    for text in ["Always be kind.", "No jokes.", "likes tea", "from the box", "Take them by hand.", "\"hi\""] {
      #expect(recorded.output.contains(text), "\(text)")
    }
    let elsewhere = try Program("MartletScripted")
    let file = try String(contentsOfFile: home.path + "/run.jsonl", encoding: .utf8)
    try elsewhere.home.write("run.jsonl", file)
    try elsewhere.home.write(".config/martlet/config.json", #"{"system": "Be rude.", "tools": ["echo"]}"#)
    arguments = ["run", "--replay", "run.jsonl", "--output", "jsonl"]
    let replayed = try await elsewhere.run(arguments)
    #expect(replayed.status == 0, "\(replayed.error)")
    #expect(replayed.error == "")
    #expect(durable(replayed.output) == durable(recorded.output))
    let changed = try await elsewhere.run(arguments + ["--system", "Be rude."])
    #expect(changed.status == 1 && changed.error.contains("(context): instructions[0].text"), "\(changed.error)")
  }

  @Test func `mistakes of the command line are told`() async throws {
    let (program, _) = try await recorded()
    for arguments in [
      ["--from", "3"], ["--replay", "missing.jsonl"], ["--record", "run.jsonl"],
      ["--replay", "run.jsonl", "--record", "x.jsonl"], ["--replay", "run.jsonl", "--continue"],
    ] {
      let outcome = try await program.run(["run", "Do it"] + arguments)
      #expect(outcome.status == 2, "\(arguments): \(outcome.error)")
      #expect(outcome.output == "")
    }
    try program.home.write("no.jsonl", "{}\n")
    let outcome = try await program.run(["run", "--replay", "no.jsonl"])
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("no recording"), "\(outcome.error)")
  }
}
