/// `martlet completion`: scripts for shells.
enum CompletionCommand {
  static let spec: CommandSpec = CommandSpec(
    "completion", "Prints a completion script for a shell",
    discussion:
      "bash: martlet completion bash > ~/.local/share/bash-completion/completions/martlet. zsh: martlet completion zsh > "
      + "a directory of $fpath, as _martlet. fish: martlet completion fish > ~/.config/fish/completions/martlet.fish.",
    arguments: [
      ArgumentSpec("SHELL", completion: .choices(Shell.allCases.map(\.rawValue)), "bash, zsh or fish")
    ]
  ) { arguments, context in
    let name = arguments.positionals[0]
    guard let shell = Shell(rawValue: name) else {
      throw CommandFailure.usage("there is no completion for \(name.quotedShort); use bash, zsh or fish")
    }
    try context.console.write(shell.script(for: RootCommand.spec))
    return .answered
  }
}
