import FoundationEssentials
import Martlet
import MartletJSON
import MartletMCP

/// Everything that is decided before the first prompt: settings, tools, instructions, policy.
struct AgentSetup: Sendable {
  let context: CommandContext
  let settings: Settings
  let registry: ToolRegistry
  let definitions: [ToolDefinition]
  let configuration: AgentConfiguration
  /// Instructions of the project, memory, skills.
  let knowledge: AgentKnowledge
  let store: any SessionStore
  /// The session to go on with; nil begins one.
  let session: String?
  /// MCP servers, started; nil where there are none.
  let connections: MCPConnections?
  /// Where answers that hold for longer are kept.
  private let permissions: KeptPermissions
  /// The command that takes up a run that is parked, without the session's id; nil where nothing is stored.
  private let resumption: String?
  /// The model that the run to be resumed had; nil where there is none, or another one was asked for.
  private let resumedModel: String?
  /// How models are reached. An address and a key of the options are about the model that is asked, which on resuming is
  /// the session's.
  private let models: ModelSettings

  static let standardInstructions = """
    You are a helpful assistant. Use the tools you have where they help; never guess what a tool can tell you. \
    Answer in the user's language, briefly and plainly.
    """

  /// What an agent is for.
  enum Use {
    /// The user's own conversation.
    case conversation
    /// Other programs, through MCP: nobody is asked, and configured MCP servers are not used.
    case serving
  }

