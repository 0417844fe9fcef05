/// Completion for zsh: `martlet completion zsh > "${fpath[1]}/_martlet"`.
struct ZshCompletion {
  let nodes: [CompletionNode]

  var script: String {
    """
    #compdef martlet
    # Completion of martlet for zsh, made by `martlet completion zsh`.
    _martlet() {
      local node= word
      local -a items
      integer index
      for ((index = 2; index < CURRENT; index++)); do
        word=${words[index]}
        case "$node:$word" in
    \(moves)
        esac
      done
      case "$node:${words[CURRENT-1]}" in
    \(values)
      esac
      if [[ ${words[CURRENT]} == -* ]]; then
        case "$node" in
    \(options)
        esac
        _describe option items
        return
      fi
      case "$node" in
    \(arguments)
      esac
    }
    if [[ $funcstack[1] == _martlet ]]; then _martlet "$@"; else compdef _martlet martlet; fi

    """
  }

  private var moves: String {
    nodes.filter { !$0.path.isEmpty }.map { node in
      let parent = node.path.dropLast().joined(separator: "/")
      return "      \("\(parent):\(node.path.last ?? "")".shellQuoted)) node=\(node.key.shellQuoted) ;;"
    }.joined(separator: "\n")
  }

  private var values: String {
    var lines: [String] = []
    for node in nodes {
      for option in node.options where option.takesValue {
        let pattern = CompletionNode.spellings(option).map { "\(node.key):\($0)".shellQuoted }.joined(separator: "|")
        lines.append("    \(pattern)) \(completing(option)); return ;;")
      }
    }
    return lines.joined(separator: "\n")
  }

  private func completing(_ option: OptionSpec) -> String {
    switch option.completion {
    case .nothing: "_message \((option.placeholder ?? "").shellQuoted)"
    case .file: "_files"
    case .directory: "_files -/"
    case .choices(let words): "compadd -- \(words.map(\.shellQuoted).joined(separator: " "))"
    }
  }

  private var options: String {
    nodes.map { node in
      let items = node.options.flatMap { option in
        CompletionNode.spellings(option).map { item($0, option.help) }
      }
      return "      \(node.key.shellQuoted)) items=(\(items.joined(separator: " "))) ;;"
    }.joined(separator: "\n")
  }

  private var arguments: String {
    nodes.map { node in
      let action: String
      if !node.subcommands.isEmpty {
        let items = node.subcommands.map { item($0.name, $0.summary) }
        action = "items=(\(items.joined(separator: " "))); _describe command items"
      } else if !node.words.isEmpty {
        action = "compadd -- \(node.words.map(\.shellQuoted).joined(separator: " "))"
      } else {
        action = node.takesFiles ? "_files" : ":"
      }
      return "    \(node.key.shellQuoted)) \(action) ;;"
    }.joined(separator: "\n")
  }

  /// `name:description`, with the colons in a name escaped.
  private func item(_ name: String, _ description: String) -> String {
    (name.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:") + ":" + description)
      .shellQuoted
  }
}
