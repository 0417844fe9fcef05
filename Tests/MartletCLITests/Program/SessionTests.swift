import MartletJSON
import Testing

@testable import MartletCLI

@Suite struct `Sessions on the command line` {
  static let script: JSONValue = [
    ["text": "Let me see.", "calls": [["name": "echo", "arguments": ["text": "ninety-two"]]]], ["text": "It is 92."],
    ["text": "Yes, still 92."], ["text": "And again."],
  ]

  private func session(_ output: String) throws -> String {
    try #require(try JSONValue(parsing: output)["session"]?.stringValue)
  }

  @Test(arguments: [[], ["--store", "file:logs"], ["--store", "sqlite:own.db"]])
  func `a run is recorded, continued, shown, searched, exported, forked and deleted`(_ store: [String]) async throws {
    let program = try Program.scripted(Self.script)
    func martlet(_ arguments: String...) async throws -> Program.Outcome { try await program.run(arguments + store) }
    let first = try await martlet("run", "What is 23*4?", "--output", "json")
    let id = try session(first.output)
    if store.isEmpty {
      #expect(FileAccess.mode(program.home.path + "/data") == 0o700)
      #expect(FileAccess.mode(program.home.path + "/data/sessions.db") == 0o600)
    }

    let again = try await martlet("run", "--continue", "Sure?", "--output", "json")
    #expect(try session(again.output) == id)
    #expect(try JSONValue(parsing: again.output)["answer"] == "Yes, still 92.")
    let third = try await martlet("run", "--session", String(id.prefix(20)), "Really?", "--output", "json")
    #expect(try session(third.output) == id, "\(third.error)")
    #expect(try JSONValue(parsing: third.output)["answer"] == "And again.")

    let list = try await martlet("sessions", "list")
    #expect(list.output.hasPrefix(id) && list.output.hasSuffix("What is 23*4?\n"), "\(list.output)\(list.error)")
    let json = try JSONValue(parsing: try await martlet("sessions", "list", "--output", "json").output)
    #expect(json[0]?["session"]?.stringValue == id)

    let show = try await martlet("sessions", "show", id)
    for part in [
      "prompt    What is 23*4?", "call      echo", "→ ok, ", "10 bytes", "reply     It is 92.", "answered, ",
    ] {
      #expect(show.output.contains(part), "\(part): \(show.output)\(show.error)")
    }
    let found = try await martlet("sessions", "search", "ninety")
    #expect(found.output.contains(id) && found.output.contains("ninety-two"), "\(found.output)\(found.error)")
    // Signs of a query language are none here, and words of one are words.
    for odd in ["\"ninety\"", "nine*", "^ninety", "(ninety)", "ninety-two", "'ninety'"] {
      #expect(try await martlet("sessions", "search", odd).output.contains(id), "\(odd)")
    }
    for odd in ["NEAR(ninety two)", "ninety OR", "NOT ninety", "prompt:ninety"] {
      let outcome = try await martlet("sessions", "search", odd)
      #expect(outcome.status == 0 && outcome.output.isEmpty, "\(odd): \(outcome.output)\(outcome.error)")
    }
    for odd in ["", " ", "*", "\"", "\"\"", "(", "🦊"] {
      let outcome = try await martlet("sessions", "search", odd)
      #expect(outcome.status == 2 && outcome.error.contains("has no word to look for"), "\(odd): \(outcome.error)")
    }
    let log = try await martlet("sessions", "export", id)
    let seqs = try log.output.split(separator: "\n").compactMap { try JSONValue(parsing: String($0))["seq"]?.intValue }
    #expect(seqs == Array(1...seqs.count) && seqs.count > 20)
    let markdown = try await martlet("sessions", "export", id, "--format", "markdown")
    #expect(markdown.output.contains("## User\n\nSure?\n\n## Assistant\n\nYes, still 92.\n"), "\(markdown.output)")

    let fork = try await martlet("sessions", "fork", id, "--at", "\(seqs.count)")
    let forkId = String(fork.output.dropLast())
    #expect(fork.status == 0 && forkId != id, "\(fork.error)")
    #expect(try await martlet("sessions", "delete", id).status == 0)
    #expect(try await martlet("sessions", "show", id).status == 2)
    #expect(try await martlet("sessions", "show", forkId).output.contains("fork of \(id)"))
    let nothing = try await martlet("resume", forkId)
    #expect(nothing.status == 1 && nothing.error.contains("no interrupted run"), "\(nothing.error)")
    #expect(try await martlet("sessions", "delete", forkId).status == 0)
    #expect(try await martlet("sessions", "list").output == "")
  }

