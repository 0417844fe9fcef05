import MartletJSON

/// Arguments that are command lines for a shell, and have to be read as a shell reads them.
enum CommandArgument {
  /// The names that such arguments go by.
  static let names: Set<String> = ["command", "cmd", "script", "command_line", "commandLine", "shell_command"]

  /// Names of arguments that stand beside a program's name and are the words after it.
  private static let lists: Set<String> = ["args", "arguments", "argv", "parameters", "params"]

  /// Names of arguments that stand beside a command line and change what it does.
  private static let others: Set<String> = [
    "env", "environment", "environ", "cwd", "workdir", "work_dir", "working_dir", "workingDir", "working_directory",
    "workingDirectory", "directory", "dir", "chdir", "root", "stdin", "input", "shell", "interpreter", "program",
    "executable", "user", "sudo", "host",
  ]

  /// The command lines among a tool's own parameters, in order.
  static func declared(by tool: ToolDefinition) -> [String] {
    (tool.parameters["properties"]?.objectValue ?? [:]).keys.filter(names.contains)
  }

  /// The command lines among the arguments of a tool that takes one, also those its parameters do not name.
  static func given(_ arguments: JSONObject, _ tool: ToolDefinition) -> [String] {
    let declared = declared(by: tool).filter { arguments[$0] != nil }
    return declared.isEmpty
      ? [] : declared + arguments.map(\.key).filter { names.contains($0) && !declared.contains($0) }
  }

  /// Whether an argument beside the command line says what runs, or where, or with what.
  static func says(what name: String, _ value: JSONValue) -> Bool {
    guard lists.contains(name) || others.contains(name) else { return false }
    return switch value {
    case .null, .bool(false): false
    case .string(let text): !text.isEmpty
    case .array(let values): !values.isEmpty
    case .object(let object): !object.isEmpty
    default: true
    }
  }

  /// Whether arguments beside the command line say what runs and are not words that follow it.
  static func hasMore(_ arguments: JSONObject, _ tool: ToolDefinition) -> Bool {
    guard !given(arguments, tool).isEmpty else { return false }
    return arguments.contains { name, value in
      says(what: name, value) && (!lists.contains(name) || value.stringValue != nil || words(value) == nil)
    }
  }

  /// A command with the lists of words beside it; nil where there are none.
  ///
  /// Words of a text are as if nothing in it was quoted: near enough to deny, and no call with one is surely covered.
  static func whole(_ command: JSONValue, _ arguments: JSONObject) -> [String]? {
    let rest = arguments.flatMap { lists.contains($0.key) ? words($0.value) ?? [] : [] }
    guard !rest.isEmpty else { return nil }
    guard let line = command.stringValue else { return words(command).map { $0 + rest } }
    return (PlainCommand(line)?.words.map { String(decoding: $0, as: UTF8.self) } ?? [line]) + rest
  }

  /// A list of words, also those of a text; nil of anything else.
  private static func words(_ value: JSONValue) -> [String]? {
    switch value {
    case .array(let values) where values.allSatisfy({ $0.stringValue != nil }): values.compactMap(\.stringValue)
    case .string(let text):
      text.isEmpty ? [] : text.utf8.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    default: nil
    }
  }
}
