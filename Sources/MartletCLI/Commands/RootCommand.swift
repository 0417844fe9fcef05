/// `martlet`: the table of all commands.
enum RootCommand {
  static let spec: CommandSpec = CommandSpec(
    "martlet", "Runs AI agents: a model that calls tools until it has an answer",
    discussion: "On-device by default. `martlet run PROMPT` asks one thing; `martlet COMMAND --help` says more.",
    subcommands: [
      RunCommand.spec, ChatCommand.spec,
      ResumeCommand.spec, SessionsCommand.spec,
      ToolsCommand.spec,
      SkillsCommand.spec,
      ModelsCommand.spec,
      MCPCommand.spec,
      CommandSpec(
        notYet: "cloud", "The inference.sh cloud", subcommands: ["run", "chat", "tasks", "chats", "agents"]),
      CommandSpec(notYet: "serve", "HTTP API and web UI"),
      SimulateCommand.spec, DoctorCommand.spec, CompletionCommand.spec,
    ])
}
