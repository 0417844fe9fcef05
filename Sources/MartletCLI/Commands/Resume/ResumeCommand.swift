import Martlet

/// `martlet resume`: finishes what a crash, a kill or an open question cut short.
enum ResumeCommand {
  static let spec = CommandSpec(
    "resume", "Finishes an interrupted run from its log",
    discussion:
      "Calls that have a result are not run again; calls that only read, or that may be repeated, are. A call that must "
      + "not be repeated and was under way is asked about, or, where there is nobody to ask, reported to the model with "
      + "an unknown outcome. A call that waits for permission is asked "
      + "about on the terminal; --allow, --deny and --approve answer without one, once for all that are open. What a call "
      + "or an MCP server needs to know is asked for there too. The model is the one the run had, unless --model says "
      + "otherwise.",
    arguments: [ArgumentSpec("ID", "The session, or the beginning of its id; `martlet sessions list` shows them")],
    options: RunOptions.all
  ) { arguments, context in
    let context = try context.entering(arguments[RunOptions.directory])
    guard arguments[RunOptions.replay] == nil else {
      throw CommandFailure.usage("resume does not replay; `martlet run --replay FILE` replays what resume recorded")
    }
    let setup = try await AgentSetup(context: context, arguments: arguments, resuming: arguments.positionals[0])
    return try await RunCommand.perform(nil, setup, context)
  }
}
