/// The run that an agent is working on.
struct ActiveRun: Sendable {
  let id: String
  /// Drives the run to its end; owned by the agent, which waits for it in `cancel` and `close`.
  let task: Task<RunOutcome, Never>
}

/// How a run ended.
enum RunOutcome: Sendable {
  case answer(String)
  case error(AgentError)
}
