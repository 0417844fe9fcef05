import MartletJSON
import Testing

/// Every mistake of a user: the exit status, one sentence with the reason and what to do, and nothing on standard output.
@Suite struct `mistakes of the command line` {
  struct Case: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var status: Int32 = 2
    /// What standard error must say.
    var says: [String]
    var input: String?
    var environment: [String: String] = [:]
    var files: [String: String] = [:]

    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let commandLines: [Case] = [
    Case(arguments: [], says: ["a command is missing", "run, chat", "martlet --help"]),
    Case(arguments: ["rum", "x"], says: ["no command \"rum\"", "did you mean `martlet run`"]),
    Case(arguments: ["What is 2+2?"], says: ["no command", "martlet run PROMPT"]),
    Case(arguments: ["run", "--modle", "x", "hi"], says: ["no option \"--modle\"", "did you mean --model"]),
    Case(arguments: ["run", "-Z", "hi"], says: ["no option \"-Z\"", "martlet run --help"]),
    Case(arguments: ["run", "hi", "there"], says: ["unexpected argument \"there\"", "quotes around PROMPT"]),
    Case(arguments: ["run", "hi", "--output"], says: ["--output takes one of text, json, jsonl"]),
    Case(arguments: ["run", "--output=xml", "hi"], says: ["one of text, json, jsonl", "not \"xml\""]),
    Case(arguments: ["run", "--max-iterations", "0", "hi"], says: ["whole number of at least 1", "not \"0\""]),
    Case(arguments: ["run", "--temperature", "hot", "hi"], says: ["--temperature takes a number", "\"hot\""]),
    Case(arguments: ["run", "--timeout", "soon", "hi"], says: ["such as 90s, 5m", "\"soon\""]),
    Case(arguments: ["run", "--no-tools=yes", "hi"], says: ["--no-tools takes no value"]),
    Case(
      arguments: ["run", "--allow", "rm -rf", "hi"],
      says: ["--allow takes rules such as", "write shell(…) around a command"]),
    Case(arguments: ["run", "  "], says: ["the prompt is empty"]),
    Case(arguments: ["run"], says: ["the prompt is empty"], input: "\n"),
    Case(arguments: ["run", "--file", "no.txt", "hi"], says: ["no file \"no.txt\" to attach", "check its path"]),
    Case(arguments: ["run", "--file", ".", "hi"], says: ["cannot be attached: Is a directory"]),
    Case(
      arguments: ["run", "--file", "b.bin", "hi"], says: ["neither text (UTF-8), an image"], files: ["b.bin": "a\u{0}b"]
    ),
    Case(arguments: ["run", "--cd", "nowhere", "hi"], says: ["no directory \"nowhere\""]),
    Case(arguments: ["run", "--system", "@none.md", "hi"], says: ["instructions cannot be read", "No such file"]),
    Case(arguments: ["run", "--schema", "none.json", "hi"], says: ["schema cannot be read", "No such file"]),
    Case(
      arguments: ["run", "--schema", "s.json", "hi"], says: ["s.json:2:1:"], files: ["s.json": "{\"type\":\n]"]),
    Case(arguments: ["run", "--tools", "calculater", "hi"], says: ["no tool \"calculater\""]),
    Case(arguments: ["run", "--model", "gpt", "hi"], says: ["no model \"gpt\"", "local:NAME", "PROVIDER/ID"]),
    Case(arguments: ["run", "--model", "antropic/x", "hi"], says: ["no model", "did you mean anthropic?"]),
    Case(arguments: ["run", "--model", "x.gguf", "hi"], says: ["for a file, use local:x.gguf"]),
    Case(
      arguments: ["run", "--model", "anthropic", "hi"],
      says: ["no key for Anthropic", "set ANTHROPIC_API_KEY", "~/.config/martlet/keys/anthropic", "600"]),
    Case(
      arguments: ["run", "--model", "anthropic/x", "--api-key-env", "MY_KEY", "hi"],
      says: ["MY_KEY for the key of Anthropic is not set"], environment: ["ANTHROPIC_API_KEY": "unused"]),
    Case(arguments: ["run", "--model", "anthropic", "--base-url", "localhost", "hi"], says: ["an http or https URL"]),
    Case(
      arguments: ["run", "--model", "anthropic", "--fallback", "antropic/x", "hi"],
      says: ["no model", "did you mean anthropic?"], environment: ["ANTHROPIC_API_KEY": "unused"]),
    Case(
      arguments: ["run", "--model", "anthropic/x", "--cost-budget", "1", "hi"], says: ["no price is known"],
      environment: ["ANTHROPIC_API_KEY": "unused"]),
    Case(arguments: ["simulate", "antropic"], says: ["no simulator of \"antropic\"", "did you mean anthropic"]),
    Case(arguments: ["simulate", "gemini", "--port", "99999"], says: ["a port from 0 to 65535"]),
    Case(
      arguments: ["simulate", "gemini", "--script", "s.json"], says: ["s.json: script.replies[0]", "no field \"txt\""],
      files: ["s.json": "{\"replies\": [{\"txt\": \"hi\"}]}"]),
    Case(arguments: ["tools", "call"], says: ["needs NAME"]),
    Case(arguments: ["tools", "call", "nothing"], says: ["no tool \"nothing\"", "martlet tools list"]),
    Case(arguments: ["run", "--skills", "nowhere", "hi"], says: ["no directory \"nowhere\" for skills"]),
    Case(arguments: ["run", "--memory", ".", "hi"], says: ["--memory takes a file", "is a directory"]),
    Case(arguments: ["run", "--mcp", "nowhere", "hi"], says: ["no file \"nowhere\" with MCP servers"]),
    Case(arguments: ["mcp", "call", "x"], says: ["needs TOOL"]),
    Case(arguments: ["mcp", "tools", "x"], says: ["no MCP server \"x\"", "martlet mcp list"]),
    Case(arguments: ["mcp", "serve", "--host", "::1"], says: ["for --http"]),
    Case(arguments: ["skills", "show"], says: ["needs NAME"]),
    Case(arguments: ["skills", "show", "nothing"], says: ["no skill \"nothing\"", "martlet skills list"]),
    Case(arguments: ["skills", "validate", "nowhere"], says: ["no directory or file \"nowhere\""]),
    Case(arguments: ["completion", "tcsh"], says: ["no completion for \"tcsh\"", "bash, zsh or fish"]),
    Case(arguments: ["chat", "--output", "json"], says: ["chat prints text only"]),
  ]

