import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

@Suite struct `Loading skills` {
  let directory: TemporaryDirectory
  let shelf: SkillShelf

  init() throws {
    directory = try TemporaryDirectory()
    shelf = SkillShelf(directories: [directory.path + "/skills"])
  }

  private func add(_ name: String, _ description: String = "b", _ body: String = "Do it.") throws {
    try directory.write("skills/\(name)/SKILL.md", "---\nname: \(name)\ndescription: \(description)\n---\n\(body)\n")
  }

  private func load(_ name: String, _ path: String? = nil) async throws -> ToolOutput {
    try await LoadSkillTool(shelf: shelf).call(
      arguments: LoadSkillTool.Arguments(name: name, path: path), context: ToolContext())
  }

  private func text(_ output: ToolOutput) -> String { output.content.compactMap(\.text).joined() }

  @Test func `the tool lists the skills of a library in its description`() async throws {
    let tool = LoadSkillTool(
      library: SkillLibrary([
        Skill(name: "b", description: "Second", instructions: "Do b."),
        Skill(name: "a", description: "First\n  line", instructions: "Do a."),
      ]))
    #expect(tool.name == "load_skill")
    #expect(
      tool.description == "Load the full instructions for a skill before starting a task it covers. Available skills:\n"
        + "- a: First line\n- b: Second")
    let output = try await tool.call(arguments: .init(name: "b", path: nil), context: ToolContext())
    #expect(output.isError == false)
    #expect(text(output) == "Do b.")
    #expect(try AnyTool(tool).definition.effect == .readOnly)
  }

  @Test func `an unknown skill is an error that lists the known ones`() async throws {
    try add("a")
    try add("b")
    let output = try await load("c")
    #expect(output.isError)
    #expect(output.code == .init(rawValue: "unknown_skill"))
    #expect(text(output) == "No skill named c. The skills are: a, b.")
  }

  @Test func `the instructions come with the tools and files of the skill`() async throws {
    try directory.write(
      "skills/a/SKILL.md", "---\nname: a\ndescription: b\nallowed-tools: Read Bash(git:*)\n---\nRun scripts/x.py.\n")
    try directory.write("skills/a/scripts/x.py", "print(1)")
    try directory.write("skills/a/references/long.md", "more")
    try directory.write("skills/a/.git/config", "hidden")
    try directory.link("skills/a/out", to: "/etc")
    #expect(
      text(try await load("a")) == """
        Run scripts/x.py.

        Tools this skill uses: Read, Bash(git:*)

        Files of this skill, in \(directory.path)/skills/a; read one with load_skill and its path:
        - references/long.md
        - scripts/x.py
        """)
    #expect(text(try await load("a", "scripts/x.py")) == "print(1)")
    #expect(text(try await load("a", "./references/long.md")) == "more")
  }

  @Test func `nothing outside the folder is read, by dots, links or absolute paths`() async throws {
    try add("a")
    try directory.write("secret", "the secret")
    try directory.write("skills/b/x", "of another skill")
    try directory.link("skills/a/link", to: "../../secret")
    try directory.link("skills/a/folder", to: "../b")
    try directory.link("skills/a/inside", to: "SKILL.md")
    try directory.write("skills/a/binary", [0, 1, 2])
    for path in [
      "../../secret", "..", "link", "folder/x", directory.path + "/secret", "/etc/passwd", "x/../../b/x", "none",
      "binary",
      "folder", "a\0b", "link/", "//etc/passwd",
    ] {
      let output = try await load("a", path)
      #expect(output.isError, "\(path)")
      #expect(!text(output).contains("the secret") && !text(output).contains("of another"), "\(path)")
    }
    #expect(text(try await load("a", "inside")).contains("Do it."))
  }

  // MARK: While a conversation goes on

  private func agent(_ model: ScriptedModel, session: String? = nil, store: any SessionStore = InMemorySessionStore())
    throws -> Agent
  {
    var configuration = AgentConfiguration(instructions: "Be brief.")
    let shelf = SkillShelf(directories: shelf.directories)
    configuration.sources = [shelf]
    return Agent(
      model: model, tools: try ToolRegistry([LoadSkillTool(shelf: shelf)]), configuration: configuration,
      session: session, store: store)
  }

  private func blocks(_ request: ModelRequest) -> [String] {
    Array(request.messages).last { $0.role == .user }?.content.compactMap { ContextNote($0)?.text ?? $0.text }
      ?? []
  }

  @Test func `only names and descriptions are in the prompt until a skill is loaded`() async throws {
    try add("a", "First", "A whole page.")
    let model = ScriptedModel([.calls([call("call_a", "load_skill", ["name": "a"])]), .text("Done.")])
    _ = try await agent(model).send("Go")
    let prompt = model.requests[0].instructions.compactMap(\.text).joined()
    #expect(prompt.contains("Available skills:\n- a: First"))
    #expect(!prompt.contains("A whole page."))
    #expect(Array(model.requests[1].messages).last?.text == "A whole page.")
  }

  @Test func `changed skills are told with the next prompt, once, and the prompt before stays as it is`() async throws {
    try add("a", "First")
    let model = ScriptedModel { _, _ in .text("Yes.") }
    let store = InMemorySessionStore()
    let agent = try agent(model, store: store)
    _ = try await agent.send("One")
    _ = try await agent.send("Two")
    #expect(blocks(model.requests[1]) == ["Two"])
    try add("b", "Second skill")
    _ = try await agent.send("Three")
    #expect(
      blocks(model.requests[2]).first?.hasPrefix("The skills have changed.") == true
        && blocks(model.requests[2]).first?.hasSuffix("- a: First\n- b: Second skill") == true)
    #expect(blocks(model.requests[2]).last == "Three")
    _ = try await agent.send("Four")
    #expect(blocks(model.requests[3]) == ["Four"])
    await agent.close()

    // Another process, with files that changed meanwhile, keeps the epoch and tells what is new.
    try directory.remove("skills/a")
    let next = try self.agent(model, session: agent.id, store: store)
    _ = try await next.send("Five")
    #expect(blocks(model.requests[4]).first?.hasSuffix("Available skills:\n- b: Second skill") == true)
    _ = try await next.send("Six")
    #expect(blocks(model.requests[5]) == ["Six"])
    try directory.remove("skills/b")
    _ = try await next.send("Seven")
    #expect(blocks(model.requests[6]) == ["The skills have changed. There are none any more.", "Seven"])
    for (earlier, later) in zip(model.requests, model.requests.dropFirst()) {
      #expect(earlier.instructions == later.instructions)
      #expect(earlier.tools == later.tools)
      #expect(Array(later.messages).starts(with: Array(earlier.messages)))
    }
    // What the user said is shown without it.
    var transcript = Transcript()
    for record in try await store.records(of: agent.id, owner: "local", after: 0, limit: 1_000) {
      transcript.apply(record)
    }
    let said = transcript.items.compactMap { if case .user(let text) = $0.kind { text } else { nil } }
    #expect(said == ["One", "Two", "Three", "Four", "Five", "Six", "Seven"])
  }

  @Test func `of a loaded skill that changes the model gets the new instructions, once`() async throws {
    try add("a", "First", "Version one.")
    let model = ScriptedModel { index, _ in
      index == 0 ? .calls([call("call_a", "load_skill", ["name": "a"])]) : .text("Yes.")
    }
    let agent = try agent(model)
    _ = try await agent.send("One")
    try add("a", "First", "The second version.")
    _ = try await agent.send("Two")
    #expect(blocks(model.requests[2]) == ["The skill a was changed. It now says:\n\nThe second version.", "Two"])
    _ = try await agent.send("Three")
    #expect(blocks(model.requests[3]) == ["Three"])
    #expect(text(try await load("a")) == "The second version.")
  }

  @Test func `a skill that is not loaded may change without a word`() async throws {
    try add("a", "First", "Version one.")
    let model = ScriptedModel { _, _ in .text("Yes.") }
    let agent = try agent(model)
    _ = try await agent.send("One")
    try add("a", "First", "The second version.")
    _ = try await agent.send("Two")
    #expect(blocks(model.requests[1]) == ["Two"])
  }

  @Test func `a skill that breaks is a warning, and works again when it is mended`() async throws {
    try add("a", "First")
    let model = ScriptedModel { _, _ in .text("Yes.") }
    let agent = try agent(model)
    _ = try await agent.send("One")
    try directory.write("skills/a/SKILL.md", "---\nname: a\n---\n")
    var warnings: [Warning] = []
    for prompt in ["Two", "Three"] {
      for try await record in agent.stream(prompt) {
        if case .warning(let warning) = record.event { warnings.append(warning) }
      }
    }
    #expect(warnings.map(\.code) == ["skill"])
    #expect(warnings.first?.message.contains("skills/a/SKILL.md:1: description is missing") == true)
    try add("a", "First, mended")
    _ = try await agent.send("Four")
    #expect(blocks(model.requests[3]).first?.hasSuffix("- a: First, mended") == true)
  }

  @Test func `after compaction the model is told again what was summarized away`() async throws {
    try add("a", "First")
    let model = ScriptedModel { _, _ in .text("Yes.") }
    let agent = try agent(model)
    _ = try await agent.send("One")
    try add("b", "Second skill")
    _ = try await agent.send("Two")
    await agent.replaceMessages([.user("A summary."), .assistant(text: "Yes.")])
    // The app's own conversation starts a new epoch, for which the skills are read again.
    _ = try await agent.send("Three")
    #expect(model.requests[2].instructions.compactMap(\.text).last?.hasSuffix("- a: First\n- b: Second skill") == true)
    #expect(blocks(model.requests[2]) == ["Three"])

    var loop = AgentLoop(
      folding: [
        PromptContext(
          instructions: [ContextNote(name: "skills", text: "old").block], model: "m", epoch: 1
        ).event,
        Prompt(messageId: "1", message: Message.user("x").adding([ContextNote(name: "skills", text: "new")])).event,
      ].enumerated().map { EventRecord(seq: $0 + 1, time: Timestamp(milliseconds: 0), session: "s", event: $1) })
    #expect(loop.told["skills"] == "new")
    loop.apply(.compacted(Compacted(policy: "p", fromSeq: 2, toSeq: 2, summary: [.text("s")], reason: "r", epoch: 2)))
    #expect(loop.told["skills"] == "old")
  }
}

extension Agent {
  fileprivate func replaceMessages(_ messages: [Message]) { self.messages = messages }
}
