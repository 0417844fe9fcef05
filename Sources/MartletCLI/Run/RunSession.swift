import Martlet
import MartletJSON
import MartletMCP

/// Carries out a prompt and shows it, with Ctrl-C and SIGTERM cancelling it.
struct RunSession: Sendable {
  let agent: Agent
  let context: CommandContext
  let budget: Budget
  let store: any SessionStore
  /// The command that takes up a run that is parked, without the session's id; nil where nothing is stored.
  let resumption: String?

  /// - Parameter message: what to say; nil finishes the run that was interrupted.
  /// - Returns: what came of it. What the user must know of an end without an answer has been said on standard error.
  func perform(_ message: Message?, _ renderer: some RunRenderer) async throws -> RunReport {
    #if canImport(Darwin)
      try await show(message, renderer)
    #else
      // What the agent does is shown where it runs: no other thread is woken for it.
      try await withTaskExecutorPreference(agent.environment.executor) { try await show(message, renderer) }
    #endif
  }

  @concurrent
  private func show(_ message: Message?, _ renderer: some RunRenderer) async throws -> RunReport {
    let signals = context.interrupts.signals()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await signal in signals { await agent.cancel(by: signal == .interrupt ? "user" : "signal") }
      }
      defer { group.cancelAll() }
      var renderer = renderer
      var report = RunReport()
      do {
        var next = 1
        if message == nil {
          // What the run did before is part of what it comes to.
          let records = try await StoredSessions(store: store).records(of: agent.id)
          let start = records.lastIndex { if case .runStarted = $0.event { true } else { false } } ?? 0
          for record in records[start...] { report.take(record) }
        }
        do {
          for try await record in message.map({ agent.stream($0) }) ?? agent.streamResumed() {
            if let seq = record.seq {
              // The stream begins with the run; what its session was made with comes before.
              if next == 1, seq > 1, message != nil {
                for record in try await beginning(before: seq) { try renderer.show(record) }
              }
              next = seq + 1
            }
            report.take(record)
            try renderer.show(record)
          }
        } catch let error as AgentError {
          // Of a replay that differs, what is as recorded is shown first.
          if context.replay?.failure == nil { throw error }
        }
        if context.replay?.failure != nil {
          // What is as recorded is shown, though its run ends here.
          for record in try await StoredSessions(store: store).records(of: agent.id) where (record.seq ?? 0) >= next {
            try renderer.show(record)
          }
          return report
        }
      } catch let error as AgentError {
        throw CommandFailure(error)
      }
      try renderer.finish(report)
      explain(report)
      return report
    }
  }

  /// The records before the run's first, where the session is new; none where it had runs before.
  private func beginning(before seq: Int) async throws -> [EventRecord] {
    let records = try await store.records(of: agent.id, owner: StoredSessions.owner, after: 0, limit: seq - 1)
    return records.contains { $0.run != nil } ? [] : records
  }

  private func explain(_ report: RunReport) {
    switch report.end {
    case .finished(let finished):
      switch finished.reason {
      case .answered: break
      case .budget: context.console.problem(budgetMessage(report))
      case .cancelled: context.console.problem("cancelled")
      case .refused: context.console.problem("the model refused to answer; say it in another way or use another model")
      case .truncated:
        context.console.problem("the answer was cut off at the output limit; raise it with --max-tokens")
      }
    case .failed(let failed): context.console.problem(failed.message)
    case .waiting(let waiting):
      context.console.problem(
        report.open.isEmpty
          ? "\(openInputs(report, waiting)) and nobody is here to answer; \(whereToAnswer)"
          : "nobody is here to allow \(openCalls(report))")
    case nil: context.console.problem("the run ended without a word of how")
    }
  }

  /// What is asked for.
  private func openInputs(_ report: RunReport, _ waiting: Waiting) -> String {
    let questions = report.inputs.filter { waiting.inputs.contains($0.inputId) }.map { request in
      if let needed = MCPInputNeeded(payload: request.payload) {
        let words = needed.questions.map { ControlFilter.line($0.question.message) }.joined(separator: "; ")
        return "the MCP server \(ControlFilter.line(needed.server)) asks: \(words)"
      }
      if let question = request.payload["question"]?.stringValue { return ControlFilter.line(question) }
      return "an input (\(ControlFilter.line(request.kind))) is needed"
    }
    return questions.isEmpty ? "an input is needed" : questions.joined(separator: "; ")
  }

  private var whereToAnswer: String {
    resumption.map { "answer with `\($0) \(agent.id)` in a terminal" } ?? "run it in a terminal"
  }

  /// The calls that wait for permission, and how to give it.
  private func openCalls(_ report: RunReport) -> String {
    let names = report.open.map { TextRenderer.describe($0.call) }.joined(separator: "; ")
    let calls = "\(report.open.count == 1 ? "this call" : "these calls"): \(names); "
    let rules = report.open.map { $0.options.compactMap(\.rule).first ?? $0.call.name }
    let options = rules.map { "--allow \($0.shellWord)" }.joined(separator: " ")
    guard let resumption else { return calls + "run it in a terminal, or with \(options)" }
    let resume = "\(resumption) \(agent.id)"
    return calls + "answer with `\(resume)` in a terminal, or with `\(resume) \(options)`, or --deny for --allow"
  }

  /// Which of the budgets it was, and the option that raises it.
  private func budgetMessage(_ report: RunReport) -> String {
    if report.iterations >= budget.iterations {
      return "no answer within \(budget.iterations) iterations; raise --max-iterations to go on longer"
    }
    if let tokens = budget.tokens, report.usage.total >= tokens || budget.time == nil && budget.usd == nil {
      return "the budget of \(tokens) tokens is used up; raise --token-budget"
    }
    if let time = budget.time {
      return "the time of \(DurationText.short(milliseconds: time / .milliseconds(1))) is up; raise --timeout"
    }
    return "the budget of \(budget.usd?.shortText ?? "0") USD is used up; raise --cost-budget"
  }
}

extension CommandFailure {
  /// A run that could not begin.
  init(_ error: AgentError) {
    let status: ExitStatus =
      switch error.code {
      case .budget: .budget
      case .refused: .refused
      case .waiting: .waiting
      case .cancelled: .cancelled
      case .configuration: .usage
      default: .failed
      }
    self.init(status, error.message.lowercasedFirst, underlying: error)
  }
}
