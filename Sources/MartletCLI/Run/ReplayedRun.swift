import Martlet

/// Replays all runs of a recording and shows them.
struct ReplayedRun {
  let setup: AgentSetup
  let replay: Replay
  /// What the user says to ask; nil for what was recorded.
  let message: Message?

  func perform(_ context: CommandContext, _ renderer: some RunRenderer) async throws -> RunReport {
    let agent = try await setup.makeAgent()
    do {
      let report = try await perform(agent, renderer)
      await agent.close()
      return report
    } catch {
      await agent.close()
      if context.interrupts.received != nil { throw CancellationError() }
      if let failure = error as? RecordingError { throw CommandFailure(failure) }
      throw error
    }
  }

  private func perform(_ agent: Agent, _ renderer: some RunRenderer) async throws -> RunReport {
    let session = setup.session(agent)
    var report = RunReport()
    var message = message
    try await replay.perform(agent) { beginning in
      switch beginning {
      case .resume: report = try await session.perform(nil, renderer)
      case .message(let recorded):
        // The same, its secrets aside: then as it was recorded.
        let mask = SecretMask(secrets: RunRecording.secrets(setup.context.environment))
        let asked = message.flatMap { mask.mask($0.json) == recorded.json ? nil : $0 }
        message = nil
        report = try await session.perform(asked ?? recorded, renderer)
      }
    }
    return report
  }
}
