import Martlet
import MartletJSON

/// What a run is to be like, from all layers of configuration.
struct Settings: Sendable {
  static let standardModel = "local"
  static let standardIterations = 25
  static let standardApproval = ApprovalMode.ask

  var model: String
  /// Models to turn to when it gives no reply.
  var fallbacks: [String]
  var models: ModelSettings
  /// Nil for the usual instructions.
  var system: String?
  /// Directories of skills besides the usual ones.
  var skills: [String]
  var memory: MemoryChoice
  /// Where a catalogue of tools is.
  var toolCatalogue: String?
  /// Nil for all.
  var tools: [String]?
  var approve: ApprovalMode
  var allow: [ToolRule]
  var deny: [ToolRule]
  var options: ModelOptions
  var budget: Budget
  var output: OutputFormat
  var logLevel: LogLevel?

  init(_ reader: SettingsReader) throws(CommandFailure) {
    model = try reader.value(SettingKeys.model) ?? Self.standardModel
    fallbacks = try reader.list(SettingKeys.fallback)
    models = ModelSettings(
      provider: ModelReference.provider(of: model), baseURL: try reader.value(SettingKeys.baseURL),
      keyVariable: try reader.value(SettingKeys.keyVariable), providers: try reader.providers(),
      keepsPrompts: try reader.value(SettingKeys.promptCache) ?? true)
    system = try reader.value(SettingKeys.system)
    skills = try reader.list(SettingKeys.skills)
    memory = try reader.value(SettingKeys.memory) ?? .standard
    if reader.arguments.has(RunOptions.noMemory) { memory = .off }
    toolCatalogue = try reader.value(SettingKeys.toolCatalogue)
    tools = try reader.value(SettingKeys.tools)
    if reader.arguments.has(RunOptions.noTools) { tools = [] }
    approve = try reader.value(SettingKeys.approve) ?? Self.standardApproval
    allow = try reader.list(SettingKeys.allow)
    deny = try reader.all(SettingKeys.deny)
    options = ModelOptions(
      maxOutputTokens: try reader.value(SettingKeys.maxTokens), temperature: try reader.value(SettingKeys.temperature),
      seed: try reader.value(SettingKeys.seed),
      thinking: try reader.value(SettingKeys.thinking).map { ModelOptions.ThinkingLevel(rawValue: $0.rawValue) })
    budget = Budget(
      iterations: try reader.value(SettingKeys.maxIterations) ?? Self.standardIterations,
      tokens: try reader.value(SettingKeys.tokenBudget), usd: try reader.value(SettingKeys.costBudget),
      time: try reader.value(SettingKeys.timeout))
    output = try reader.value(SettingKeys.output) ?? .text
    logLevel = try reader.value(SettingKeys.logLevel)?.level
    switch reader.arguments.count(RunOptions.verbose) {
    case 0: break
    case 1: logLevel = min(logLevel ?? .info, .info)
    default: logLevel = min(logLevel ?? .debug, .debug)
    }
  }
}
