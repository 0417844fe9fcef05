/// A command, or a group of commands: the one table that parsing, help and completion are made from.
struct CommandSpec: Sendable {
  typealias Body = @Sendable (ParsedArguments, CommandContext) async throws -> ExitStatus

  let name: String
  let summary: String
  let discussion: String?
  let arguments: [ArgumentSpec]
  let options: [OptionSpec]
  let subcommands: [CommandSpec]
  /// Whether it works already; one that does not answers "not available yet".
  let isAvailable: Bool
  let body: Body?

  init(
    _ name: String, _ summary: String, discussion: String? = nil, arguments: [ArgumentSpec] = [],
    options: [OptionSpec] = [], body: @escaping Body
  ) {
    self.init(name, summary, discussion, arguments, options, [], true, body)
  }

  /// A group of commands.
  init(_ name: String, _ summary: String, discussion: String? = nil, subcommands: [CommandSpec]) {
    self.init(name, summary, discussion, [], [], subcommands, subcommands.contains(where: \.isAvailable), nil)
  }

  /// A command that is listed and not there yet.
  init(notYet name: String, _ summary: String, subcommands: [String] = []) {
    self.init(
      name, summary, nil, [], [], subcommands.map { CommandSpec(notYet: $0, "not available yet") }, false, nil)
  }

  private init(
    _ name: String, _ summary: String, _ discussion: String?, _ arguments: [ArgumentSpec], _ options: [OptionSpec],
    _ subcommands: [CommandSpec], _ isAvailable: Bool, _ body: Body?
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.subcommands = subcommands
    self.isAvailable = isAvailable
    self.body = body
  }

  /// Options that every command takes.
  static let everywhere: [OptionSpec] = [
    GlobalOptions.help.spec, GlobalOptions.noColor.spec, GlobalOptions.version.spec,
  ]
}

/// Options that every command takes.
enum GlobalOptions {
  static let help = Option<Bool>(flag: "help", short: "h", "Show this help")
  static let version = Option<Bool>(flag: "version", "Show the version")
  static let noColor = Option<Bool>(flag: "no-color", "No colour and no progress, as with NO_COLOR set")
}
