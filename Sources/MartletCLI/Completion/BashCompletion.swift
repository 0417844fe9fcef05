/// Completion for bash: `martlet completion bash > ~/.local/share/bash-completion/completions/martlet`.
struct BashCompletion {
  let nodes: [CompletionNode]

  var script: String {
    """
    # Completion of martlet for bash, made by `martlet completion bash`.
    _martlet() {
      local current previous node word index
      current=${COMP_WORDS[COMP_CWORD]}
      previous=${COMP_WORDS[COMP_CWORD-1]}
      COMPREPLY=()
      node=
      for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        case "$node:$word" in
    \(moves)
        esac
      done
      case "$node:$previous" in
    \(values)
      esac
      if [[ $current == -* ]]; then
        case "$node" in
    \(options)
        esac
        return
      fi
      case "$node" in
    \(words)
      esac
    }
    complete -F _martlet martlet

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
        lines.append("    \(pattern)) \(completing(option.completion)); return ;;")
      }
    }
    return lines.joined(separator: "\n")
  }

  private func completing(_ completion: ValueCompletion) -> String {
    switch completion {
    case .nothing: ":"
    case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
    case .directory: "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
    case .choices(let words): compgen(words)
    }
  }

  private var options: String {
    nodes.map { node in
      "      \(node.key.shellQuoted)) \(compgen(node.options.flatMap(CompletionNode.spellings))) ;;"
    }.joined(separator: "\n")
  }

  private var words: String {
    nodes.map { node in
      "    \(node.key.shellQuoted)) \(node.takesFiles ? completing(.file) : compgen(node.words)) ;;"
    }.joined(separator: "\n")
  }

  private func compgen(_ words: [String]) -> String {
    words.isEmpty
      ? ":" : "mapfile -t COMPREPLY < <(compgen -W \(words.joined(separator: " ").shellQuoted) -- \"$current\")"
  }
}
