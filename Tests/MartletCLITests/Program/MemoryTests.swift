import MartletJSON
import Testing

@Suite struct `Memory on the command line` {
  private static func remembering(_ notes: [String]) -> JSONValue {
    [
      ["calls": .array(notes.map { ["name": "remember", "arguments": ["note": .string($0)]] })],
      ["text": "Noted."],
    ]
  }

  private func instructions(_ output: String) throws -> [String] {
    let events = try output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    let context = try #require(events.first { $0["type"] == "context" })
    return context["instructions"]?.arrayValue?.compactMap { $0["text"]?.stringValue } ?? []
  }

  @Test func `what one session remembers the next one knows`() async throws {
    let program = try Program.scripted(Self.remembering(["Likes tea."]))
    #expect(try await program.run(["run", "I like tea."]).status == 0)
    let outcome = try await program.run(["run", "Hello", "--output", "jsonl"])
    #expect(try instructions(outcome.output).last == "What you know about this user:\n- Likes tea.")
    let shell = try await program.shell("stat -c %a data data/memory.md; cat data/memory.md")
    #expect(shell.output == "700\n600\n- Likes tea.\n")
  }

  @Test func `notes about a project are known in its directory only`() async throws {
    let program = try Program.scripted([
      ["calls": [["name": "remember", "arguments": ["note": "Builds with make.", "scope": "project"]]]],
      ["text": "Noted."],
    ])
    try program.home.write("a/x", "")
    try program.home.write("b/x", "")
    #expect(try await program.run(["run", "go", "--cd", "a"]).status == 0)
    #expect(
      try await program.run(["run", "go", "--cd", "a", "--output", "jsonl"]).output.contains("this project:\\n- Builds")
    )
    #expect(
      try await !program.run(["run", "go", "--cd", "b", "--output", "jsonl"]).output.contains(
        "this project:\\n- Builds"))
    #expect(try await program.shell("ls a; ls data/memory | grep -c '^a-.*md$'").output == "x\n1\n")
  }

  @Test(arguments: [["--no-memory"], ["--memory", "false"]])
  func `nothing is remembered or known without it`(_ options: [String]) async throws {
    let program = try Program.scripted([["text": "Yes."]])
    try program.home.write("data/memory.md", "- Likes tea.\n")
    let outcome = try await program.run(["run", "go", "--output", "jsonl"] + options)
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("Likes tea"))
    #expect(!outcome.output.contains("\"remember\""))
  }

  @Test func `a file of one's own holds all notes`() async throws {
    let program = try Program.scripted(Self.remembering(["Likes tea."]))
    #expect(try await program.run(["run", "go", "--memory", "notes.md"]).status == 0)
    #expect(try await program.shell("cat notes.md; ls data | grep -c memory").output == "- Likes tea.\n0\n")
  }

  @Test func `the tools can be used by hand`() async throws {
    let program = try Program()
    #expect(
      try await program.run(["tools", "call", "remember", #"{"note": "Likes tea."}"#]).output
        == "Remembered: Likes tea.\n")
    #expect(try await program.run(["tools", "call", "recall"]).output == "- Likes tea.\n")
    #expect(try await program.run(["tools", "call", "forget", #"{"note": "milk"}"#]).status == 1)
    #expect(try await program.run(["tools", "call", "forget", #"{"note": "tea"}"#]).status == 0)
    #expect(try await program.run(["tools", "call", "recall", "--no-memory"]).status == 2)
  }

  @Test func `an untrusted project can turn memory off and not move it`() async throws {
    let program = try Program.scripted(Self.remembering(["Likes tea."]))
    try program.home.write("a/.martlet/config.json", #"{"memory": "stolen.md"}"#)
    let outcome = try await program.run(["run", "go", "--cd", "a"])
    #expect(outcome.error.contains("is not trusted"))
    #expect(try await program.shell("ls a; cat data/memory.md").output == "- Likes tea.\n")
    try program.home.write("a/.martlet/config.json", #"{"memory": false}"#)
    let without = try await program.run(["run", "go", "--cd", "a", "--output", "jsonl"])
    #expect(!without.output.contains("What you know"))
    #expect(without.error == "")
  }

  @Test func `processes that write at once lose no note`() async throws {
    let programs = try (0..<3).map { writer in
      try Program.scripted(Self.remembering((0..<20).map { "writer \(writer) note \($0)" }))
    }
    let file = programs[0].home.path + "/shared.md"
    try await withThrowingTaskGroup(of: Int32?.self) { group in
      for program in programs {
        group.addTask { try await program.run(["run", "go", "--memory", file]).status }
      }
      for try await status in group { #expect(status == 0) }
    }
    let lines = try await programs[0].shell("sort -u shared.md | grep -c '^- writer'; wc -l < shared.md")
    #expect(lines.output == "60\n60\n")
  }

  @Test func `the instructions of a session stay while notes and AGENTS.md change, and the change is told`()
    async throws
  {
    let program = try Program.scripted([["text": "One."], ["text": "Two."]])
    try program.home.write("AGENTS.md", "Rule one.")
    let first = try await program.run(["run", "a", "--output", "jsonl"])
    try program.home.write("AGENTS.md", "Rule two.")
    try program.home.write("data/memory.md", "- Likes tea.\n")
    let second = try await program.run(["run", "b", "--continue", "--output", "jsonl"])
    #expect(second.status == 0)
    #expect(try instructions(first.output).last?.hasSuffix("Rule one.") == true)
    let events = try second.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(!events.contains { $0["type"] == "context" })
    let prompt = try #require(events.first { $0["type"] == "prompt" })
    let texts = prompt["message"]?["content"]?.arrayValue?.compactMap { $0["text"]?.stringValue } ?? []
    #expect(texts.count == 2)
    #expect(texts.first?.hasPrefix("The instructions in AGENTS.md have changed.") == true)
    #expect(texts.first?.hasSuffix("Rule two.\n\n") == true)
    #expect(texts.last == "b")
  }
}
