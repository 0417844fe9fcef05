import Foundation
import Martlet
import MartletJSON
import MartletSync
import Testing

@testable import MartletCLI

@Suite struct `layers of configuration` {
  let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  private func context(_ environment: [String: String] = [:], terminal: Terminal? = nil) -> (CommandContext, MemorySink)
  {
    let memory = Console.inMemory()
    let context = CommandContext(
      console: memory.console, input: LineInput(descriptor: -1), terminal: terminal,
      environment: ["HOME": home.path].merging(environment) { $1 }, directory: home.path + "/project",
      models: StandardModelCatalog(), tools: StandardToolCatalog())
    return (context, memory.error)
  }

  private func settings(
    _ options: [String] = [], user: String? = nil, project: String? = nil, environment: [String: String] = [:],
    terminal: Terminal? = nil
  ) async throws -> (settings: Settings, notes: String) {
    if let user { try home.write(".config/martlet/config.json", user) }
    try home.write("project/.martlet/config.json", project ?? "{}")
    let (context, error) = context(environment, terminal: terminal)
    guard case .run(_, let arguments) = try ArgumentParser(root: RootCommand.spec).parse(["run", "hi"] + options) else {
      throw CommandFailure.usage("no run")
    }
    let reader = try await ConfigurationLoader(context: context, places: context.places).load(arguments)
    return (try Settings(reader), error.text)
  }

  @Test func `defaults hold where nobody says anything`() async throws {
    let (settings, notes) = try await settings()
    #expect(settings.model == "local")
    #expect(settings.budget.iterations == 25)
    #expect(settings.approval == ApprovalPolicy())
    #expect(settings.tools == nil)
    #expect(settings.output == .text)
    #expect(notes == "")
  }

  @Test func `options are stronger than the environment, which is stronger than files`() async throws {
    let user = #"{"maxIterations": 11, "temperature": 0.1, "seed": 1}"#
    let first = try await settings(user: user)
    #expect(first.settings.budget.iterations == 11)
    let second = try await settings(user: user, environment: ["MARTLET_MAX_ITERATIONS": "12", "MARTLET_SEED": "2"])
    #expect(second.settings.budget.iterations == 12)
    let third = try await settings(
      ["--max-iterations", "13"], user: user, environment: ["MARTLET_MAX_ITERATIONS": "12"])
    #expect(third.settings.budget.iterations == 13)
    #expect(third.settings.options.temperature == 0.1)
    #expect(third.settings.options.seed == 1)
  }

  @Test func `deny rules add up, allow rules replace`() async throws {
    let (settings, _) = try await settings(
      ["--deny", "c", "--deny", "d", "--allow", "x", "--allow", "y"],
      user: #"{"permissions": {"deny": ["a"], "allow": ["u"]}}"#, project: #"{"permissions": {"deny": ["b"]}}"#,
      environment: ["MARTLET_DENY": "e"])
    #expect(settings.approval.rules.deny.map(\.text) == ["a", "b", "e", "c", "d"])
    #expect(settings.approval.rules.allow.map(\.text) == ["x", "y"])
  }

  @Test(arguments: [
    ("options", "--deny takes rules such as shell(git status*), read_* or effect:readOnly, not \"shell(a\": "),
    ("file", "config.json:1: permissions.deny takes rules such as shell(git status*), read_* or effect:readOnly, not "),
    ("split", "config.json:1: permissions.deny takes rules such as"), ("environment", "the environment's MARTLET_DENY"),
  ])
  func `a rule that cannot be read is an error that says why, wherever it stands`(_ place: String, _ says: String)
    async throws
  {
    let failure = await #expect(throws: CommandFailure.self) {
      switch place {
      case "options": _ = try await settings(["--deny", "shell(a"])
      case "file": _ = try await settings(project: #"{"permissions": {"deny": ["grep", "shell(a"]}}"#)
      // Two halves do not make a rule.
      case "split": _ = try await settings(user: #"{"permissions": {"deny": ["shell(a", "b)"]}}"#)
      default: _ = try await settings(environment: ["MARTLET_DENY": "shell(a"])
      }
    }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains(says) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("no closing parenthesis") == true, "\(failure?.message ?? "")")
  }

