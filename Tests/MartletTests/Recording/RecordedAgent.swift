import Foundation
import Martlet
import MartletJSON
import MartletSync
import MartletTesting

/// An agent that is recorded into a file and replayed from it.
struct RecordedAgent: Sendable {
  var turns: [ScriptedModel.Turn]
  var tools: [any Tool] = []
  var configuration = AgentConfiguration(instructions: "Be brief.")
  var secrets: [String] = []
  var clock: any Clock<Duration> = ContinuousClock()
  let path = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString).jsonl").path

  /// Records what `body` does with the agent. Gives the durable events as they were stored.
  @discardableResult
  func record(_ body: (Agent) async throws -> Void) async throws -> [EventRecord] {
    let recorder = try Recorder(path: path, secrets: secrets)
    let store = InMemorySessionStore()
    var configuration = configuration
    configuration.approver = configuration.approver.map { recorder.recording($0) }
    let agent = Agent(
      model: recorder.recording(ScriptedModel(turns)), tools: try ToolRegistry(tools), configuration: configuration,
      store: recorder.recording(store), environment: recorder.environment(AgentEnvironment(clock: clock)))
    try await body(agent)
    await agent.close()
    try recorder.finish()
    return try await store.records(of: agent.id, owner: "local", after: 0, limit: 10_000)
  }

  /// Replays the file. Gives the durable events that came, and why it ended early.
  func replay(
    _ recording: Recording? = nil, through last: Int? = nil, live: (any LanguageModel)? = nil,
    stallLimit: Duration = .seconds(10)
  ) async throws -> (events: [EventRecord], failure: RecordingError?) {
    let replay = Replay(try recording ?? Recording(path: path), through: last, stallLimit: stallLimit)
    let store = InMemorySessionStore()
    var configuration = configuration
    configuration.approver = configuration.approver.map { _ in replay.approver() }
    let agent = Agent(
      model: replay.model(live: live), tools: try ToolRegistry(tools), configuration: configuration,
      session: replay.session, store: replay.store(store), environment: replay.environment())
    var failure: RecordingError?
    do { try await replay.run(agent) } catch let error as RecordingError { failure = error }
    await agent.close()
    let events: [EventRecord]
    do {
      events = try await store.records(of: agent.id, owner: "local", after: 0, limit: 10_000)
    } catch is SessionError {
      events = []
    }
    return (events, failure)
  }

  var lines: [String] {
    get throws { try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init) }
  }

  func remove() { unlink(path) }
}

/// Does what it is told and counts how often.
struct CountingTool: Tool {
  var name = "count"
  let description = "Counts. Use it in tests."
  var effect = ToolEffect.readOnly
  var requiresPermission = false
  var timeout: Duration?
  let parameters: JSONValue = ["type": "object", "properties": ["n": ["type": "integer"]]]
  let calls = Locked(0)
  var body: @Sendable (JSONValue, ToolContext) async throws -> ToolOutput = { arguments, _ in
    .text("counted \(arguments["n"]?.intValue ?? 0)")
  }

  func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
    calls.withLock { $0 += 1 }
    return try await body(arguments, context)
  }
}