  @Test func `forks are drawn as a tree, a session is exported as a page, and tools have their figures`() async throws {
    let program = try Program.scripted(Self.script)
    let id = try session(try await program.run(["run", "What is <23*4>?", "--output", "json"]).output)
    let forkId = String(try await program.run(["sessions", "fork", id, "--at", "3"]).output.dropLast())
    let lines = try await program.run(["sessions", "list", "--tree"]).output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix(id), "\(lines)")
    #expect(lines[1].hasPrefix("└─ \(forkId)") && lines[1].contains("fork at 3"), "\(lines)")
    let tree = try JSONValue(parsing: try await program.run(["sessions", "list", "--tree", "--output", "json"]).output)
    #expect(tree[0]?["depth"] == 0 && tree[1]?["depth"] == 1 && tree[1]?["forked_from"]?["seq"] == 3)

    let page = try await program.run(["sessions", "export", id, "--format", "html"])
    #expect(page.status == 0 && page.output.hasPrefix("<!doctype html>") && page.output.hasSuffix("</html>\n"))
    #expect(page.output.contains("What is &lt;23*4&gt;?") && page.output.contains("ninety-two"), "\(page.error)")

    let stats = try await program.run(["tools", "stats"]).output.split(separator: "\n")
    #expect(stats.count == 2 && stats[0].hasPrefix("tool  ") && stats[1].hasPrefix("echo  "), "\(stats)")
    let figures = try JSONValue(parsing: try await program.run(["tools", "stats", "--output", "json"]).output)
    #expect(figures[0]?["tool"] == "echo" && figures[0]?["calls"] == 1 && figures[0]?["failures"] == 0)
    #expect(figures[0]?["p95_ms"]?.doubleValue != nil)
  }

  @Test func `in a chat the last prompt is taken back, and it goes on in forks and other sessions`() async throws {
    let program = try Program.scripted([["text": "One."], ["text": "Two."], ["text": "Three."]])
    let talk = try await program.run(
      ["chat"], input: "First\nSecond\n/undo\nAnother\n/fork\nThird\n/sessions\n/undo\n/undo\n/undo\n/quit\n")
    #expect(talk.status == 0, "\(talk.error)")
    for part in ["taken back: Second", "taken back: Third", "taken back: Another", "taken back: First", "goes on in "] {
      #expect(talk.error.contains(part), "\(part): \(talk.error)")
    }
    let answers = talk.output.split(separator: "\n")
    #expect(answers.prefix(4) == ["One.", "Two.", "Two.", "Three."], "\(talk.output)")
    #expect(answers.count == 6 && answers.count { $0.hasPrefix("* ") } == 1, "\(talk.output)")
    // The session that was left has what it had.
    let tree = try await program.run(["sessions", "list", "--tree", "--output", "json"])
    let id = try #require(try JSONValue(parsing: tree.output)[0]?["session"]?.stringValue)
    let text = try await program.run(["sessions", "export", id, "--format", "markdown"]).output
    #expect(text.contains("Another") && !text.contains("Second") && !text.contains("Third"), "\(text)")
    let shown = try await program.run(["sessions", "show", id]).output
    #expect(shown.contains("prompt    Second (taken back)") && shown.contains("rewound   to record "), "\(shown)")
    let other = try await program.run(["chat", "--session", id], input: "/sessions 0zzz\n/undo\n/quit\n")
    for part in ["there is no session", "taken back: Another"] { #expect(other.error.contains(part), "\(other.error)") }
  }

  @Test func `nothing is stored with memory:`() async throws {
    let program = try Program.scripted(Self.script)
    #expect(try await program.run(["run", "go", "--store", "memory:"]).status == 0)
    #expect(!program.home.exists("data"))
  }

  @Test func `a parked call is allowed later by another process, and only then runs`() async throws {
    let program = try Program.scripted([
      ["calls": [["name": "keep", "arguments": ["name": "kept.txt"]]]], ["text": "Kept."],
    ])
    let parked = try await program.run(["run", "keep it", "--output", "json"])
    #expect(parked.status == 5)
    let id = try session(parked.output)
    #expect(try await program.run(["resume", id]).status == 5)
    #expect(!program.home.exists("kept.txt"))
    let resumed = try await program.run(["resume", id, "--allow", "keep", "--output", "json"])
    #expect(resumed.status == 0, "\(resumed.error)")
    #expect(try JSONValue(parsing: resumed.output)["answer"] == "Kept.")
    #expect(try JSONValue(parsing: resumed.output)["tools"]?[0]?["name"] == "keep")
    #expect(program.home.exists("kept.txt"))
  }

  @Test(arguments: [
    (["--approve", "none"], Int32(0), false), (["--approve", "all"], 0, true), (["--approve", "ask"], 5, false),
    (["--approve", "reads"], 5, false), (["--allow", "keep(kept*)"], 0, true), (["--allow", "keep(lost*)"], 5, false),
    (["--allow", "*", "--deny", "keep.name(*.txt)"], 0, false), (["--deny", "keep"], 0, false),
    (["--allow", "keep("], 2, false),
  ])
  func `a parked call is answered by the options of resume`(_ options: [String], _ status: Int32, _ isKept: Bool)
    async throws
  {
    let program = try Program.scripted(Self.parking)
    let id = try session(try await program.run(["run", "keep it", "--output", "json"]).output)
    let resumed = try await program.run(["resume", id] + options)
    #expect(resumed.status == status, "\(resumed.error)")
    #expect(program.home.exists("kept.txt") == isKept)
  }

  static let parking: JSONValue = [
    ["calls": [["name": "keep", "arguments": ["name": "kept.txt"]]]], ["text": "Kept."],
  ]

  @Test func `what parks a run says how to answer it, word for word`() async throws {
    let program = try Program.scripted(Self.parking)
    let parked = try await program.run(["run", "keep it", "--store", "file:my logs"])
    #expect(parked.status == 5)
    let parts = parked.error.split(separator: "`")
    #expect(parts.count == 5 && parts[3].hasSuffix(" --allow keep"), "\(parked.error)")
    // As it stands it can be pasted.
    let line = parts[3].replacing("martlet resume", with: "$martlet resume")
    let pasted = try await program.shell(String(line))
    #expect(pasted.status == 0 && pasted.output == "Kept.\n", "\(line): \(pasted.error)")
  }

  @Test func `two processes that answer at once have one effect`() async throws {
    let program = try Program.scripted(Self.parking)
    let id = try session(try await program.run(["run", "keep it", "--output", "json"]).output)
    let both = try await program.shell(
      "$martlet resume \(id) --allow keep >1.out 2>1.err & $martlet resume \(id) --deny keep >2.out 2>2.err & wait; "
        + "cat 1.err 2.err; echo; $martlet sessions export \(id) | grep -c '\"approval_resolved\"'")
    #expect(both.output.hasSuffix("\n1\n"), "\(both.output)\(both.error)")
    // The one that was too late is told so.
    let told = ["is in use by pid", "no interrupted run"].filter(both.output.contains)
    #expect(told.count == 1, "\(both.output)")
  }

  @Test func `an id that is not there, or of several, is a mistake`() async throws {
    let program = try Program.scripted(Self.script)
    for arguments in [["run", "--session", "01x", "hi"], ["resume", "01x"], ["sessions", "show", "01x"]] {
      let outcome = try await program.run(arguments)
      #expect(outcome.status == 2 && outcome.error.contains("there is no session \"01x\""), "\(outcome.error)")
    }
    let none = try await program.run(["run", "--continue", "hi"])
    #expect(none.status == 2 && none.error.contains("no session to continue"), "\(none.error)")
    for _ in 0..<2 { _ = try await program.run(["run", "hi"]) }
    let several = try await program.run(["sessions", "show", "0"])
    #expect(several.status == 2 && several.error.contains("2 sessions begin with"), "\(several.error)")
  }
}
