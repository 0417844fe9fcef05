/// The help of a command, made from its table.
struct HelpText {
  let command: CommandSpec
  let path: [String]
  var width = 100

  var text: String {
    var sections = [usage, wrapped(command.summary + ".", indent: 0)]
    if let discussion = command.discussion { sections.append(wrapped(discussion, indent: 0)) }
    if !command.isAvailable { sections.append("This is not available yet.") }
    let commands = command.subcommands.filter(\.isAvailable)
    if !commands.isEmpty { sections.append(section("Commands", commands.map { ($0.name, $0.summary) })) }
    if !command.arguments.isEmpty {
      sections.append(section("Arguments", command.arguments.map { ($0.name, $0.help) }))
    }
    let options = command.options + CommandSpec.everywhere
    for group in OptionGroup.allCases {
      let rows = options.filter { $0.group == group && $0.isAvailable }
        .map { (label($0), $0.help + ($0.repeats ? " (may be repeated)" : "")) }
      if !rows.isEmpty { sections.append(section(group.rawValue, rows)) }
    }
    let later =
      command.isAvailable
      ? command.subcommands.filter { !$0.isAvailable }.map(\.name)
        + command.options.filter { !$0.isAvailable }.map { "--" + $0.name } : []
    if !later.isEmpty { sections.append(wrapped("Not available yet: " + later.joined(separator: ", "), indent: 0)) }
    return sections.joined(separator: "\n\n") + "\n"
  }

  private var usage: String {
    var words = ["Usage: martlet"] + path
    if !command.subcommands.isEmpty { words.append("COMMAND") }
    if !command.options.isEmpty { words.append("[OPTIONS]") }
    words += command.arguments.map { $0.isRequired ? $0.name : "[\($0.name)]" }
    return words.joined(separator: " ")
  }

  private func label(_ option: OptionSpec) -> String {
    (option.short.map { "-\($0), " } ?? "    ") + "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
  }

  private func section(_ title: String, _ rows: [(String, String)]) -> String {
    let column = min(26, rows.map(\.0.count).max() ?? 0) + 4
    let lines = rows.map { label, help -> String in
      let text = wrapped(help, indent: column)
      let start = "  " + label
      if start.count > column - 2 { return start + "\n" + String(repeating: " ", count: column) + text }
      return start + String(repeating: " ", count: column - start.count) + text
    }
    return ([title + ":"] + lines).joined(separator: "\n")
  }

  /// The first line comes without its indent.
  private func wrapped(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
