import Martlet

/// `martlet run`: one task.
enum RunCommand {
  static let spec = CommandSpec(
    "run", "Asks the model one thing, runs the tools it calls, prints the answer",
    discussion:
      "The answer goes to standard output and nothing else does. Exit status: 0 answered, 1 failed, 2 wrong usage, 3 "
      + "budget used up, 4 refused by the model, 5 waiting for an approval nobody here can give, 130 cancelled, 143 "
      + "terminated.",
    arguments: [
      ArgumentSpec("PROMPT", isRequired: false, "What to ask; - or nothing reads it from standard input")
    ],
    options: [RunOptions.file.spec] + RunOptions.all
  ) { arguments, context in
    let context = try context.entering(arguments[RunOptions.directory])
    let setup = try await AgentSetup(context: context, arguments: arguments)
    if let replay = setup.context.replay {
      let message = arguments.positionals.isEmpty ? nil : try await prompt(arguments, context)
      return try await RunCommand.replay(ReplayedRun(setup: setup, replay: replay, message: message), context)
    }
    let message = try await prompt(arguments, context)
    return try await perform(message, setup, context)
  }

  /// Carries out a prompt, or finishes an interrupted run where there is none.
  static func perform(
    _ message: Message?, _ setup: AgentSetup, _ context: CommandContext
  ) async throws -> ExitStatus {
    let agent = try await setup.makeAgent()
    let session = setup.session(agent)
    let report: RunReport
    do {
      report =
        switch setup.settings.output {
        case .text: try await session.perform(message, TextRenderer(console: context.console))
        case .json: try await session.perform(message, ObjectRenderer(console: context.console))
        case .jsonl: try await session.perform(message, EventLinesRenderer(console: context.console))
        }
    } catch {
      await agent.close()
      setup.endRecording()
      throw error
    }
    await agent.close()
    guard setup.endRecording() else { return .failed }
    if report.status == .cancelled, let signal = context.interrupts.received { return signal.status }
    return report.status
  }

  private static func replay(_ run: ReplayedRun, _ context: CommandContext) async throws -> ExitStatus {
    switch run.setup.settings.output {
    case .text: try await run.perform(context, TextRenderer(console: context.console)).status
    case .json: try await run.perform(context, ObjectRenderer(console: context.console)).status
    case .jsonl: try await run.perform(context, EventLinesRenderer(console: context.console)).status
    }
  }

  private static func prompt(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> Message {
    var text = arguments.positionals.first ?? "-"
    if text == "-" {
      if context.isInputTerminal { context.console.activity("Type the prompt; Ctrl-D on an empty line ends it.") }
      let bytes: [UInt8]
      do {
        bytes = try await context.input.all()
      } catch let failure as InputFailure {
        throw CommandFailure.usage("the prompt cannot be read from standard input: \(failure.reason)")
      }
      guard let read = String(validating: bytes, as: UTF8.self) else {
        throw CommandFailure.usage("the prompt on standard input is not text (UTF-8); attach files with --file")
      }
      text = read
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure.usage("the prompt is empty; say what to do: martlet run \"…\"")
    }
    let files = try arguments.all(RunOptions.file).map { path throws(CommandFailure) in
      try Attachment.block(for: path, places: context.places)
    }
    return .user(files + [.text(text)])
  }
}

extension CommandContext {
  /// The same in another directory, which must be there.
  func entering(_ path: String?) throws(CommandFailure) -> Self {
    guard let path else { return self }
    guard let directory = FileAccess.canonical(places.path(path)), FileAccess.isDirectory(directory) else {
      throw .usage("there is no directory \(path.quotedShort) for --cd")
    }
    var context = self
    context.directory = directory
    return context
  }
}
