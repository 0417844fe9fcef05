/// A command as completion sees it.
struct CompletionNode: Sendable {
  /// The command's words, without the program's name.
  let path: [String]
  let subcommands: [CommandSpec]
  let options: [OptionSpec]
  let arguments: [ArgumentSpec]

  /// Every available command below a root, the root first.
  static func all(of root: CommandSpec) -> [Self] {
    func nodes(_ command: CommandSpec, _ path: [String]) -> [Self] {
      let subcommands = command.subcommands.filter(\.isAvailable)
      let node = Self(
        path: path, subcommands: subcommands,
        options: (command.options + CommandSpec.everywhere).filter(\.isAvailable), arguments: command.arguments)
      return [node] + subcommands.flatMap { nodes($0, path + [$0.name]) }
    }
    return nodes(root, [])
  }

  /// The path as one word, empty for the root.
  var key: String { path.joined(separator: "/") }

  /// Words that can stand where a command or an argument is expected.
  var words: [String] {
    if !subcommands.isEmpty { return subcommands.map(\.name) }
    if case .choices(let words)? = arguments.first?.completion { return words }
    return []
  }

  /// Whether files can stand there.
  var takesFiles: Bool { arguments.contains { $0.completion == .file || $0.completion == .directory } }

  /// The ways an option can be written.
  static func spellings(_ option: OptionSpec) -> [String] {
    ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
  }
}

extension String {
  /// In single quotes for a POSIX shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
