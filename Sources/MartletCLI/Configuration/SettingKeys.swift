import Martlet
import MartletJSON

/// Every setting that files and the environment can give, and what an untrusted project may do to it.
enum SettingKeys {
  static let model = Setting(RunOptions.model, "model")
  static let baseURL = Setting(RunOptions.baseURL, "baseURL")
  static let keyVariable = Setting(RunOptions.keyVariable, "apiKeyEnv")
  static let fallback = Setting(RunOptions.fallback, "fallback")
  static let system = Setting(RunOptions.system, "system")
  static let skills = Setting(RunOptions.skills, "skills")
  static let memory = Setting(RunOptions.memory, "memory") { own, project in
    project == .off ? .off : own ?? .standard
  }
  /// Only for files and the environment.
  static let toolCatalogue = Setting(
    Option<String>("tool-catalogue", "URL", .url, group: .tools, "Where a catalogue of tools is"), "toolCatalogue")
  static let tools = Setting(RunOptions.tools, "tools") { own, project in
    own.map { own in own.filter(project.contains) } ?? project
  }
  static let approve = Setting(RunOptions.approve, "permissions", "approve") { own, project in
    (own ?? Settings.standardApproval).tightened(to: project)
  }
  static let allow = Setting(RunOptions.allow, "permissions", "allow")
  /// For files and the environment alone.
  static let ask = Setting(
    Option<[PermissionRule]>("ask", "RULE", .rules, "Calls that are asked about, whatever allows them"), "permissions",
    "ask"
  ) { own, project in (own ?? []) + project }
  static let deny = Setting(RunOptions.deny, "permissions", "deny") { own, project in (own ?? []) + project }
  static let maxTokens = Setting(RunOptions.maxTokens, "maxTokens") { own, project in least(own, project) }
  static let temperature = Setting(RunOptions.temperature, "temperature")
  static let seed = Setting(RunOptions.seed, "seed")
  static let thinking = Setting(RunOptions.thinking, "thinking")
  static let maxIterations = Setting(RunOptions.maxIterations, "maxIterations") { own, project in
    min(own ?? Settings.standardIterations, project)
  }
  static let tokenBudget = Setting(RunOptions.tokenBudget, "tokenBudget") { own, project in least(own, project) }
  static let costBudget = Setting(RunOptions.costBudget, "costBudget") { own, project in least(own, project) }
  static let timeout = Setting(RunOptions.timeout, "timeout") { own, project in least(own, project) }
  static let promptCache = Setting(RunOptions.promptCache, "promptCache") { own, project in (own ?? true) && project }
  static let output = Setting(RunOptions.output, "output")
  static let logLevel = Setting(RunOptions.logLevel, "logLevel")

  /// A setting without its type.
  struct Entry: Sendable {
    let path: [String]
    /// The environment's variable for it; nil where the environment has no say.
    var variable: String?
    /// Whether a project's value, untrusted, would not be what it asks for.
    let asksForMore: @Sendable (_ own: ConfigurationFile?, _ project: ConfigurationFile) -> Bool
  }

  static let all: [Entry] = [
    entry(model), entry(baseURL), entry(keyVariable), entry(fallback),
    Entry(path: ["providers"]) { _, project in project.value(["providers"]).map { !$0.isNull } ?? false },
    Entry(path: [MCPSources.key]) { _, project in project.value([MCPSources.key]).map { !$0.isNull } ?? false },
    entry(system), entry(skills), entry(memory), entry(toolCatalogue), entry(tools), entry(approve), entry(allow),
    Entry(path: ask.path, variable: ask.variable) { _, _ in false },
    Entry(path: deny.path, variable: deny.variable) { _, _ in false },
    entry(maxTokens), entry(temperature), entry(seed), entry(thinking), entry(maxIterations), entry(tokenBudget),
    entry(costBudget), entry(timeout), entry(promptCache), entry(output), entry(logLevel),
  ]

  /// Keys whose time has not come.
  static let later: Set<String> = ["hooks", "agents"]

  private static func entry<Value: Equatable>(_ setting: Setting<Value>) -> Entry {
    Entry(path: setting.path, variable: setting.variable) { own, project in
      guard let theirs = project.value(setting.path).flatMap(setting.read) else { return false }
      guard let tighten = setting.tighten else { return true }
      return tighten(own?.value(setting.path).flatMap(setting.read), theirs) != theirs
    }
  }

  private static func least<Value: Comparable>(_ own: Value?, _ project: Value) -> Value {
    own.map { min($0, project) } ?? project
  }
}
