/// Completion for fish: `martlet completion fish > ~/.config/fish/completions/martlet.fish`.
struct FishCompletion {
  let nodes: [CompletionNode]

  var script: String {
    var lines = [
      """
      # Completion of martlet for fish, made by `martlet completion fish`.
      # __martlet_at NODE: whether the command line has come to this command
      function __martlet_at
        set -l node ''
        for word in (commandline -opc)[2..-1]
          switch "$node:$word"
      \(moves)
          end
        end
        test "$node" = "$argv[1]"
      end
      complete -c martlet -f
      """
    ]
    for node in nodes {
      let condition = "complete -c martlet -n \("__martlet_at \(node.key.shellQuoted)".fishQuoted)"
      for command in node.subcommands {
        lines.append("\(condition) -a \(command.name.fishQuoted) -d \(command.summary.fishQuoted)")
      }
      if node.subcommands.isEmpty, !node.words.isEmpty {
        lines.append("\(condition) -a \(node.words.joined(separator: " ").fishQuoted)")
      }
      if node.takesFiles { lines.append("\(condition) -F") }
      for option in node.options {
        let short = option.short.map { " -s \($0)" } ?? ""
        lines.append(
          "\(condition) -l \(option.name)\(short)\(completing(option)) -d \(option.help.fishQuoted)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var moves: String {
    nodes.filter { !$0.path.isEmpty }.map { node in
      let parent = node.path.dropLast().joined(separator: "/")
      return "      case \("\(parent):\(node.path.last ?? "")".fishQuoted)\n        set node \(node.key.fishQuoted)"
    }.joined(separator: "\n")
  }

  private func completing(_ option: OptionSpec) -> String {
    guard option.takesValue else { return "" }
    return switch option.completion {
    case .nothing: " -x"
    case .file: " -r -F"
    case .directory: " -x -a '(__fish_complete_directories)'"
    case .choices(let words): " -x -a \(words.joined(separator: " ").fishQuoted)"
    }
  }
}

extension String {
  /// In single quotes for fish, where a backslash escapes.
  fileprivate var fishQuoted: String {
    "'" + map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "'"
  }
}