  /// End it with `close()`.
  /// - Parameters:
  ///   - context: in the directory of `--cd` already.
  ///   - resumed: the session whose run is to be finished, as the user names it.
  init(
    context: CommandContext, arguments: ParsedArguments, resuming resumed: String? = nil, use: Use = .conversation
  ) async throws {
    let recording = try RunRecording(arguments, context)
    let arguments = recording.arguments
    let places = context.places
    let loader = ConfigurationLoader(context: context, places: places)
    // A replay is set up as the recorded run was, whatever is here.
    let reader =
      if let setup = recording.setup { setup.reader(arguments) } else { try await loader.load(arguments) }
    settings = try Settings(reader)

    let offersSkills = recording.isOffline ? recording.setup?.offersSkills : nil
    knowledge = try await AgentKnowledge(settings, context, offersSkills: offersSkills)
    let log = Self.log(settings, context)
    var servers = MCPServerList()
    if !recording.isOffline {
      let reader = recording.setup == nil ? reader : try await loader.load(arguments)
      servers = try MCPSources(reader, context, usesConfiguration: use == .conversation).list
    }
    let hasServers = settings.tools?.isEmpty != true && !(servers.servers.isEmpty && servers.problems.isEmpty)
    let tools = try Self.choose(
      settings.tools, besides: recording.isOffline ? nil : hasServers ? servers : MCPServerList(),
      from: try context.tools.tools(directory: context.directory)
        + (use == .conversation ? knowledge.conversationTools(settings) : knowledge.tools))
    do {
      registry = try ToolRegistry(tools)
    } catch {
      throw CommandFailure.failed("the tools cannot be used: \(error)", underlying: error)
    }
    var catalogue = recording.setup?.catalogue
    if let catalogue {
      await registry.apply(catalogue)
    } else if recording.replay == nil, let url = settings.toolCatalogue {
      catalogue = try await CatalogueTools(url: url, isChosen: settings.tools != nil, context: context)
        .apply(to: registry)
    }

    var system: String?
    if recording.holds(RunOptions.system) {
      system = recording.setup?.instructions
    } else {
      system = try Self.instructions(settings, context)
    }
    var configuration = AgentConfiguration(
      instructions: system ?? Self.standardInstructions, options: settings.options, budget: settings.budget,
      workingDirectory: context.directory)
    configuration.approval = settings.approval
    permissions = KeptPermissions(places: places, isProjectTrusted: reader.mayKeepRulesInProject)
    configuration.permissionStore = recording.permissions(permissions)
    configuration.sources = knowledge.sources(with: tools)
    if recording.holds(RunOptions.schema) {
      configuration.outputSchema = recording.setup?.outputSchema
    } else if let path = arguments[RunOptions.schema] {
      configuration.outputSchema = try Self.schema(path, places)
    }
    configuration.asksAboutLostCalls = recording.asksAboutLostCalls ?? (context.terminal != nil)

    let store = try recording.store(arguments, context)
    let storeOption = arguments.text(RunOptions.store.spec)
    resumption =
      storeOption?.hasPrefix("memory:") == true
      ? nil : "martlet resume" + (storeOption.map { " --store \($0.shellWord)" } ?? "")
    let sessions = StoredSessions(store: store)
    var session = recording.replay?.session
    if session != nil {
      // The recorded one.
    } else if let named = resumed ?? arguments[RunOptions.session] {
      session = try await sessions.id(named)
    } else if arguments.has(RunOptions.continue) {
      session = try await sessions.latest()
    }
    self.session = session
    var model: String?
    if resumed != nil, let session, arguments[RunOptions.model] == nil {
      model = AgentLoop(folding: try await sessions.records(of: session)).context?.model
      // Models of this device are named otherwise on the command line, and there the setting counts.
      if model?.hasPrefix("local") == true { model = nil }
    }
    resumedModel = model
    var models = settings.models
    if let model, arguments[RunOptions.baseURL] != nil || arguments[RunOptions.keyVariable] != nil {
      models.provider = ModelReference.provider(of: model)
    }
    self.models = models
    let recorded = try recording.begun(
      model: model ?? settings.model, asksAboutLostCalls: configuration.asksAboutLostCalls,
      setup: RecordedSetup(
        reader, instructions: system, outputSchema: configuration.outputSchema, catalogue: catalogue,
        offersSkills: tools.contains { $0 is LoadSkillTool }, scopes: permissions.scopes), context)
    self.context = recorded
    self.store = recorded.recorder.map { $0.recording(store) } ?? store
    let approver: any Approver =
      use == .serving ? AbsentApprover() : TerminalApprover(terminal: context.terminal, tools: registry)
    configuration.approver = recording.approver(approver, recorded)
    if use == .conversation, let terminal = context.terminal {
      configuration.inputProvider = recording.inputs(TerminalInputs(terminal: terminal))
    }
    self.configuration = configuration

    // Last, so that nothing can fail while servers run.
    var connections: MCPConnections?
    if hasServers {
      let started = MCPConnections(
        servers, context, approval: configuration.approval, approver: configuration.approver, log: log)
      try await started.startForAgent(into: registry, only: settings.tools)
      connections = started
    }
    self.connections = connections
    definitions = await registry.definitions
    if !recording.isOffline,
      let missing = settings.tools?.first(where: { name in !definitions.contains { $0.name == name } })
    {
      let near = NearestName.of(missing, among: definitions.map(\.name))
      await connections?.pool.close()
      throw CommandFailure.usage(
        "no MCP server has a tool \(missing.quotedShort) now; "
          + (near.map { "did you mean \($0)?" } ?? "`martlet tools list` shows what there is"))
    }
  }

  /// Ends what was started for the agents; they are of no more use.
  func close() async { await connections?.pool.close() }

