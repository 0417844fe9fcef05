import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import Martlet

/// A scripted model that has a window, and may count.
struct WindowedModel: LanguageModel {
  let base: ScriptedModel
  let info: ModelInfo
  var count: (@Sendable (ModelRequest) throws -> Int)?

  init(
    _ base: ScriptedModel, window: Int?, maxOutput: Int? = nil,
    count: (@Sendable (ModelRequest) throws -> Int)? = nil
  ) {
    self.base = base
    info = ModelInfo(
      provider: "scripted", id: "windowed", contextWindow: window, maxOutputTokens: maxOutput, price: .free)
    self.count = count
  }

  func stream(_ request: ModelRequest) -> ModelStream { base.stream(request) }
  func tokenCount(of request: ModelRequest) async throws -> Int? { try count?(request) }
}

extension ModelRequest {
  /// Whether somebody asks for a summary.
  var isForSummary: Bool { prefix == nil }
}

@Suite(.timeLimit(.minutes(5))) struct CompactionTests {
  static let long = String(repeating: "It was a long day, and much was said. ", count: 60)

  /// A model that answers at length, and writes summaries.
  func talker(summary: @escaping @Sendable (String) -> String = { _ in "Notes." }) -> ScriptedModel {
    ScriptedModel { index, request in
      if request.isForSummary { return .text(summary(request.messages.first?.text ?? "")) }
      return .text("Reply \(index). " + Self.long)
    }
  }

  func agent(
    _ model: any LanguageModel, tools: [any Tool] = [], session: String? = nil,
    store: any SessionStore = InMemorySessionStore(), configure: (inout AgentConfiguration) -> Void = { _ in }
  ) throws -> Agent {
    var configuration = AgentConfiguration(instructions: "Be kind.", options: ModelOptions(maxOutputTokens: 200))
    // Nobody waits in a test.
    configuration.retries = 0
    configure(&configuration)
    return Agent(
      model: model, tools: try ToolRegistry(tools), configuration: configuration, session: session, store: store)
  }

  func records(of agent: Agent, _ store: any SessionStore) async throws -> [EventRecord] {
    try await store.records(of: agent.id, owner: "local", after: 0, limit: 100_000)
  }

  func compactions(_ records: [EventRecord]) -> [Compacted] {
    records.compactMap { if case .compacted(let compacted) = $0.event { compacted } else { nil } }
  }

  @Test func `a long conversation is compacted before it does not fit, and every request with its reply fits`()
    async throws
  {
    let base = talker()
    let store = InMemorySessionStore()
    let agent = try agent(WindowedModel(base, window: 4_000), store: store)
    for index in 0..<20 { _ = try await agent.send("Question \(index)") }
    let compacted = compactions(try await records(of: agent, store))
    #expect(compacted.count > 2)
    for event in compacted {
      #expect(event.policy == "summary")
      #expect(event.reason == "full")
      #expect((event.tokensAfter ?? .max) < (event.tokensBefore ?? 0))
    }
    for request in base.requests where !request.isForSummary {
      let bytes = request.messages.reduce(0) { $0 + $1.text.utf8.count }
      #expect(bytes / 4 + (request.options.maxOutputTokens ?? 0) <= 4_000)
      #expect(MessageRules.violations(in: request.messages) == [])
      #expect(request.instructions == [.text("Be kind.")])
    }
    // The question at hand is always there, word for word, last.
    #expect(base.requests.last?.messages.last?.text.hasSuffix("Question 19") == true)
  }

  @Test func `of fifty facts each is in the view or found after three compactions`() async throws {
    let base = ScriptedModel { index, request in
      if request.isForSummary { return .text("Much was said.") }
      return .text("Noted as number \(index). " + Self.long)
    }
    let store = InMemorySessionStore()
    let agent = try agent(WindowedModel(base, window: 6_000), store: store)
    let animals = ["heron", "otter", "lynx", "stoat", "raven", "adder", "plover", "marten", "bream", "hare"]
    let facts = (0..<50).map { (key: "locker \(animals[$0 % 10]) \($0)", code: "\(7_919 * ($0 + 3))") }
    for fact in facts { _ = try await agent.send("The code of \(fact.key) is \(fact.code). " + Self.long) }
    while compactions(try await records(of: agent, store)).count < 3 { _ = try await agent.send(Self.long) }
    let view = await agent.messages.map(\.text).joined(separator: "\n")
    let search = SearchHistoryTool(search: HistorySearch(store: store, session: agent.id, owner: "local"))
    var found = 0
    for fact in facts where !view.contains(fact.code) {
      let output = try await search.call(
        arguments: .init(query: "What was the code of \(fact.key)?", record: nil), context: ToolContext())
      #expect(output.content.first?.text?.contains(fact.code) == true, "\(fact)")
      found += 1
    }
    #expect(found > 30)
    // And the model is offered the search.
    #expect(base.requests.last?.tools.map(\.name) == ["search_history"])
  }

  @Test func `the model can search and read what was left out`() async throws {
    let step = Locked(0)
    let base = ScriptedModel { _, request in
      if request.isForSummary { return .text("Notes.") }
      guard request.messages.last?.text.contains("What was") == true || request.messages.last?.role == .tool else {
        return .text(Self.long)
      }
      switch step.withLock({ step in
        step += 1
        return step
      }) {
      case 1: return .calls([call("c1", "search_history", ["query": "secret word"])])
      case 2: return .calls([call("c2", "search_history", ["record": 4]), call("c3", "search_history", [:])])
      default: return .text("Swordfish.")
      }
    }
    let agent = try agent(WindowedModel(base, window: 3_000))
    _ = try await agent.send("The secret word is swordfish. " + Self.long)
    for _ in 0..<6 { _ = try await agent.send(Self.long) }
    #expect(try await agent.send("What was the secret word?") == "Swordfish.")
    let results = await agent.messages.flatMap(\.toolResults)
    #expect(results.first?.text.contains("secret word is swordfish") == true)
    #expect(results.last?.isError == true)
    #expect(results.count == 3)
  }

  @Test func `what was taken back is not found, and found again when it is brought back`() async throws {
    let store = InMemorySessionStore()
    let agent = try agent(WindowedModel(ScriptedModel { _, _ in .text("Noted.") }, window: 100_000), store: store)
    _ = try await agent.send("The heron stands.")
    let search = HistorySearch(store: store, session: agent.id, owner: "local")
    _ = try await agent.send("The otter swims.")
    let seq = try #require(try await search.matches(of: "otter", limit: 5).first?.seq)
    _ = try await agent.undo()
    #expect(try await search.matches(of: "otter", limit: 5).isEmpty)
    #expect(try await search.text(ofRecord: seq) == nil)
    #expect(try await search.matches(of: "heron otter", limit: 5).map(\.excerpt) == ["The heron stands."])
    _ = try await agent.send("The otter dives.")
    #expect(try await search.matches(of: "otter", limit: 5).map(\.excerpt) == ["The otter dives."])
  }

  @Test func `a provider's "too long" is met by compacting once and asking again`() async throws {
    let overflow = ModelError(code: .contextOverflow, message: "prompt is too long")
    let base = ScriptedModel { _, request in
      if request.isForSummary { return .text("Notes.") }
      // The window is smaller than anybody said.
      if request.messages.reduce(0, { $0 + $1.text.utf8.count }) > 8_000 { return .failure(overflow) }
      return .text(Self.long)
    }
    let store = InMemorySessionStore()
    let agent = try agent(WindowedModel(base, window: nil), store: store)
    for _ in 0..<8 { #expect(try await agent.send("Go on.") == Self.long) }
    let compacted = compactions(try await records(of: agent, store))
    #expect(!compacted.isEmpty)
    #expect(compacted.allSatisfy { $0.reason == "overflow" })
  }

  @Test func `a model that finds everything too long ends the run, and the session goes on`() async throws {
    let isFull = Locked(true)
    let base = ScriptedModel { index, request in
      if isFull.withLock({ $0 }), index > 4 {
        return .failure(ModelError(code: .contextOverflow, message: "prompt is too long"))
      }
      return request.isForSummary ? .text("Notes.") : .text(Self.long)
    }
    let agent = try agent(WindowedModel(base, window: nil))
    for _ in 0..<5 { _ = try await agent.send("Go on. " + Self.long) }
    let error = await #expect(throws: AgentError.self) { try await agent.send("And now?") }
    #expect(error?.code == .model)
    #expect((error?.underlying as? ModelError)?.code == .contextOverflow)
    #expect(base.requests.count < 16)
    isFull.withLock { $0 = false }
    #expect(try await agent.send("Still there?") == Self.long)
    #expect(MessageRules.violations(in: base.requests.last?.messages ?? []) == [])
  }

  @Test(arguments: [ModelError.Code.serverError, .authentication, .contextOverflow])
  func `without a summary a digest stands for what is left out`(code: ModelError.Code) async throws {
    let base = ScriptedModel { _, request in
      request.isForSummary ? .failure(ModelError(code: code, message: "no")) : .text(Self.long)
    }
    let store = InMemorySessionStore()
    let agent = try agent(WindowedModel(base, window: 3_000), store: store)
    for index in 0..<12 { _ = try await agent.send("Question \(index)") }
    let compacted = compactions(try await records(of: agent, store))
    #expect(compacted.count > 1)
    #expect(compacted[0].summary.first?.text?.contains("- Question 0") == true)
    #expect(MessageRules.violations(in: base.requests.last?.messages ?? []) == [])
  }

  @Test func `a summary is carried forward, with the files of earlier rounds`() async throws {
    let asked = Locked<[String]>([])
    let base = ScriptedModel { index, request in
      if request.isForSummary {
        asked.withLock { $0.append(request.messages.first?.text ?? "") }
        return .text("Goal: number \(asked.withLock(\.count)).")
      }
      if request.messages.last?.role == .user {
        return .calls([
          call("r\(index)", "read_file", ["path": .string("in\(index).txt")]),
          call("w\(index)", "write_file", ["path": .string("out\(index).txt")]),
        ])
      }
      return .text(Self.long)
    }
    let tools: [any Tool] = [
      PathTool(name: "read_file", effect: .readOnly), PathTool(name: "write_file", effect: .once),
    ]
    let store = InMemorySessionStore()
    let agent = try agent(WindowedModel(base, window: 3_000), tools: tools, store: store)
    for _ in 0..<12 { _ = try await agent.send("Next.") }
    #expect(asked.withLock(\.count) > 1)
    #expect(asked.withLock { $0[1] }.contains("Earlier notes: The earlier part of this conversation"))
    #expect(asked.withLock { $0[1] }.contains("Goal: number 1."))
    let last = try #require(compactions(try await records(of: agent, store)).last)
    let files = try #require(last.summary.compactMap(\.text).first { $0.hasPrefix("Files read: ") })
    #expect(files.contains("Files read: in0.txt, "))
    #expect(files.contains("Files changed: out0.txt, "))
  }

  @Test func `within one long run the request stays word for word and the work goes on by itself`() async throws {
    let goal = "Rename every `colour` to `color`, but not in the tests."
    let base = ScriptedModel { index, request in
      if request.isForSummary { return .text("Notes.") }
      return index < 30 ? .calls([call("c\(index)", "echo", ["text": .string(Self.long)])]) : .text("Done.")
    }
    let agent = try agent(WindowedModel(base, window: 4_000), tools: [EchoTool()]) {
      $0.budget = Budget(iterations: 60)
    }
    #expect(try await agent.send(goal) == "Done.")
    for request in base.requests where !request.isForSummary {
      #expect(request.messages.first?.content.last == .text(goal))
      #expect(MessageRules.violations(in: request.messages) == [])
    }
    #expect(base.requests.contains { $0.isForSummary })
  }

  @Test func `one enormous result in a small window is cut and the run goes on`() async throws {
    let store = InMemorySessionStore()
    let huge = (0..<2_000).map { "line \($0)" }.joined(separator: "\n")
    let base = ScriptedModel { index, request in
      if request.isForSummary { return .text("Notes.") }
      return index == 0 ? .calls([call("big", "echo", ["text": .string(huge)])]) : .text("Seen.")
    }
    let tools: [any Tool] = [EchoTool(), PathTool(name: "read_file", effect: .readOnly)]
    let agent = try agent(WindowedModel(base, window: 2_000), tools: tools, store: store)
    #expect(try await agent.send("Look.") == "Seen.")
    let result = try #require(await agent.messages.flatMap(\.toolResults).first)
    #expect(result.text.utf8.count < 4_000)
    #expect(result.text.contains("result:big"))
    #expect(await store.blob("big", session: agent.id, owner: "local")?.count == huge.utf8.count)
  }

  @Test func `the policy of twenty messages summarizes in its words, with a cheaper model, without its faults`()
    async throws
  {
    let cheap = ScriptedModel(info: ModelInfo(provider: "anthropic", id: "claude-haiku-4-5")) { _, _ in
      .text("They talked.")
    }
    let base = ScriptedModel { index, request in
      if request.messages.last?.role == .user, index % 2 == 1 { return .calls([call("c\(index)")]) }
      return .text("Reply \(index).")
    }
    let store = InMemorySessionStore()
    let agent = try agent(WindowedModel(base, window: nil), tools: [EchoTool()], store: store) {
      $0.contextPolicy = .earlierConversation
      $0.compactionModel = cheap
    }
    for index in 0..<40 {
      let before = await agent.messages.count
      _ = try await agent.send("Prompt \(index)")
      let messages = await agent.messages
      #expect(MessageRules.violations(in: messages + [.user("x")]) == [])
      if before > 20 {
        #expect(messages.first?.content.first == .text("Earlier conversation, summarized: They talked."))
        #expect(messages.count <= 6 + 2 + 4)
      } else {
        #expect(messages.count > before)
      }
      for (first, second) in zip(messages, messages.dropFirst()) {
        #expect(!(first.role == .user && second.role == .user), "two messages of the user in a row")
      }
    }
    #expect(cheap.requests.count > 2)
    #expect(cheap.requests[0].options.maxOutputTokens == 512)
    #expect(
      cheap.requests[0].instructions == [
        .text("Summarize this conversation in a few sentences. Keep any facts, decisions, or open questions.")
      ])
    #expect(!base.requests.contains { $0.isForSummary })
  }

  @Test func `results are cleared or kept elsewhere where the policy says so, and calls stay`() async throws {
    for policy in [ContextPolicy.clearingToolResults, .offloadingToolResults] {
      let store = InMemorySessionStore()
      let base = ScriptedModel { index, request in
        if request.isForSummary { return .failure(ModelError(code: .refused, message: "not asked for")) }
        return index < 20 ? .calls([call("c\(index)", "echo", ["text": .string(Self.long)])]) : .text("Done.")
      }
      let tools: [any Tool] = [EchoTool(), PathTool(name: "read_file", effect: .readOnly)]
      let agent = try agent(WindowedModel(base, window: 8_000), tools: tools, store: store) {
        $0.contextPolicy = policy
        $0.budget = Budget(iterations: 40)
      }
      #expect(try await agent.send("Go.") == "Done.")
      let compacted = compactions(try await records(of: agent, store))
      #expect(!compacted.isEmpty)
      #expect(!base.requests.contains { $0.isForSummary })
      if policy == .clearingToolResults {
        #expect(compacted[0].cleared.first == "c0")
      } else {
        #expect(compacted[0].offloaded.first?.callId == "c0")
        #expect(await store.blob("c0", session: agent.id, owner: "local") != nil)
      }
    }
  }

  @Test func `a policy of nothing changes nothing`() async throws {
    let base = ScriptedModel { index, _ in
      index < 3 ? .text(Self.long) : .failure(ModelError(code: .contextOverflow, message: "too long"))
    }
    let agent = try agent(WindowedModel(base, window: 1_000)) { $0.contextPolicy = .off }
    for _ in 0..<3 { _ = try await agent.send("Hi") }
    await #expect(throws: AgentError.self) { try await agent.send("Hi") }
    #expect(await agent.messages.count == 7)
  }

  // MARK: - Between runs, crashes, budgets

  @Test func `compacting between runs says what it did, or that there was nothing`() async throws {
    let base = talker()
    let agent = try agent(WindowedModel(base, window: 100_000))
    #expect(try await agent.compact() == nil)
    for _ in 0..<3 { _ = try await agent.send("Hi") }
    let compacted = try #require(try await agent.compact())
    #expect(compacted.reason == "requested")
    let messages = await agent.messages
    #expect(messages.count == 2)
    #expect(messages[0].content.last == .text("Hi"))
    // A second time there is nothing left.
    #expect(try await agent.compact() == nil)
    _ = try await agent.send("And?")
    #expect(MessageRules.violations(in: base.requests.last?.messages ?? []) == [])
  }

  @Test func `a program that ends while a summary is written compacts again and counts the lost call`() async throws {
    let store = InMemorySessionStore()
    let gate = Gate()
    let first = ScriptedModel { _, request in
      if request.isForSummary {
        return .init([], error: CancellationError()) { _ in try await gate.waitUnlessCancelled() }
      }
      return .text(Self.long)
    }
    let dying = try agent(WindowedModel(first, window: 3_000), session: "s", store: store)
    let run = Task { for _ in 0..<9 { _ = try await dying.send("Hi") } }
    await gate.arrived()
    // All that a killed process leaves is its log.
    let log = try await store.records(of: "s", owner: "local", after: 0, limit: 10_000)
    await dying.cancel()
    await #expect(throws: AgentError.self) { try await run.value }
    await dying.close()

    let later = InMemorySessionStore()
    let lease = try await later.acquire(session: "s", owner: "local", holder: "gone")
    try await later.append(log, lease: lease)
    await later.release(lease)
    let next = try agent(WindowedModel(talker(), window: 3_000), session: "s", store: later)
    #expect(try await next.resume().hasPrefix("Reply"))
    let records = try await later.records(of: "s", owner: "local", after: 0, limit: 10_000)
    #expect(compactions(records).count == 1)
    #expect(
      records.contains { record in
        if case .modelCallEnded(let ended) = record.event {
          ended.error?.code == "lost" && ended.usage.input > 0
        } else {
          false
        }
      })
  }

  @Test func `cancelling ends a summary that is being written`() async throws {
    let gate = Gate()
    let base = ScriptedModel { index, request in
      if request.isForSummary, index < 20 {
        return .init([], error: CancellationError()) { _ in try await gate.waitUnlessCancelled() }
      }
      return .text(Self.long)
    }
    let agent = try agent(WindowedModel(base, window: 3_000))
    let run = Task { for _ in 0..<9 { _ = try await agent.send("Hi") } }
    await gate.arrived()
    await agent.cancel()
    let error = await #expect(throws: AgentError.self) { try await run.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `a summary is counted, and one that the budget does not allow is not asked for`() async throws {
    let store = InMemorySessionStore()
    let base = talker()
    let agent = try agent(WindowedModel(base, window: 3_000), store: store)
    for _ in 0..<8 { _ = try await agent.send("Hi") }
    let calls = try await records(of: agent, store).filter {
      if case .modelCall(let call) = $0.event { call.purpose == .compaction && call.reserved.tokens > 0 } else { false }
    }
    #expect(!calls.isEmpty)

    let poor = talker()
    let poorAgent = try self.agent(WindowedModel(poor, window: 3_000)) {
      $0.budget = Budget(tokens: 4_000)
      // Its summaries could take more than that.
      $0.compactionModel = WindowedModel(poor, window: 100_000)
    }
    for _ in 0..<8 { _ = try await poorAgent.send("Hi") }
    #expect(!poor.requests.contains { $0.isForSummary })
  }

  @Test func `going on with a model of a smaller window compacts first`() async throws {
    let large = talker()
    let small = talker()
    let store = InMemorySessionStore()
    let first = try agent(WindowedModel(large, window: 100_000), session: "s", store: store)
    for _ in 0..<12 { _ = try await first.send("Hi") }
    await first.close()
    let second = try agent(WindowedModel(small, window: 3_000), session: "s", store: store)
    _ = try await second.send("Hi")
    for request in small.requests {
      #expect(request.messages.reduce(0) { $0 + $1.text.utf8.count } < 12_000)
    }
  }

  // MARK: - Counting

  @Test func `a model that counts decides whether there is room, and the usage is exact`() async throws {
    let base = talker()
    // Every word is a hundred bytes, it says.
    let model = WindowedModel(base, window: 3_000) { request in
      request.messages.reduce(0) { $0 + $1.text.utf8.count } / 100
    }
    let store = InMemorySessionStore()
    let agent = try agent(model, store: store)
    for _ in 0..<10 { _ = try await agent.send("Hi") }
    #expect(compactions(try await records(of: agent, store)).isEmpty)
    let usage = try await agent.contextUsage
    #expect(!usage.isEstimated)
    #expect(usage.used == (await agent.messages).reduce(0) { $0 + $1.text.utf8.count } / 100)
    #expect(usage.free == 3_000 - usage.used)
  }

  @Test func `the usage is told by category and sums up, before the first prompt too`() async throws {
    let agent = try agent(WindowedModel(talker(), window: 10_000), tools: [EchoTool(name: "load_skill"), EchoTool()]) {
      $0.instructions = "Be kind. " + Self.long
    }
    let before = try await agent.contextUsage
    #expect(before.isEstimated)
    #expect(before.history == 0)
    #expect(before.instructions > 500)
    #expect(before.tools > 0)
    #expect(before.skills > 0)
    #expect(before.memory == 0)
    _ = try await agent.send("Hi")
    let after = try await agent.contextUsage
    #expect(after.history > 500)
    #expect(after.used + (after.free ?? 0) == 10_000)
    #expect(after.reserved == 200)
  }

  @Test func `an estimate learns from the usage of a reply`() async throws {
    let base = ScriptedModel { _, request in
      .reply(
        [.text("Yes.")], usage: Usage(input: request.messages.reduce(0) { $0 + $1.text.utf8.count } / 2, output: 2))
    }
    let agent = try agent(WindowedModel(base, window: 100_000)) { $0.instructions = "" }
    _ = try await agent.send(Self.long)
    let usage = try await agent.contextUsage
    #expect(usage.used >= Self.long.utf8.count / 2)
    #expect(usage.used < Self.long.utf8.count / 2 + 20)
  }
}

/// A tool with a path.
struct PathTool: Tool {
  var name: String
  var effect: ToolEffect
  var description: String { "For tests." }
  var parameters: JSONValue { ["type": "object", "properties": ["path": ["type": "string"]]] }
  func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput { .text("ok") }
}
