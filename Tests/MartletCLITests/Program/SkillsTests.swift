import MartletJSON
import Testing

@Suite struct `martlet skills` {
  private func program(_ script: JSONValue = [["text": "Yes."]]) throws -> Program {
    let program = try Program.scripted(script)
    func add(_ folder: String, _ name: String, _ description: String) throws {
      try program.home.write(
        "\(folder)/\(name)/SKILL.md", "---\nname: \(name)\ndescription: \(description)\n---\nInstructions of \(name).\n"
      )
    }
    try add(".config/martlet/skills", "mine", "My own")
    try add("work/.martlet/skills", "ours", "Of the project")
    try add("work/.martlet/skills", "mine", "Wants to be mine")
    try add("work/.claude/skills", "claudes", "Of the project, too")
    try add(".claude/skills", "everywhere", "Of all projects")
    try add("work/.claude/skills", "everywhere", "Wants to be everywhere")
    try add("extra", "chosen", "Use when: chosen")
    return program
  }

  @Test func `list finds them in all places, the user's before the project's`() async throws {
    let program = try program()
    let list = try await program.run(["skills", "list", "--cd", "work", "--skills", program.home.path + "/extra"])
    #expect(list.status == 0)
    #expect(
      list.output == """
        chosen: Use when: chosen
          ~/extra/chosen
        claudes: Of the project, too
          ~/work/.claude/skills/claudes
        everywhere: Of all projects
          ~/.claude/skills/everywhere
        mine: My own
          ~/.config/martlet/skills/mine
        ours: Of the project
          ~/work/.martlet/skills/ours

        """)
    #expect(
      list.error.contains("skill not used: ~/work/.martlet/skills/mine/SKILL.md:1: there is another skill named mine"))
    #expect(list.error.contains("skill not used: ~/work/.claude/skills/everywhere/SKILL.md:1: there is another skill"))
    let json = try await program.run(["skills", "list", "--cd", "work", "--output", "json"])
    #expect(try JSONValue(parsing: json.output).arrayValue?.count == 4)
  }

  @Test func `validate tells each problem with file and line and fails for broken rules`() async throws {
    let program = try Program()
    try program.home.write("good/SKILL.md", "---\nname: good\ndescription: Use when: asked\n---\nText\n")
    try program.home.write("bad/Other/SKILL.md", "---\nname: other\ndescription: x\n---\nText\n")
    try program.home.write("bad/none/SKILL.md", "# Nothing\n")
    let good = try await program.run(["skills", "validate", "good"])
    #expect(good.status == 0)
    #expect(good.output == "")
    for path in ["good/", "good/SKILL.md"] { #expect(try await program.run(["skills", "validate", path]).status == 0) }
    let bad = try await program.run(["skills", "validate", "bad"])
    #expect(bad.status == 1)
    #expect(
      bad.output.split(separator: "\n").map(String.init) == [
        "~/bad/Other/SKILL.md:2: rule: the name \"other\" is not that of the folder, \"Other\"",
        "~/bad/none/SKILL.md:1: broken: there is no front matter: begin the file with a line of ---, then name: and "
          + "description:, then --- again",
      ])
    let json = try await program.run(["skills", "validate", "bad", "--output", "json"])
    #expect(json.status == 1)
    #expect(try JSONValue(parsing: json.output)[0]?["line"] == 2)
    #expect(try await program.run(["skills", "validate"]).status == 0)
    try program.home.write("empty/README.md", "x")
    #expect(try await program.run(["skills", "validate", "empty"]).status == 1)
  }

  @Test func `show gives head, files and instructions`() async throws {
    let program = try program()
    try program.home.write("work/.martlet/skills/ours/scripts/go.sh", "true")
    let shown = try await program.run(["skills", "show", "ours", "--cd", "work"])
    #expect(shown.status == 0)
    #expect(
      shown.output == """
        name: ours
        description: Of the project
        directory: ~/work/.martlet/skills/ours
          scripts/go.sh

        Instructions of ours.

        """)
    let near = try await program.run(["skills", "show", "our", "--cd", "work"])
    #expect(near.status == 2)
    #expect(near.error.contains("did you mean ours?"))
    try program.home.write("work/.martlet/skills/torn/SKILL.md", "torn")
    let torn = try await program.run(["skills", "show", "torn", "--cd", "work"])
    #expect(torn.status == 1)
    #expect(torn.error.contains("torn/SKILL.md:1: there is no front matter"))
  }

  @Test func `a run lists them in its instructions and loads one`() async throws {
    let program = try program([["calls": [["name": "load_skill", "arguments": ["name": "ours"]]]], ["text": "Done."]])
    let outcome = try await program.run(["run", "go", "--cd", "work", "--output", "jsonl"])
    #expect(outcome.status == 0)
    let events = try outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    let context = try #require(events.first { $0["type"] == "context" })
    let texts = context["instructions"]?.arrayValue?.compactMap { $0["text"]?.stringValue } ?? []
    #expect(texts.last?.contains("- ours: Of the project") == true)
    let finished = try #require(events.first { $0["type"] == "tool_finished" })
    #expect(finished["result"]?["content"]?[0]?["text"] == "Instructions of ours.")
    #expect(events.contains { $0["type"] == "warning" && $0["code"] == "skill" })
  }

  @Test func `without tools they are not listed, and where there are none the tool is not there`() async throws {
    let program = try program()
    let outcome = try await program.run(["run", "go", "--cd", "work", "--no-tools", "--output", "jsonl"])
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("Available skills"))
    let other = try await Program.scripted([["text": "Yes."]]).run(["run", "go", "--output", "jsonl"])
    #expect(!other.output.contains("load_skill"))
  }

  @Test func `chat shows them as they are now`() async throws {
    let program = try program()
    let outcome = try await program.run(["chat", "--cd", "work"], input: "/skills\n/quit\n")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("mine: My own\n"))
  }

  @Test func `a project's setting of further directories needs trust`() async throws {
    let program = try program()
    try program.home.write("work/.martlet/config.json", #"{"skills": ["\#(program.home.path)/extra"]}"#)
    let outcome = try await program.run(["skills", "list", "--cd", "work"])
    #expect(outcome.error.contains("is not trusted"))
    #expect(!outcome.output.contains("chosen"))
    try program.home.write(".config/martlet/config.json", #"{"skills": ["~/extra"]}"#)
    #expect(try await program.run(["skills", "list", "--cd", "work"]).output.contains("chosen"))
  }
}
