import Martlet

/// The options of `run`, `chat` and `resume`.
enum RunOptions {
  static let model = Option<String>(
    "model", short: "m", "M", .text, group: .model,
    "The model: local (the default), local:NAME, local:PATH.gguf, or PROVIDER/ID such as anthropic/claude-opus-5")
  static let baseURL = Option<String>(
    "base-url", "URL", .url, group: .model, "Where the API of the model's provider is, if not at its own place")
  static let keyVariable = Option<String>(
    "api-key-env", "NAME", .text, group: .model, "The environment variable with the key of the model's provider")
  static let fallback = Option<[String]>(
    "fallback", "M", .names, group: .model, repeats: true,
    "A model to turn to when the one before gives no reply")
  static let maxTokens = Option<Int>(
    "max-tokens", "N", .count(from: 1), group: .model, "The most tokens one reply may have (4096)")
  static let temperature = Option<Double>(
    "temperature", "X", .number(0...2), group: .model, "Randomness; 0 gives the likeliest words")
  static let seed = Option<Int>("seed", "N", .count(from: 0), group: .model, "Makes random choices repeatable")
  static let thinking = Option<ThinkingChoice>(
    "thinking", "LEVEL", .choice, group: .model, "How hard to think, where the model can")
  /// Only configuration files and the environment give it.
  static let promptCache = Option<Bool>(
    "prompt-cache", "on|off", .onOff, group: .model,
    "Whether on-device models keep what they computed of instructions and tools for later runs")

  static let system = Option<String>(
    "system", short: "s", "TEXT|@FILE", .text, group: .prompt, "Instructions instead of the usual ones")
  static let file = Option<String>(
    "file", short: "f", "F", .file, group: .prompt, repeats: true, "Attaches a file: text, an image, a PDF")
  static let skills = Option<[String]>(
    "skills", "DIR", .directories, group: .prompt, repeats: true,
    "A directory of skills, before the usual ones")
  static let memory = Option<MemoryChoice>(
    "memory", "FILE", .memory, group: .prompt, "The file that memories are kept in, instead of the usual ones")
  static let noMemory = Option<Bool>(flag: "no-memory", group: .prompt, "No memory: nothing is remembered or known")
  static let schema = Option<String>(
    "schema", "FILE", .file, group: .prompt, "The JSON Schema of the answer: the model must answer with such JSON")

  static let tools = Option<[String]>("tools", "A,B", .names, group: .tools, "Only these tools")
  static let noTools = Option<Bool>(flag: "no-tools", group: .tools, "No tools")
  static let mcp = Option<String>(
    "mcp", "FILE", .file, group: .tools,
    "A file with MCP servers, in the shape that Claude Desktop, Cursor and VS Code use; beside the configured ones")
  static let approve = Option<ApprovalMode>(
    "approve", "MODE", .choice, group: .tools,
    "Which calls run: ask (asks where a tool needs permission; the default), reads (runs read-only tools, asks for the "
      + "rest), all, none (denies instead of asking)")
  static let allow = Option<[PermissionRule]>(
    "allow", "RULE", .rules, group: .tools, repeats: true,
    "Calls that run without asking: read_*, shell(git status*), effect:readOnly")
  static let deny = Option<[PermissionRule]>(
    "deny", "RULE", .rules, group: .tools, repeats: true, "Calls that never run; stronger than --allow")
  static let noSandbox = Option<Bool>(flag: "no-sandbox", group: .tools, isAvailable: false, "No sandbox for tools")

  static let maxIterations = Option<Int>(
    "max-iterations", "N", .count(from: 1), group: .limits, "The most times the model is asked (25)")
  static let tokenBudget = Option<Int>(
    "token-budget", "N", .count(from: 1), group: .limits, "The most tokens, input and output of all requests")
  static let costBudget = Option<Double>(
    "cost-budget", "USD", .number(0...Double.infinity), group: .limits, "The most money")
  static let timeout = Option<Duration>(
    "timeout", "DURATION", .duration, group: .limits, "The most time, such as 90s or 5m; waiting for you does not count"
  )

  static let session = Option<String>(
    "session", "ID", .text, group: .session, "The session to continue, or the beginning of its id")
  static let `continue` = Option<Bool>(
    flag: "continue", short: "c", group: .session, "Continues the session that was changed last")
  static let store = Option<StoreChoice>(
    "store", "URL", .store, group: .session,
    "Where sessions are kept: sqlite:PATH (sessions.db in the data directory is the default), file:DIR, memory:")
  static let record = Option<String>(
    "record", "FILE", .file, group: .session, "Records the run in a new file, without keys and passwords")
  static let replay = Option<String>(
    "replay", "FILE", .file, group: .session,
    "Replays a recording without network, keys or effects, and tells the first event that differs")
  static let from = Option<Int>(
    "from", "N", .count(from: 1), group: .session, "With --replay: goes on live after event N")

  static let output = Option<OutputFormat>(
    "output", short: "o", "FORMAT", .choice,
    "What is printed: text (the answer), json (one object), jsonl (every event)")
  static let verbose = Option<Bool>(
    flag: "verbose", short: "v", repeats: true, "Shows what is done on standard error; twice for more")
  static let logLevel = Option<LogLevelName>("log-level", "LEVEL", .choice, "Which log lines standard error gets")
  static let directory = Option<String>(
    "cd", short: "C", "DIR", .directory, "Works in this directory; relative paths start there")

  static let all: [OptionSpec] = [
    model.spec, baseURL.spec, keyVariable.spec, fallback.spec, maxTokens.spec, temperature.spec, seed.spec,
    thinking.spec, system.spec, skills.spec, memory.spec, noMemory.spec, schema.spec, tools.spec, noTools.spec,
    mcp.spec, approve.spec, allow.spec, deny.spec, noSandbox.spec, maxIterations.spec, tokenBudget.spec,
    costBudget.spec, timeout.spec, session.spec, `continue`.spec, store.spec, record.spec, replay.spec, from.spec,
    output.spec, verbose.spec, logLevel.spec, directory.spec,
  ]
}

/// How hard a model should think.
enum ThinkingChoice: String, Sendable, CaseIterable {
  case off, low, medium, high
}
