import Martlet

/// `martlet chat`: a conversation, line by line.
enum ChatCommand {
  static let spec = CommandSpec(
    "chat", "Talks with the model",
    discussion:
      "Type a line to say something; end a line with \\ to go on in the next one. /help shows the commands. Ctrl-C "
      + "cancels the answer, twice leaves; so do /quit and Ctrl-D.",
    options: RunOptions.all
  ) { arguments, context in
    let context = try context.entering(arguments[RunOptions.directory])
    let setup = try await AgentSetup(context: context, arguments: arguments)
    guard setup.context.replay == nil else {
      throw CommandFailure.usage("chat does not replay; `martlet run --replay FILE` replays what chat recorded")
    }
    guard setup.settings.output == .text else {
      throw CommandFailure.usage("chat prints text only; use `martlet run --output \(setup.settings.output.rawValue)`")
    }
    let agent = try await setup.makeAgent()
    var chat = Chat(setup: setup, context: context, agent: agent)
    do {
      let status = try await chat.talk()
      await chat.agent.close()
      return setup.endRecording() ? status : .failed
    } catch {
      await chat.agent.close()
      setup.endRecording()
      throw error
    }
  }
}
