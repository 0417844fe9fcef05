import Foundation
import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import Martlet

/// A replay does without the programs that tools belong to, and without whoever gave an input.
@Suite(.timeLimit(.minutes(2))) struct `A replay without what is elsewhere` {
  /// A tool of a server.
  private struct Remote: Tool {
    var name = "box__count"
    var description = "Counts, elsewhere."
    let isRemote = true
    let requiresPermission = false
    let timeout: Duration? = .seconds(7)
    let parameters: JSONValue = [
      "type": "object", "properties": ["n": ["type": "integer", "minimum": 1]], "required": ["n"],
    ]
    let calls = Locked(0)
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
      calls.withLock { $0 += 1 }
      return .text("elsewhere \(arguments["n"]?.intValue ?? 0)")
    }
  }

  private func text(_ records: [EventRecord]) -> String { records.map { $0.json.text() }.joined(separator: "\n") }

  private func record(
    _ path: String, _ registry: ToolRegistry, turns: [ScriptedModel.Turn], provider: (any InputProvider)? = nil,
    body: (Agent) async throws -> Void
  ) async throws -> [EventRecord] {
    let recorder = try Recorder(path: path)
    let store = InMemorySessionStore()
    var configuration = AgentConfiguration(instructions: "Be brief.")
    configuration.inputProvider = provider
    let agent = Agent(
      model: recorder.recording(ScriptedModel(turns)), tools: registry, configuration: configuration,
      store: recorder.recording(store), environment: recorder.environment())
    try await body(agent)
    await agent.close()
    try recorder.finish()
    return try await store.records(of: agent.id, owner: "local", after: 0, limit: 10_000)
  }

  private func replay(
    _ path: String, tools: [any Tool] = [], through last: Int? = nil, live: (any LanguageModel)? = nil
  ) async throws -> [EventRecord] {
    let replay = Replay(try Recording(path: path), through: last)
    let store = InMemorySessionStore()
    let agent = Agent(
      model: replay.model(live: live), tools: try ToolRegistry(tools),
      configuration: AgentConfiguration(instructions: "Be brief."), session: replay.session,
      store: replay.store(store), environment: replay.environment())
    try await replay.run(agent)
    await agent.close()
    return try await store.records(of: agent.id, owner: "local", after: 0, limit: 10_000)
  }

  private var path: String { FileManager.default.temporaryDirectory.appending(path: "m-\(UUID().uuidString)").path }

  private static let turns: [ScriptedModel.Turn] = [
    .calls([call("call_1", "box__count", ["n": "3"]), call("call_2", "count", ["n": 2])]),
    .calls([call("call_3", "box__count", ["n": 0])]), .text("Done."),
  ]

  @Test func `tools of other programs stand in, with their definitions, checks and results`() async throws {
    let path = path
    defer { unlink(path) }
    let remote = Remote()
    let events = try await record(path, try ToolRegistry([remote, CountingTool()]), turns: Self.turns) {
      _ = try await $0.send("Count.")
    }
    #expect(remote.calls.withLock { $0 } == 1)
    #expect(text(events).contains("elsewhere 3") && text(events).contains("invalid_arguments"))
    #expect(text(try await replay(path, tools: [CountingTool()])) == text(events))
    // Where the program is there, it is left alone.
    #expect(text(try await replay(path, tools: [remote, CountingTool()])) == text(events))
    #expect(remote.calls.withLock { $0 } == 1)
    // One's own tools are compared as ever.
    let error = await #expect(throws: RecordingError.self) { try await replay(path) }
    #expect(error?.code == .diverged && error?.path?.hasPrefix("tools[") == true, "\(String(describing: error))")
  }

  @Test func `tools that come, change and go between runs do so in the replay`() async throws {
    let path = path
    defer { unlink(path) }
    let registry = try ToolRegistry([CountingTool()])
    let turns: [ScriptedModel.Turn] = (0..<5).map { .text("Answer \($0).") }
    let events = try await record(path, registry, turns: turns) { agent in
      _ = try await agent.send("One")
      try await registry.register(Remote())
      _ = try await agent.send("Two")
      _ = try await agent.send("Three")
      try await registry.replace(Remote(description: "Counts otherwise."))
      _ = try await agent.send("Four")
      await registry.unregister("box__count")
      _ = try await agent.send("Five")
    }
    #expect(events.filter { if case .context = $0.event { true } else { false } }.count == 4)
    #expect(text(try await replay(path, tools: [CountingTool()])) == text(events))
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.filter { $0.contains(#""type":"tools""#) }.count == 3)
  }

  @Test func `a tool that a catalogue made of one stands in with what is preset`() async throws {
    let path = path
    defer { unlink(path) }
    let registry = try ToolRegistry([Remote()])
    await registry.apply(
      ToolCatalogue([ToolCatalogue.Entry(name: "five", implementation: "box__count", preset: ["n": 5])]))
    let turns: [ScriptedModel.Turn] = [.calls([call("call_1", "five", [:])]), .text("Done.")]
    let events = try await record(path, registry, turns: turns) { _ = try await $0.send("Count.") }
    #expect(text(events).contains("elsewhere 5"))
    #expect(text(try await replay(path)) == text(events))
  }

  @Test func `what goes on live says that a tool is not there, or uses it`() async throws {
    let path = path
    defer { unlink(path) }
    let events = try await record(path, try ToolRegistry([Remote()]), turns: Self.turns.dropLast(2) + [.text("Done.")])
    { _ = try await $0.send("Count.") }
    let started = events.first { if case .assistantMessage = $0.event { true } else { false } }
    let last = try #require(started?.seq)
    func model() -> ScriptedModel {
      ScriptedModel { index, _ in
        index == 0 ? .calls([call("call_9", "box__count", ["n": 9])]) : .text("Live.")
      }
    }
    let without = try await replay(path, through: last, live: model())
    #expect(text(without).contains("Live.") && text(without).contains("box__count is not available"))
    let remote = Remote()
    let with = try await replay(path, tools: [remote], through: last, live: model())
    // What was called before has its recorded result.
    #expect(text(with).contains("elsewhere 3") && text(with).contains("elsewhere 9") && text(with).contains("Live."))
    #expect(remote.calls.withLock { $0 } == 1)
  }

  @Test func `a resumed run has its tools too`() async throws {
    let path = path
    defer { unlink(path) }
    let store = InMemorySessionStore()
    let first = Agent(
      model: ScriptedModel(Self.turns), tools: try ToolRegistry([Remote(), CountingTool(requiresPermission: true)]),
      configuration: AgentConfiguration(instructions: "Be brief."), store: store)
    await #expect(throws: AgentError.self) { try await first.send("Count.") }
    let id = first.id
    await first.close()
    let recorder = try Recorder(path: path)
    let agent = Agent(
      model: recorder.recording(ScriptedModel(Array(Self.turns.dropFirst()))),
      tools: try ToolRegistry([Remote(), CountingTool(requiresPermission: true)]),
      configuration: AgentConfiguration(instructions: "Be brief."), session: id, store: recorder.recording(store),
      environment: recorder.environment())
    let records = try await store.records(of: id, owner: "local", after: 0, limit: 1_000)
    let open = try #require(AgentLoop(folding: records).openApprovals.first)
    try await agent.resolve(approval: open.approvalId, .allow)
    _ = try await agent.resume()
    await agent.close()
    try recorder.finish()
    let events = try await store.records(of: id, owner: "local", after: 0, limit: 1_000)
    #expect(text(events).contains("invalid_arguments"))
    #expect(text(try await replay(path, tools: [CountingTool(requiresPermission: true)])) == text(events))
  }

  // MARK: Inputs

  private struct Asking: Tool {
    let name = "ask"
    let description = "Asks. Use it in tests."
    let parameters: JSONValue = ["type": "object", "properties": [:]]
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
      guard let input = context.inputs.last else {
        throw InputNeeded(.question, payload: ["question": "Who?"], expires: Timestamp(milliseconds: 4_000_000_000_000))
      }
      return .text("It is \(input.value?.stringValue ?? "nobody")")
    }
  }

  private struct Ada: InputProvider {
    func input(for request: InputRequested) async throws -> JSONValue? { "Ada" }
  }

  private static let asking: [ScriptedModel.Turn] = [
    .calls([call("call_1", "ask", [:]), call("call_2", "ask", [:])]), .text("Done."),
  ]

  @Test func `inputs that were given while the run went on are given again`() async throws {
    let path = path
    defer { unlink(path) }
    let events = try await record(path, try ToolRegistry([Asking()]), turns: Self.asking, provider: Ada()) {
      _ = try await $0.send("Ask.")
    }
    #expect(text(events).contains("It is Ada"))
    #expect(text(try await replay(path, tools: [Asking()])) == text(events))
  }

  @Test func `inputs that a parked run got are given again`() async throws {
    let path = path
    defer { unlink(path) }
    let events = try await record(path, try ToolRegistry([Asking()]), turns: Self.asking) { agent in
      await #expect(throws: AgentError.self) { try await agent.send("Ask.") }
      for value in ["Ada", nil] as [JSONValue?] {
        let open = await agent.firstOpenInput
        try await agent.resolve(input: try #require(open), value)
        if value == nil {
          #expect(try await agent.resume() == "Done.")
        } else {
          await #expect(throws: AgentError.self) { try await agent.resume() }
        }
      }
    }
    #expect(text(events).contains("It is Ada") && text(events).contains("It is nobody"))
    #expect(text(try await replay(path, tools: [Asking()])) == text(events))
  }
}

extension Agent {
  fileprivate var firstOpenInput: String? { loop.openInputs.first?.inputId }
}