  @Test func `a project that is not trusted can only tighten`() async throws {
    let (settings, notes) = try await settings(
      user: #"{"maxIterations": 20, "permissions": {"approve": "ask"}}"#,
      project: """
        {"model": "anthropic/x", "maxIterations": 10, "maxTokens": 50, "tools": ["calculator"], "timeout": "10s",
         "system": "obey", "permissions": {"approve": "none", "allow": ["shell"], "deny": ["grep"], "ask": ["read_*"]},
         "mcpServers": {"evil": {"command": "sh"}}}
        """)
    #expect(settings.model == "local")
    #expect(settings.system == nil)
    #expect(settings.approval.rules.allow.isEmpty)
    #expect(settings.budget.iterations == 10)
    #expect(settings.budget.time == .seconds(10))
    #expect(settings.options.maxOutputTokens == 50)
    #expect(settings.tools == ["calculator"])
    #expect(settings.approval.mode == .none)
    #expect(settings.approval.rules.deny.map(\.text) == ["grep"])
    #expect(settings.approval.rules.ask.map(\.text) == ["read_*"])
    #expect(notes.contains("is not trusted"))
    for ignored in ["model", "system", "permissions.allow", "mcpServers"] { #expect(notes.contains(ignored)) }
    #expect(!notes.contains("maxIterations"))
  }

  @Test func `what would loosen is ignored with a notice`() async throws {
    let (settings, notes) = try await settings(
      user: #"{"maxIterations": 5, "permissions": {"approve": "none"}}"#,
      project: #"{"maxIterations": 50, "permissions": {"approve": "all"}}"#)
    #expect(settings.budget.iterations == 5)
    #expect(settings.approval.mode == .none)
    #expect(notes.contains("ignored are permissions.approve, maxIterations"))
  }

  @Test func `a project that only tightens needs no trust`() async throws {
    let (settings, notes) = try await settings(project: #"{"maxIterations": 3, "permissions": {"deny": ["shell"]}}"#)
    #expect(settings.budget.iterations == 3)
    #expect(notes == "")
  }

  @Test(arguments: [("y\n", true), ("n\n", false)])
  func `trust is asked once and remembered by content`(_ typed: String, _ isTrusted: Bool) async throws {
    let pipe = try PipedInput()
    let screen = MemorySink()
    let terminal = Terminal(input: pipe.input, output: screen)
    try pipe.type(typed)
    let project = #"{"model": "ollama/x"}"#
    let first = try await settings(project: project, terminal: terminal)
    #expect(first.settings.model == (isTrusted ? "ollama/x" : "local"))
    #expect(screen.text.contains("sets: model"))
    // Nothing more is typed: asking again would wait for ever.
    let second = try await settings(project: project, terminal: terminal)
    #expect(second.settings.model == first.settings.model)
    #expect(screen.text.components(separatedBy: "Trust this file").count == 2)

    let changed = try await settings(project: #"{"model": "ollama/y"}"#)
    #expect(changed.settings.model == "local")
    #expect(changed.notes.contains("is not trusted"))
    pipe.finish()
  }

  @Test func `the answer is kept where only the user can write`() async throws {
    let pipe = try PipedInput()
    try pipe.type("y\n")
    _ = try await settings(
      project: #"{"model": "ollama/x"}"#, terminal: Terminal(input: pipe.input, output: MemorySink()))
    let path = home.path + "/.local/share/martlet/trust.json"
    #expect(FileAccess.mode(path) == 0o600)
    #expect(FileAccess.mode(home.path + "/.local/share/martlet") == 0o700)
    // A list that others may write to is worth nothing.
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
    let (settings, _) = try await settings(project: #"{"model": "ollama/x"}"#)
    #expect(settings.model == "local")
    pipe.finish()
  }

  @Test func `unknown keys are noticed with their line and the nearest name`() async throws {
    let (_, notes) = try await settings(user: "{\n  \"maxIteration\": 3,\n  \"hooks\": {}\n}")
    #expect(
      notes.contains("config.json:2: there is no setting \"maxIteration\", it is ignored; did you mean maxIterations?"))
    #expect(notes.contains("config.json:3: hooks is not available yet"))
  }

  @Test func `the user's own file is not taken for a project's`() async throws {
    try home.write(".config/martlet/config.json", #"{"model": "ollama/own"}"#)
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/.martlet", withDestinationPath: home.path + "/.config/martlet")
    var (context, error) = context()
    context.directory = home.path
    let reader = try await ConfigurationLoader(context: context, places: context.places).load(ParsedArguments())
    #expect(try Settings(reader).model == "ollama/own")
    #expect(error.text == "")
  }
}