  /// Opens the model and makes the agent. The model named is the settings' own unless another is given.
  /// - Parameter session: the session to go on with, where it is not the one that the user named.
  func makeAgent(model name: String? = nil, session: String? = nil) async throws -> Agent {
    let opener = RecordedModels(context: context, settings: models)
    let model = try await opener.model(named: name ?? resumedModel ?? settings.model)
    var configuration = configuration
    configuration.approval.rules.add(permissions.rules)
    for (index, name) in settings.fallbacks.enumerated() {
      configuration.fallbacks.append(try await opener.fallback(named: name, at: index))
    }
    if settings.budget.usd != nil,
      let unpriced = ([model] + configuration.fallbacks).first(where: { $0.info.price == nil })
    {
      throw CommandFailure.usage(
        "--cost-budget cannot hold: no price is known for \(unpriced.info.name); use --token-budget instead")
    }
    var environment = environment
    if !context.isOffline {
      environment.executor = context.models.executor(for: name ?? resumedModel ?? settings.model)
    }
    let agent = Agent(
      model: model, tools: registry, configuration: configuration, session: session ?? self.session,
      owner: StoredSessions.owner, store: store, environment: environment)
    connections?.use(agent.sideModel(for: .sampling))
    return agent
  }

  /// Ends the recording, where there is one; false when it is not complete, which has been said then.
  @discardableResult
  func endRecording() -> Bool {
    guard let recorder = context.recorder else { return true }
    do {
      try recorder.finish()
      return true
    } catch {
      context.console.problem((error as? RecordingError)?.message ?? "the recording is not complete: \(error)")
      return false
    }
  }

  /// What carries out prompts with an agent.
  func session(_ agent: Agent) -> RunSession {
    RunSession(agent: agent, context: context, budget: settings.budget, store: store, resumption: resumption)
  }

  private var environment: AgentEnvironment {
    let environment = AgentEnvironment(log: log)
    return context.recorder?.environment(environment) ?? context.replay?.environment(environment) ?? environment
  }

  var log: any LogSink { Self.log(settings, context) }

  private static func log(_ settings: Settings, _ context: CommandContext) -> any LogSink {
    settings.logLevel.map { ConsoleLog(console: context.console, level: $0) } ?? NoLogSink()
  }

  private static func choose(
    _ names: [String]?, besides servers: MCPServerList?, from tools: [any Tool]
  ) throws(CommandFailure) -> [any Tool] {
    guard let names else { return tools }
    // A replay knows by its recording what else there was.
    guard let servers else { return tools.filter { names.contains($0.name) } }
    let prefixes = servers.servers.filter { !$0.isDisabled }.map(\.toolPrefix)
    for name in names where !tools.contains(where: { $0.name == name }) {
      if prefixes.contains(where: name.hasPrefix) { continue }
      let near = NearestName.of(name, among: tools.map(\.name))
      throw .usage(
        "there is no tool \(name.quotedShort); "
          + (near.map { "did you mean \($0)?" } ?? "`martlet tools list` shows what there is"))
    }
    return tools.filter { names.contains($0.name) }
  }

  /// The user's own instructions; nil for the usual ones.
  private static func instructions(_ settings: Settings, _ context: CommandContext) throws(CommandFailure) -> String? {
    guard var instructions = settings.system else { return nil }
    if instructions.hasPrefix("@") {
      let path = String(instructions.dropFirst())
      instructions = try readText(path, "the instructions", context.places)
    }
    return instructions
  }

  private static func schema(_ path: String, _ places: Places) throws(CommandFailure) -> JSONValue {
    let text = try readText(path, "the schema", places)
    do {
      let schema = try JSONValue(parsing: text)
      _ = try JSONSchema(schema)
      return schema
    } catch let error as JSONError {
      throw .usage("\(path):\(error.position.line):\(error.position.column): \(error.message.lowercasedFirst)")
    } catch {
      throw .usage("\(path): this is no JSON Schema that can be used: \(error)", underlying: error)
    }
  }

  static func readText(_ path: String, _ what: String, _ places: Places) throws(CommandFailure) -> String {
    let bytes: [UInt8]
    do {
      bytes = try FileAccess.read(places.path(path), pipes: true)
    } catch {
      throw .usage("\(what) cannot be read from \(path.quotedShort): \(error.reason)", underlying: error)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage("\(what) in \(path.quotedShort) is not text (UTF-8)")
    }
    return text
  }
}
