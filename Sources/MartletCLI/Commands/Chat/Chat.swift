import Martlet

/// A conversation in a plain terminal, or with lines from a pipe.
struct Chat {
  let setup: AgentSetup
  let context: CommandContext
  var agent: Agent
  private var usage = Usage()
  private var cost: Double?
  private var runs = 0

  init(setup: AgentSetup, context: CommandContext, agent: Agent) {
    self.setup = setup
    self.context = context
    self.agent = agent
  }

  /// Until the user leaves.
  mutating func talk() async throws -> ExitStatus {
    if context.isInputTerminal { context.console.activity("/help shows the commands, Ctrl-D leaves.") }
    while true {
      let text: String
      switch try await nextPrompt() {
      case .end: return .answered
      case .interrupted(let status): return status
      case .text(let read): text = read
      }
      if text.hasPrefix("/") {
        if try await obey(ChatInstruction(text)) { return .answered }
        continue
      }
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      if let status = try await say(text) { return status }
    }
  }

  /// - Returns: how to end, when a signal asks for it.
  private mutating func say(_ text: String) async throws -> ExitStatus? {
    let session = setup.session(agent)
    do {
      let report = try await session.perform(.user(text), TextRenderer(console: context.console))
      usage += report.usage
      if let amount = report.cost { cost = (cost ?? 0) + amount }
      runs += 1
    } catch let failure as CommandFailure where !(failure.underlying is OutputFailure) {
      context.console.problem(failure.message)
    }
    if context.interrupts.received == .terminate { return .terminated }
    context.interrupts.reset()
    return nil
  }

  // MARK: Input

  private enum Input {
    case text(String)
    case end
    case interrupted(ExitStatus)
  }

  /// What the user says next, which may have several lines.
  private func nextPrompt() async throws -> Input {
    var lines: [String] = []
    var interrupts = 0
    while true {
      if context.isInputTerminal { try context.console.write(lines.isEmpty ? "> " : "… ") }
      switch try await readLine() {
      case .text(let line):
        if line.hasSuffix("\\") {
          lines.append(String(line.dropLast()))
        } else {
          return .text((lines + [line]).joined(separator: "\n"))
        }
      case .end:
        if context.isInputTerminal { try context.console.write("\n") }
        return lines.isEmpty ? .end : .text(lines.joined(separator: "\n"))
      case .interrupted(let status):
        try context.console.write("\n")
        interrupts += 1
        guard status == .cancelled, context.isInputTerminal, interrupts < 2 else { return .interrupted(status) }
        context.interrupts.reset()
        context.console.activity("Ctrl-C again leaves.")
        lines = []
      }
    }
  }

  private func readLine() async throws -> Input {
    let signals = context.interrupts.signals()
    let input = context.input
    return try await withThrowingTaskGroup(of: Input?.self) { group in
      group.addTask {
        do {
          return try await input.nextLine().map { .text($0) } ?? .end
        } catch let failure as InputFailure {
          throw CommandFailure.failed("standard input cannot be read: \(failure.reason)")
        }
      }
      group.addTask {
        for await signal in signals { return .interrupted(signal.status) }
        return nil
      }
      defer { group.cancelAll() }
      while let result = try await group.next() {
        if let result { return result }
      }
      throw CancellationError()
    }
  }

  // MARK: Instructions

  /// - Returns: whether the conversation is over.
  private mutating func obey(_ instruction: ChatInstruction) async throws -> Bool {
    let console = context.console
    switch instruction {
    case .quit: return true
    case .help: try console.print(ChatInstruction.helpText)
    case .tools:
      try console.print(
        setup.definitions.isEmpty ? "no tools" : setup.definitions.map { ToolsCommand.line($0) }.joined(separator: "\n")
      )
    case .skills:
      let skills = await setup.knowledge.shelf.library().skills
      try console.print(
        skills.isEmpty
          ? "no skills" : skills.map { ControlFilter.line($0.summary.dropFirst(2)) }.joined(separator: "\n"))
    case .cost:
      let price = cost.map { ", \($0) USD" } ?? ""
      try console.print("\(runs) runs, \(usage.input) tokens in, \(usage.output) tokens out\(price)")
      try await showContext()
    case .compact: try await compact()
    case .model(let name?): await change(to: name)
    case .model(nil): try console.print(setup.settings.model)
    case .undo: await undo()
    case .fork(let record): await fork(at: record)
    case .sessions(let id?): await change(toSession: id)
    case .sessions(nil): try await listSessions()
    case .unknown(let name):
      let near = NearestName.of(name, among: ChatInstruction.names)
      console.problem("there is no command /\(name); " + (near.map { "did you mean /\($0)?" } ?? "/help shows them"))
    }
    return false
  }

  /// What fills the window of the model.
  private func showContext() async throws {
    do {
      try context.console.print(ContextReport(try await agent.contextUsage).text)
    } catch let error as AgentError {
      context.console.problem(error.message)
    }
  }

  private func compact() async throws {
    do {
      guard let compacted = try await agent.compact() else {
        try context.console.print("there is nothing to leave out yet")
        return
      }
      let before = compacted.tokensBefore.map { "\($0)" } ?? "?"
      try context.console.print("about \(compacted.tokensAfter ?? 0) tokens now, \(before) before")
    } catch let error as AgentError {
      context.console.problem(error.message)
    }
  }

  /// Goes on with another model; the conversation so far comes along.
  private mutating func change(to name: String) async {
    do {
      let next = try await setup.makeAgent(model: name, session: agent.id)
      // It goes on with the same session, so the old one must have let go of it.
      await agent.close()
      agent = next
    } catch let failure as CommandFailure {
      context.console.problem(failure.message)
    } catch {
      context.console.problem("the model \(name.quotedShort) cannot be used: \(error)")
    }
  }
}
