import MartletJSON

/// Arguments that are command lines for a shell, and have to be read as a shell reads them.
enum CommandArgument {
  /// The names that such arguments go by.
  static let names: Set<String> = ["command", "cmd", "script", "command_line", "commandLine", "shell_command"]

  /// The command lines among a tool's own parameters, in order.
  static func declared(by tool: ToolDefinition) -> [String] {
    (tool.parameters["properties"]?.objectValue ?? [:]).keys.filter(names.contains)
  }
}
