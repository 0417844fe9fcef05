import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import Martlet

@Suite struct `Sources of context` {
  /// A text that a test changes.
  struct Board: ContextSource {
    let name: String
    let text = Locked<String?>(nil)

    func read() async -> ContextReading { ContextReading(text: text.withLock { $0 }) }

    func news(since told: ToldContext) async -> ContextNews {
      let now = text.withLock { $0 }
      guard told[name] != now, told[name] != Self.announcement(now) else { return ContextNews() }
      return ContextNews(notes: [ContextNote(name: name, text: Self.announcement(now))])
    }

    static func announcement(_ text: String?) -> String { "Now: \(text ?? "nothing")" }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `within an epoch each request begins with the one before it, and the last one tells what is`(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let boards = ["a", "b", "c"].map { Board(name: $0) }
    let model = ScriptedModel { index, _ in .text("Reply \(index).") }
    let (store, registry) = (InMemorySessionStore(), ToolRegistry())
    var sources = boards
    func agent() -> Agent {
      var configuration = AgentConfiguration(instructions: "Be brief.")
      configuration.sources = sources
      return Agent(model: model, tools: registry, configuration: configuration, session: "s", store: store)
    }
    var current = agent()
    for step in 0..<40 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: random.pick(boards).text.withLock { $0 = random.chance(0.2) ? nil : "text \(step)" }
      case 3:
        await current.close()
        current = agent()
      case 4 where random.chance(0.3): try await registry.replace(EchoTool(name: "echo\(step)"))
      case 5 where random.chance(0.3):
        await current.close()
        sources = boards.filter { _ in random.chance(0.7) }
        if random.chance(0.3) { sources.reverse() }
        current = agent()
      case 6 where random.chance(0.3): await current.assign([.user("A summary."), .assistant(text: "Yes.")])
      default:
        _ = try await current.send("Prompt \(step)")
        let request = try #require(model.requests.last)
        #expect(MessageRules.violations(in: Array(request.messages)).isEmpty, "seed \(seed)")
        let context = PromptContext(instructions: request.instructions, model: "m", epoch: 1)
        let told = ToldContext(context, request.messages)
        #expect(
          AgentLoop(folding: try await store.records(of: "s", owner: "local", after: 0, limit: 10_000)).told == told)
        for board in sources {
          let now = board.text.withLock { $0 }
          #expect([now, Board.announcement(now)].contains(told[board.name]), "seed \(seed), step \(step)")
        }
      }
    }
    for (earlier, later) in zip(model.requests, model.requests.dropFirst()) where earlier.prefix == later.prefix {
      #expect(earlier.instructions == later.instructions, "seed \(seed)")
      #expect(earlier.tools == later.tools, "seed \(seed)")
      #expect(Array(later.messages).starts(with: Array(earlier.messages)), "seed \(seed)")
    }
  }

  @Test func `a note survives the log and shows in no one's words`() throws {
    let note = ContextNote(name: "skills", text: "There is a new skill.")
    let message = Message.user("Hello").adding([note])
    #expect(try Message(json: JSONValue(parsing: message.json.text())) == message)
    #expect(message.content.compactMap(ContextNote.init) == [note])
    #expect(message.saidText == "Hello")
    #expect(message.text == "There is a new skill.\n\nHello")
    #expect(ContextNote(.text("plain")) == nil)
    let signed = ContentBlock(.text("x"), extra: BlockExtra(provider: "anthropic", value: ["context": "y"]))
    #expect(ContextNote(signed) == nil)
  }

  @Test func `search finds what was said and not what was told`() {
    let prompt = Prompt(messageId: "m", message: Message.user("Hello").adding([ContextNote(name: "a", text: "Told")]))
    #expect(SearchText.text(of: .prompt(prompt)) == "Hello")
  }
}

extension Agent {
  fileprivate func assign(_ messages: [Message]) { self.messages = messages }
}
