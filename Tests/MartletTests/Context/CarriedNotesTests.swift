import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import Martlet

/// What the model was told beside the conversation outlives compactions.
@Suite(.timeLimit(.minutes(2))) struct `What was told beside the conversation` {
  private static let page = "Write numbers in words. " + String(repeating: "This is how it is done. ", count: 20)

  /// A source whose text changes.
  private struct Rules: ContextSource {
    let name = "project"
    let text = Locked("Old rules.")
    func read() async -> ContextReading { ContextReading(text: text.withLock { $0 }) }
    func news(since told: ToldContext) async -> ContextNews {
      let now = text.withLock { $0 }
      return told[name] == now ? ContextNews() : ContextNews(notes: [ContextNote(name: name, text: now)])
    }
  }

  private static let skills = SkillLibrary([
    Skill(name: "numbers", description: "How numbers are written", instructions: page)
  ])

  /// A model that loads the skill in its first reply and says a lot ever after.
  private func talker() -> ScriptedModel {
    ScriptedModel { index, request in
      if request.isForSummary { return .text("Notes.") }
      if index == 0 { return .calls([call("call_skill", "load_skill", ["name": "numbers"])]) }
      return .text("Reply \(index). " + CompactionTests.long)
    }
  }

  private func agent(
    _ model: any LanguageModel, sources: [any ContextSource] = [], policy: ContextPolicy = .automatic,
    tools: [any Tool] = []
  ) throws -> Agent {
    var configuration = AgentConfiguration(instructions: "Be kind.", options: ModelOptions(maxOutputTokens: 200))
    configuration.sources = sources
    configuration.contextPolicy = policy
    configuration.budget.iterations = 60
    return Agent(
      model: model, tools: try ToolRegistry([LoadSkillTool(library: Self.skills)] + tools), configuration: configuration
    )
  }

  private func count(_ text: String, in request: ModelRequest) -> Int {
    request.messages.reduce(0) { sum, message in
      let texts = message.content.compactMap(\.text) + message.toolResults.flatMap(\.content).compactMap(\.text)
      return sum + texts.count { $0.contains(text) }
    }
  }

  @Test(arguments: [ContextPolicy.automatic, .slidingWindow, .earlierConversation])
  func `a loaded skill stays word for word through any number of compactions`(_ policy: ContextPolicy) async throws {
    let base = talker()
    let agent = try agent(WindowedModel(base, window: 6_000), policy: policy)
    for index in 0..<30 { _ = try await agent.send("Question \(index)") }
    let requests = base.requests.filter { !$0.isForSummary }.dropFirst()
    #expect(Set(requests.compactMap(\.prefix?.epoch)).count > 3)
    for request in requests { #expect(count(Self.page, in: request) == 1) }
    let last = try #require(requests.last)
    #expect(last.messages.first?.text.contains("You have loaded the skill numbers. Its instructions:") == true)
    for request in base.requests where request.isForSummary { #expect(count(Self.page, in: request) == 0) }
  }

  @Test func `a skill that changes after a compaction is told anew`() async throws {
    let directory = try TemporaryDirectory()
    func write(_ text: String) throws {
      try directory.write(
        "numbers/SKILL.md", "---\nname: numbers\ndescription: How numbers are written\n---\n\(text)\n")
    }
    try write(Self.page)
    let shelf = SkillShelf(directories: [directory.path])
    let base = talker()
    var configuration = AgentConfiguration(options: ModelOptions(maxOutputTokens: 200))
    configuration.sources = [shelf]
    let agent = Agent(
      model: WindowedModel(base, window: 6_000), tools: try ToolRegistry([LoadSkillTool(shelf: shelf)]),
      configuration: configuration)
    for index in 0..<12 { _ = try await agent.send("Question \(index)") }
    try write("Write numbers in digits.")
    _ = try await agent.send("And now?")
    let text = try #require(base.requests.last?.messages.last?.text)
    #expect(text.contains("The skill numbers was changed. It now says:\n\nWrite numbers in digits."))
    for index in 0..<12 { _ = try await agent.send("Question \(index)") }
    #expect(count("Write numbers in digits.", in: try #require(base.requests.last)) == 1)
    #expect(count(Self.page, in: try #require(base.requests.last)) == 0)
  }

  @Test func `clearing results does not clear the instructions of a skill`() async throws {
    let base = ScriptedModel { index, _ in
      if index == 0 { return .calls([call("call_skill", "load_skill", ["name": "numbers"])]) }
      return index < 20
        ? .calls([call("c\(index)", "echo", ["text": .string(CompactionTests.long)])]) : .text("Done.")
    }
    let agent = try agent(WindowedModel(base, window: 8_000), policy: .clearingToolResults, tools: [EchoTool()])
    #expect(try await agent.send("Go.") == "Done.")
    #expect(base.requests.contains { count("(result cleared to save space)", in: $0) > 0 })
    for request in base.requests.dropFirst() { #expect(count(Self.page, in: request) == 1) }
  }

  @Test func `rules that changed stay in force when a long run is compacted`() async throws {
    let rules = Rules()
    let base = ScriptedModel { index, request in
      if request.isForSummary { return .text("Notes.") }
      if index == 0 { return .text("Yes.") }
      return index < 24
        ? .calls([call("c\(index)", "echo", ["text": .string(CompactionTests.long)])]) : .text("Done.")
    }
    let agent = try agent(WindowedModel(base, window: 6_000), sources: [rules], tools: [EchoTool()])
    _ = try await agent.send("Hello.")
    rules.text.withLock { $0 = "New rules." }
    _ = try await agent.send("Hello again.")
    #expect(base.requests.filter(\.isForSummary).count > 1)
    for request in base.requests.dropFirst() where !request.isForSummary {
      #expect(count("New rules.", in: request) == 1)
    }
  }

  @Test func `a skill that is too long for the room is to be loaded again`() throws {
    var before = ToldContext(nil, [Message]())
    before.take(.user([ContextNote(name: "skill:long", text: Self.page).block]))
    before.take(.user([ContextNote(name: "project", text: "Rules.").block]))
    let notes = CarriedNotes(before, lostIn: ToldContext(), limit: 40)
    #expect(
      notes.blocks.compactMap(ContextNote.init).map(\.text) == [
        "Rules.",
        "You have loaded the skill long; load it again with load_skill before you go on with what it covers.",
      ])
    #expect(CarriedNotes(before, lostIn: before, limit: 10_000).blocks.isEmpty)
  }
}
