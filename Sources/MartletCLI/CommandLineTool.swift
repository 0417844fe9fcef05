import MartletProcess

/// The program: reads the command line, runs the command, says what went wrong.
package enum CommandLineTool {
  /// Answers what needs nothing to be started; nil for all else.
  package static func answerAtOnce(_ arguments: [String]) -> ExitStatus? {
    guard arguments == ["--version"] else { return nil }
    do {
      try FileDescriptorSink(descriptor: 1).write("martlet \(Version.current)\n")
      return .answered
    } catch {
      return .failed
    }
  }

  /// - Parameter arguments: without the program's name.
  package static func run(_ arguments: [String], _ context: CommandContext) async -> ExitStatus {
    var context = context
    // The parser may fail before it comes to it.
    if arguments.prefix(while: { $0 != "--" }).contains("--no-color") { context.console.isPlain = true }
    do {
      switch try ArgumentParser(root: RootCommand.spec).parse(arguments) {
      case .version: try context.console.print("martlet \(Version.current)")
      case .help(let command, let path): try context.console.write(HelpText(command: command, path: path).text)
      case .run(let command, let parsed): return try await run(command, parsed, context)
      }
      return .answered
    } catch let failure as CommandFailure {
      if !failure.message.isEmpty { context.console.problem(failure.message) }
      // What a signal ends fails in whatever way it was in the middle of.
      return context.interrupts.received?.status ?? failure.status
    } catch is CancellationError {
      context.console.problem("cancelled")
      return context.interrupts.received?.status ?? .cancelled
    } catch {
      context.console.problem("\(error)")
      return .failed
    }
  }

  /// Runs a command in a task of its own, so that a signal can cancel it.
  private static func run(
    _ command: CommandSpec, _ arguments: ParsedArguments, _ context: CommandContext
  ) async throws -> ExitStatus {
    guard let body = command.body else { return .usage }
    let work = Task { try await body(arguments, context) }
    // The command may be ahead of this line, and have its own way with signals already.
    context.interrupts.otherwise { _ in work.cancel() }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  /// Comes first, before there is a second thread.
  package static func prepare() { ProcessSweep.prepare() }

  /// The process's own life: signals, then `run`. Not on the main thread, which it would have to be woken on for each event.
  @concurrent
  package static func main(
    _ arguments: [String], context: CommandContext = .standard()
  ) async -> ExitStatus {
    context.interrupts.install { ProcessSweep.killAll() }
    let status = await run(arguments, context)
    // A tool that was cancelled may have dropped a child that is still being ended.
    if context.interrupts.received != nil { ProcessSweep.killAll() }
    return status
  }
}
