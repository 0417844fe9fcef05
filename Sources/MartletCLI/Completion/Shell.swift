/// Shells that completion can be made for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The completion script, made from the command table. Commands and options that are not there yet are left out.
  func script(for root: CommandSpec) -> String {
    let nodes = CompletionNode.all(of: root)
    return switch self {
    case .bash: BashCompletion(nodes: nodes).script
    case .zsh: ZshCompletion(nodes: nodes).script
    case .fish: FishCompletion(nodes: nodes).script
    }
  }
}
