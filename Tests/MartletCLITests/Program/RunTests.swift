import MartletJSON
import MartletProcess
import Testing

@testable import MartletCLI

@Suite struct `martlet run` {
  static let answer: JSONValue = [["text": "It is 92."]]
  static let called: JSONValue = [
    ["text": "Let me see.", "calls": [["name": "echo", "arguments": ["text": "92"]]]], ["text": "It is 92."],
  ]
  static let asking: JSONValue = [
    ["calls": [["name": "keep", "arguments": ["name": "kept.txt"]]]], ["text": "Done."],
  ]

  @Test func `standard output has the answer and nothing else`() async throws {
    let outcome = try await Program.scripted(Self.called).run(["run", "23*4?"])
    #expect(outcome.status == 0)
    #expect(outcome.output == "It is 92.\n")
    #expect(outcome.error == "")
  }

  @Test(arguments: [["run"], ["run", "-"]])
  func `the prompt may come from standard input`(_ arguments: [String]) async throws {
    let outcome = try await Program.scripted(Self.answer).run(arguments + ["--output", "jsonl"], input: "23*4?\n")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("23*4?"))
  }

  @Test func `json is one object with everything in it`() async throws {
    let outcome = try await Program.scripted(Self.called).run(["run", "--output", "json", "23*4?"])
    #expect(outcome.status == 0)
    let object = try #require(try JSONValue(parsing: outcome.output).objectValue)
    #expect(
      Array(object.keys) == ["session", "run", "answer", "reason", "iterations", "usage", "cost", "tools"])
    #expect(object["answer"] == "It is 92.")
    #expect(object["reason"] == "answered")
    #expect(object["iterations"] == 2)
    #expect(object["usage"]?["total"] == 30)
    #expect(object["cost"] == 0)
    let tools = try #require(object["tools"]?.arrayValue)
    #expect(tools.count == 1)
    #expect(tools[0]["name"] == "echo")
    #expect(tools[0]["arguments"] == ["text": "92"])
    #expect(tools[0]["result"] == "92")
    #expect(tools[0]["is_error"] == false)
    #expect(tools[0]["started"]?.stringValue?.hasSuffix("Z") == true)
    #expect(tools[0]["duration_ms"]?.doubleValue != nil)
  }

  @Test func `jsonl is the event format, one object a line`() async throws {
    let outcome = try await Program.scripted(Self.called).run(["run", "--output", "jsonl", "23*4?"])
    #expect(outcome.status == 0)
    let events = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    let types = events.compactMap { $0["type"]?.stringValue }
    #expect(types.first == "session_created")
    #expect(types.last == "finished")
    for type in ["context", "run_started", "prompt", "text", "assistant_message", "tool_started", "tool_finished"] {
      #expect(types.contains(type))
    }
    let numbers = events.compactMap { $0["seq"]?.intValue }
    #expect(numbers == Array(1...numbers.count))
  }

  struct End: Sendable, CustomTestStringConvertible {
    var name: String
    var script: JSONValue
    var options: [String] = []
    var status: Int32
    var says: String
    var output = ""
    var testDescription: String { name }
  }

  @Test(arguments: [
    End(
      name: "iterations", script: called, options: ["--max-iterations", "1"], status: 3,
      says: "no answer within 1 iterations; raise --max-iterations"),
    End(
      name: "tokens", script: called, options: ["--token-budget", "12"], status: 3, says: "raise --token-budget"),
    End(
      name: "time", script: [["text": "…", "waits": true]], options: ["--timeout", "50ms"], status: 3,
      says: "raise --timeout"),
    End(name: "refused", script: [["text": "No.", "stop": "refusal"]], status: 4, says: "refused"),
    End(
      name: "truncated", script: [["text": "It is", "stop": "max_tokens"]], status: 1,
      says: "raise it with --max-tokens",
      output: "It is\n"),
    End(
      name: "failed", script: [["error": ["code": "server_error", "message": "the engine broke"]]], status: 1,
      says: "the engine broke"),
    End(name: "waiting", script: asking, status: 5, says: "nobody is here to allow this call: keep name=kept.txt"),
    End(name: "waiting, how to answer", script: asking, status: 5, says: " --allow keep`, or --deny for --allow"),
    End(
      name: "waiting, nothing stored", script: asking, options: ["--store", "memory:"], status: 5,
      says: "run it in a terminal, or with --allow keep"),
    End(
      name: "argument denied", script: asking, options: ["--approve", "all", "--deny", "keep(kept*)"], status: 0,
      says: "", output: "Done.\n"),
    End(
      name: "other argument allowed", script: asking, options: ["--allow", "keep(lost*)"], status: 5,
      says: "nobody is here"),
    End(name: "denied", script: asking, options: ["--approve", "none"], status: 0, says: "", output: "Done.\n"),
    End(
      name: "deny rule", script: asking, options: ["--approve", "all", "--deny", "ke*"], status: 0, says: "",
      output: "Done.\n"),
    End(name: "allowed", script: asking, options: ["--allow", "keep"], status: 0, says: "", output: "Done.\n"),
    End(
      name: "no price", script: called, options: ["--cost-budget", "0.5"], status: 0, says: "", output: "It is 92.\n"),
  ])
  func `every end has its exit status and its sentence`(_ end: End) async throws {
    let program = try Program.scripted(end.script)
    let outcome = try await program.run(["run", "go"] + end.options)
    #expect(outcome.status == end.status, "\(outcome.error)")
    #expect(outcome.output == end.output)
    #expect(end.says.isEmpty ? outcome.error == "" : outcome.error.contains(end.says), "\(outcome.error)")
    #expect(program.home.exists("kept.txt") == (end.name == "allowed"))
  }

  @Test(arguments: [("reads", Int32(5)), ("ask", 5), ("all", 0), ("none", 0)])
  func `the approval mode decides about a tool that needs permission`(_ mode: String, _ status: Int32) async throws {
    let outcome = try await Program.scripted(Self.asking).run(["run", "go", "--approve", mode])
    #expect(outcome.status == status, "\(outcome.error)")
  }

  @Test func `a denial is a result that the model reads`() async throws {
    let outcome = try await Program.scripted(Self.asking).run(["run", "go", "--approve", "none", "--output", "json"])
    let tool = try JSONValue(parsing: outcome.output)["tools"]?[0]
    #expect(tool?["is_error"] == true)
    #expect(tool?["arguments"] == ["name": "kept.txt"])
    #expect(tool?["result"]?.stringValue?.contains("the approval mode \"none\" gives none") == true)
  }

  @Test func `files go along with the prompt`() async throws {
    let program = try Program.scripted(Self.answer)
    try program.home.write("notes.txt", "remember the milk")
    try program.home.write("dot.png", "")
    let outcome = try await program.run(["run", "read", "--file", "notes.txt", "--output", "jsonl"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("remember the milk"))
  }

  /// A schema of an answer with a number of days.
  static let days = "{\"type\":\"object\",\"properties\":{\"days\":{\"type\":\"integer\"}},\"required\":[\"days\"]}"

  @Test func `a typed answer is printed as JSON, corrected once where it does not fit`() async throws {
    let program = try Program.scripted([["text": "Three days."], ["text": "```json\n{\"days\": 3}\n```"]])
    try program.home.write("s.json", Self.days)
    let text = try await program.run(["run", "how long?", "--schema", "s.json"])
    #expect(text.status == 0, "\(text.error)")
    #expect(text.output == "{\"days\":3}\n")
    let object = try await program.run(["run", "how long?", "--schema", "s.json", "--output", "json"])
    #expect(try JSONValue(parsing: object.output)["answer"] == ["days": 3])
    let lines = try await program.run(["run", "how long?", "--schema", "s.json", "--output", "jsonl"])
    let last = try #require(lines.output.split(separator: "\n").last)
    #expect(try JSONValue(parsing: String(last))["output"] == ["days": 3])
  }

  @Test func `an answer that does not fit its schema twice is a failure`() async throws {
    let program = try Program.scripted([["text": "Three days."], ["text": "{\"days\": \"many\"}"]])
    try program.home.write("s.json", Self.days)
    let outcome = try await program.run(["run", "how long?", "--schema", "s.json"])
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(outcome.error.contains("does not fit its schema"), "\(outcome.error)")
  }

  @Test func `AGENTS.md of the directory and its parents is in the instructions, the nearest last`() async throws {
    let program = try Program.scripted(Self.answer)
    try program.home.write("AGENTS.md", "outer rule")
    try program.home.write("a/b/AGENTS.md", "inner rule")
    let outcome = try await program.run(["run", "hi", "--cd", "a/b", "--output", "jsonl"])
    let context = try #require(
      outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        .first { $0["type"] == "context" })
    let text = try #require(context["instructions"]?[1]?["text"]?.stringValue)
    let outer = try #require(text.firstRange(of: "outer rule"))
    let inner = try #require(text.firstRange(of: "inner rule"))
    #expect(outer.lowerBound < inner.lowerBound)
  }

  // MARK: Signals and closed outputs

  /// Starts a run that waits in the middle of its reply, does something to it, and gives the end.
  private func interrupted(_ signal: Int32) async throws -> (status: Int32?, events: [JSONValue], errors: [String]) {
    let program = try Program.scripted([["text": "Let me", "waits": true]])
    let child = try await ChildProcess.start(try program.command(["run", "go", "--output", "jsonl"]))
    var text = ""
    var isSignalled = false
    for try await bytes in child.output {
      text += String(decoding: bytes, as: UTF8.self)
      if !isSignalled, text.contains("\"delta\":\"e\"") {
        isSignalled = true
        child.send(signal: signal)
      }
    }
    let status = try await child.waitForExit()
    await child.shutDown()
    return (
      status.shellStatus, try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }, child.errorLines
    )
  }

  @Test(arguments: [(Int32(2), Int32(130), "user"), (15, 143, "signal"), (1, 143, "signal")])
  func `a signal cancels the run and leaves the session valid`(_ signal: Int32, _ status: Int32, _ by: String)
    async throws
  {
    let end = try await interrupted(signal)
    #expect(end.status == status, "\(end.errors)")
    let types = end.events.compactMap { $0["type"]?.stringValue }
    #expect(end.events.first { $0["type"] == "cancel_requested" }?["by"]?.stringValue == by)
    #expect(types.last == "finished")
    #expect(end.events.last?["reason"] == "cancelled")
    let interrupted = try #require(end.events.first { $0["type"] == "assistant_message" })
    #expect(interrupted["interrupted"] == true)
  }

  #if os(Linux)
    @Test func `a second Ctrl-C ends the program at once and what it started`() async throws {
      let program = try Program.scripted([["calls": [["name": "hold", "arguments": [:]]]]])
      let child = try await ChildProcess.start(try program.command(["run", "go", "--output", "jsonl"]))
      var text = ""
      var held: Int32?
      for try await bytes in child.output {
        text += String(decoding: bytes, as: UTF8.self)
        for line in text.split(separator: "\n") {
          guard let event = try? JSONValue(parsing: String(line)) else { continue }
          if held == nil, event["type"] == "tool_progress",
            let id = event["message"]?.stringValue.flatMap({ Int32($0) })
          {
            held = id
            child.send(signal: 2)
          }
          if event["type"] == "cancel_requested" { child.send(signal: 2) }
        }
      }
      #expect(try await child.waitForExit().shellStatus == 130)
      await child.shutDown()
      let id = try #require(held)
      #expect(!FileAccess.exists("/proc/\(id)") || Self.isDead(id))
    }

    /// Whether a process only waits for its parent to notice its end.
    private static func isDead(_ id: Int32) -> Bool {
      let status = (try? FileAccess.read("/proc/\(id)/stat")).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return status.isEmpty || status.contains(") Z ") || status.contains(") X ")
    }
  #endif

  @Test func `a pipe in the place of a project's file is refused, not waited for`() async throws {
    for (file, status) in [("AGENTS.md", Int32(0)), (".martlet/config.json", 2)] {
      let program = try Program.scripted(Self.answer)
      let outcome = try await program.shell("mkdir .martlet; mkfifo \(file) && $martlet run hi")
      #expect(outcome.status == status)
      #expect(outcome.error.contains("\(file) cannot be read: it is a pipe or a device"), "\(outcome.error)")
    }
  }

  @Test func `an attached pipe is read to its end, and a signal ends waiting for it`() async throws {
    let program = try Program.scripted(Self.answer)
    let read = try await program.shell("$martlet run hi --output jsonl --file <(echo from a pipe)")
    #expect(read.output.contains("from a pipe"), "\(read.error)")
    // Opening the other end waits for the program to have opened its own.
    let ended = try await program.shell(
      "mkfifo p; $martlet run hi --file p & exec 3>p; kill -TERM $!; wait $!; echo $?")
    #expect(ended.output == "143\n", "\(ended.error)")
  }

  @Test func `a reader that goes away ends the run quietly`() async throws {
    let outcome = try await Program.scripted(Self.called).shell(
      "$martlet run go --output jsonl | head -n 1 | wc -l; echo ${PIPESTATUS[0]}")
    #expect(outcome.output == "1\n1\n" || outcome.output == "1\n0\n")
    #expect(outcome.error == "")
  }

  @Test(.enabled(if: FileAccess.exists("/dev/full")))
  func `an output that takes nothing more is an error`() async throws {
    let outcome = try await Program.scripted(Self.answer).shell("$martlet run go > /dev/full")
    #expect(outcome.status == 1)
    #expect(outcome.error == "error: the output cannot be written: No space left on device\n")
  }
}
