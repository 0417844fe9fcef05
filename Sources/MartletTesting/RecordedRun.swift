public import Martlet

/// A recorded run as a test: what the agent does today must be what it did when it was recorded.
///
/// ```swift
/// @Test func `the weather run is as it was`() async throws {
///   let run = try RecordedRun(path: "Tests/Recordings/weather.jsonl")
///   try await run.replay(tools: [ForecastTool()], configuration: AgentConfiguration(instructions: "Be brief."))
/// }
/// ```
public struct RecordedRun: Sendable {
  /// What was recorded.
  public let recording: Recording

  /// A run from the file of a `Recorder`, or of `martlet run --record`.
  /// - Throws: `RecordingError`.
  public init(path: String) throws { recording = try Recording(path: path) }

  /// Replays it with an agent that is set up as the recorded one was. No tool runs, nothing is sent.
  ///
  /// - Parameters:
  ///   - tools: the tools that the recorded agent had, in the same order.
  ///   - configuration: as it was; an approver is replaced by the recorded answers.
  ///   - model: makes the model; nil for one that says what was recorded event by event. Where a provider's exchanges were
  ///     recorded, make its client with a `ReplayTransport`.
  /// - Returns: the durable events.
  /// - Throws: `RecordingError` naming the first event that differs.
  @discardableResult
  public func replay(
    tools: [any Tool] = [], configuration: AgentConfiguration = AgentConfiguration(),
    model: (Replay) -> any LanguageModel = { $0.model() }
  ) async throws -> [EventRecord] {
    let replay = Replay(recording)
    let store = InMemorySessionStore()
    var configuration = configuration
    configuration.approver = replay.approver()
    let agent = Agent(
      model: model(replay), tools: try ToolRegistry(tools), configuration: configuration, session: replay.session,
      owner: replay.owner, store: replay.store(store), environment: replay.environment())
    do {
      try await replay.run(agent)
    } catch {
      await agent.close()
      throw error
    }
    await agent.close()
    return try await store.records(of: replay.session, owner: replay.owner, after: 0, limit: .max)
  }
}