  static let notYet: [Case] = [
    ["cloud", "run"], ["serve", "--port", "80"], ["run", "--no-sandbox", "hi"],
  ].map { Case(arguments: $0, says: ["not available yet"]) }

  static let configurations: [Case] = [
    Case(
      arguments: ["run", "hi"], says: ["~/.config/martlet/config.json:3:1: ", "repair the file"],
      files: [".config/martlet/config.json": "{\n  \"model\": \"local\",\n}"]),
    Case(
      arguments: ["run", "hi"], says: ["config.json:2: maxIterations takes a whole number of at least 1, not \"-3\""],
      files: [".config/martlet/config.json": "{\n  \"maxIterations\": -3\n}"]),
    Case(
      arguments: ["run", "hi"],
      says: ["config.json:3: there is no setting permissions.denny", "approve, allow, ask, deny"],
      files: [".config/martlet/config.json": "{\n  \"permissions\": {\n    \"denny\": [\"shell\"]\n  }\n}"]),
    Case(
      arguments: ["run", "hi"], says: ["config.json:1: a JSON object is expected"],
      files: [".config/martlet/config.json": "[]"]),
    Case(
      arguments: ["run", "hi"], says: [".martlet/config.json:1:13: "],
      files: [".martlet/config.json": "{\"model\": 1 \"x\"}"]),
    Case(
      arguments: ["run", "hi"], says: ["MARTLET_MAX_ITERATIONS takes a whole number", "\"many\""],
      environment: ["MARTLET_MAX_ITERATIONS": "many"]),
    Case(
      arguments: ["run", "hi"], says: ["config.json:3: there is no setting \"baseUrl\"", "did you mean baseURL"],
      files: [".config/martlet/config.json": "{\"providers\": {\n\"anthropic\": {\n\"baseUrl\": \"http://x\"}}}"]),
    Case(
      arguments: ["run", "hi"], says: ["config.json:1: there is no provider \"antropic\"", "did you mean anthropic"],
      files: [".config/martlet/config.json": "{\"providers\": {\"antropic\": {}}}"]),
    Case(
      arguments: ["run", "hi"],
      says: ["config.json:1: requestsPerMinute takes a whole number of at least 1, not \"0\""],
      files: [".config/martlet/config.json": "{\"providers\": {\"anthropic\": {\"requestsPerMinute\": 0}}}"]),
    Case(
      arguments: ["run", "hi"], says: ["config.json:1: permissions takes an object"],
      files: [".config/martlet/config.json": "{\"permissions\": \"all\"}"]),
  ]

  @Test(arguments: commandLines + notYet + configurations)
  func `gets one clear sentence, the right status and no output`(_ mistake: Case) async throws {
    var program = try Program()
    program.environment.merge(mistake.environment) { $1 }
    for (name, text) in mistake.files { try program.home.write(name, text) }
    let outcome = try await program.run(mistake.arguments, input: mistake.input)
    #expect(outcome.status == mistake.status, "\(outcome.error)")
    #expect(outcome.output == "")
    for part in mistake.says { #expect(outcome.error.contains(part), "\(outcome.error)") }
    let lines = outcome.error.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("error: ") } == 1)
    #expect(lines.allSatisfy { $0.hasPrefix("error: ") || $0.hasPrefix("note: ") }, "\(outcome.error)")
  }
}
