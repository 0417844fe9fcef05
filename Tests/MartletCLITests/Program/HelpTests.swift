import MartletProcess
import Testing

@testable import MartletCLI

@Suite struct `help, version and completion` {
  /// Every command of the table, also those that are not there yet.
  static let paths: [[String]] = {
    func paths(_ command: CommandSpec, _ path: [String]) -> [[String]] {
      [path] + command.subcommands.flatMap { paths($0, path + [$0.name]) }
    }
    return paths(RootCommand.spec, [])
  }()

  @Test(arguments: paths)
  func `every command has help`(_ path: [String]) async throws {
    let program = try Program()
    for flag in ["--help", "-h"] {
      let outcome = try await program.run(path + [flag])
      #expect(outcome.status == 0)
      #expect(outcome.error == "")
      #expect(outcome.output.hasPrefix("Usage: martlet" + path.map { " " + $0 }.joined()))
    }
  }

  @Test func `the version is one line`() async throws {
    let outcome = try await Program().run(["--version"])
    #expect(outcome.status == 0)
    #expect(outcome.output == "martlet \(Version.current)\n")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completion scripts name every command and option that works`(_ shell: String) async throws {
    let script = try await Program().run(["completion", shell]).output
    for node in CompletionNode.all(of: RootCommand.spec) {
      for command in node.subcommands { #expect(script.contains(command.name)) }
      for option in node.options { #expect(script.contains(option.name)) }
    }
    #expect(!script.contains("no-sandbox"))
  }

  @Test(
    .enabled(if: ExecutableSearch.has("bash")),
    arguments: [
      (["martlet", "mod"], "models"), (["martlet", "models", "pu"], "pull"),
      (["martlet", "run", "--app"], "--approve"), (["martlet", "run", "--approve", "re"], "reads"),
      (["martlet", "run", "-o", "jsonl"], "jsonl"), (["martlet", "completion", "z"], "zsh"),
    ])
  func `bash completes`(_ words: [String], _ expected: String) async throws {
    let program = try Program()
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await program.shell(
      """
      eval "$($martlet completion bash)"
      COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _martlet
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(outcome.output.split(separator: "\n").map(String.init) == [expected], "\(outcome.error)")
  }

  @Test(arguments: ["zsh", "fish"])
  func `other shells can read their scripts`(_ shell: String) async throws {
    guard ExecutableSearch.has(shell) else { return }
    let program = try Program()
    let outcome = try await program.shell("$martlet completion \(shell) > script && \(shell) -n script")
    #expect(outcome.status == 0, "\(outcome.error)")
  }
}

/// Whether programs are here that a test can use.
enum ExecutableSearch {
  static func has(_ name: String) -> Bool {
    ["/usr/bin", "/bin", "/usr/local/bin"].contains { access("\($0)/\(name)") }
  }

  private static func access(_ path: String) -> Bool { FileAccess.exists(path) }
}
