public import MartletJSON
import MartletSync

/// An MCP server: tools, resources, prompts and completions, for clients of every revision.
///
/// ```swift
/// let server = MCPServer(MCPImplementation(name: "dice", version: "1.0"))
/// server.register(MCPTool(name: "roll", description: "Rolls a die.")) { arguments, context in
///   "\(Int.random(in: 1...6))"
/// }
/// try await server.serve(StdioServerTransport())
/// ```
///
/// What is registered may change while clients are connected; they are told. End it with ``close()``.
public final class MCPServer: Sendable {
  /// Runs a tool. The arguments fit its `inputSchema`. A thrown ``MCPErrorObject`` refuses the call; any other error becomes
  /// a failed result with its description, which a model reads.
  public typealias ToolHandler =
    @Sendable (_ arguments: JSONObject, _ context: MCPCallContext) async throws -> MCPCallResult
  /// Reads a resource. `variables` are what a template was filled with, percent-decoded.
  public typealias ResourceHandler =
    @Sendable (
      _ uri: String, _ variables: [String: String], _ context: MCPCallContext
    ) async throws -> [MCPResourceContents]
  /// Fills in a prompt. All required arguments are there.
  public typealias PromptHandler =
    @Sendable (
      _ arguments: [String: String], _ context: MCPCallContext
    ) async throws -> MCPPrompt.Result
  /// Completes an argument; `known` are the other arguments that are filled in already.
  public typealias CompletionHandler =
    @Sendable (
      _ reference: MCPCompletion.Reference, _ argument: String, _ value: String, _ known: [String: String]
    ) async throws -> MCPCompletion

  /// Whether a tool goes on as a task after its answer.
  public enum TaskMode: Sendable, Hashable {
    /// Never, unless its handler says so.
    case never
    /// Where the client takes tasks.
    case allowed
    /// Always; clients that do not take tasks are refused.
    case required
  }

  struct ToolEntry: Sendable {
    let tool: MCPTool
    let mode: TaskMode
    let input: JSONSchema?
    let output: JSONSchema?
    let marked: MarkedArguments
    let handler: ToolHandler
  }

  struct Registry: Sendable {
    var tools: [ToolEntry] = []
    var resources: [(resource: MCPResource, handler: ResourceHandler)] = []
    var templates: [(template: MCPResourceTemplate, pattern: URITemplate, handler: ResourceHandler)] = []
    var prompts: [(prompt: MCPPrompt, handler: PromptHandler)] = []
    var completion: CompletionHandler?
  }

  /// Who the server says it is.
  public let info: MCPImplementation
  /// How it behaves.
  public let configuration: Configuration
  let registry = Locked(Registry())
  let service: (any MCPServerProtocol)?
  /// The service's tools by name, so that their schemas are not compiled for each call.
  private let serviceEntries = Locked<[String: ToolEntry]>([:])
  let changes = ChangeHub()
  /// All who listen, on whatever connection.
  let listeners = ListenGroup()
  let tasks: ServerTaskStore
  let clock: PeerClock
  let requestState: RequestState

  /// A server with nothing on offer yet.
  public convenience init(_ info: MCPImplementation, configuration: Configuration = Configuration()) {
    self.init(info, service: nil, configuration: configuration)
  }

  /// A server that offers the tools of a service, beside what is registered.
  public convenience init(
    _ service: some MCPServerProtocol, info: MCPImplementation = MCPImplementation(name: "martlet", version: "0.1.0"),
    configuration: Configuration = Configuration()
  ) {
    self.init(info, service: service, configuration: configuration)
  }

  private init(_ info: MCPImplementation, service: (any MCPServerProtocol)?, configuration: Configuration) {
    self.info = info
    self.service = service
    self.configuration = configuration
    clock = PeerClock(configuration.clock)
    tasks = ServerTaskStore(clock: clock, limit: configuration.taskLimit)
    requestState = RequestState(key: configuration.stateKey, lifetime: configuration.stateLifetime)
  }

  /// Ends all tasks and waits for them; clients that listen for changes are told that there will be no more. Connections end
  /// by themselves, with their transports.
  public func close() async {
    listeners.end()
    await tasks.close()
  }

  // MARK: What is on offer

  /// Offers a tool; one of the same name is replaced.
  ///
  /// A schema that cannot be used is told to ``Configuration/onFault``: arguments and results are not checked by it then.
  public func register(_ tool: MCPTool, taskMode: TaskMode = .never, handler: @escaping ToolHandler) {
    let entry = entry(tool, taskMode, handler)
    registry.withLock { registry in
      if let index = registry.tools.firstIndex(where: { $0.tool.name == tool.name }) {
        registry.tools[index] = entry
      } else {
        registry.tools.append(entry)
      }
    }
    changes.tell(.tools)
  }

  func entry(_ tool: MCPTool, _ mode: TaskMode, _ handler: @escaping ToolHandler) -> ToolEntry {
    func schema(_ document: JSONValue?, _ what: String) -> JSONSchema? {
      guard let document else { return nil }
      do {
        return try JSONSchema(document, options: .init(ignoresUnusablePatterns: true))
      } catch {
        configuration.onFault("the \(what) of the tool \"\(tool.name)\" cannot be used", error)
        return nil
      }
    }
    let marked: MarkedArguments
    switch MarkedArguments.of(tool.inputSchema) {
    case .success(let found): marked = found
    case .failure(let fault):
      configuration.onFault("the tool \"\(tool.name)\" cannot be called over HTTP: \(fault.reason)", nil)
      marked = MarkedArguments()
    }
    return ToolEntry(
      tool: tool, mode: mode, input: schema(tool.inputSchema, "inputSchema"),
      output: schema(tool.outputSchema, "outputSchema"), marked: marked, handler: handler)
  }

  /// Offers a tool no more.
  public func removeTool(_ name: String) {
    registry.withLock { registry in registry.tools.removeAll { $0.tool.name == name } }
    changes.tell(.tools)
  }

  /// Offers a resource; one of the same address is replaced.
  public func register(_ resource: MCPResource, handler: @escaping ResourceHandler) {
    registry.withLock { registry in
      if let index = registry.resources.firstIndex(where: { $0.resource.uri == resource.uri }) {
        registry.resources[index] = (resource, handler)
      } else {
        registry.resources.append((resource, handler))
      }
    }
    changes.tell(.resources)
  }

  /// Offers a resource no more.
  public func removeResource(_ uri: String) {
    registry.withLock { registry in registry.resources.removeAll { $0.resource.uri == uri } }
    changes.tell(.resources)
  }

  /// Offers a family of resources, by a URI template (RFC 6570): `{name}` stands for anything without a slash, `{+name}` and
  /// `{name*}` for what may hold slashes, `{/name}` for a segment of the path and `{?a,b}` for parameters of the query, which
  /// may be absent.
  public func register(_ template: MCPResourceTemplate, handler: @escaping ResourceHandler) {
    let pattern = URITemplate(template.uriTemplate)
    registry.withLock { registry in
      registry.templates.removeAll { $0.template.uriTemplate == template.uriTemplate }
      registry.templates.append((template, pattern, handler))
    }
    changes.tell(.resources)
  }

  /// Offers a prompt; one of the same name is replaced.
  public func register(_ prompt: MCPPrompt, handler: @escaping PromptHandler) {
    registry.withLock { registry in
      if let index = registry.prompts.firstIndex(where: { $0.prompt.name == prompt.name }) {
        registry.prompts[index] = (prompt, handler)
      } else {
        registry.prompts.append((prompt, handler))
      }
    }
    changes.tell(.prompts)
  }

  /// Offers a prompt no more.
  public func removePrompt(_ name: String) {
    registry.withLock { registry in registry.prompts.removeAll { $0.prompt.name == name } }
    changes.tell(.prompts)
  }

  /// Completes arguments of prompts and resource templates.
  public func setCompletion(_ handler: CompletionHandler?) { registry.withLock { $0.completion = handler } }

  /// Tells those who watch a resource that it has changed.
  public func resourceUpdated(_ uri: String) { changes.tell(.resource(uri: uri)) }

  /// Tells that the service's tools have changed.
  public func toolsChanged() { changes.tell(.tools) }

  /// All tools, registered ones first.
  func toolEntries() async throws -> [ToolEntry] {
    let registered = registry.withLock { $0.tools }
    guard let service else { return registered }
    let names = Set(registered.map(\.tool.name))
    let known = serviceEntries.withLock { $0 }
    let offered = try await service.tools.filter { !names.contains($0.name) }.map { tool in
      if let entry = known[tool.name], entry.tool == tool { return entry }
      return entry(tool, .never) { arguments, _ in try await service.call(tool.name, arguments: arguments) }
    }
    serviceEntries.withLock { $0 = Dictionary(offered.map { ($0.tool.name, $0) }) { first, _ in first } }
    return registered + offered
  }

  /// Arguments of a tool that must be in headers too; nil if there is no such tool.
  func marked(_ name: String) async throws -> MarkedArguments? {
    try await toolEntries().first { $0.tool.name == name }?.marked
  }

  /// What a client of a revision is told that there is.
  func capabilities(_ facts: RevisionFacts) -> MCPServerCapabilities {
    let registry = registry.withLock { $0 }
    var capabilities = MCPServerCapabilities()
    if service != nil || !registry.tools.isEmpty { capabilities.fields["tools"] = ["listChanged": true] }
    if !registry.resources.isEmpty || !registry.templates.isEmpty {
      capabilities.fields["resources"] = ["subscribe": true, "listChanged": true]
    }
    if !registry.prompts.isEmpty { capabilities.fields["prompts"] = ["listChanged": true] }
    if registry.completion != nil, facts.hasCompletionCapability { capabilities.fields["completions"] = [:] }
    capabilities.fields["logging"] = [:]
    switch facts.tasks {
    case .absent: break
    case .core:
      if registry.tools.contains(where: { $0.mode != .never }) {
        capabilities.fields["tasks"] = ["list": [:], "cancel": [:], "requests": ["tools": ["call": [:]]]]
      }
    // A handler may go on as a task, whatever its tool says.
    case .extension: capabilities.fields["extensions"] = .object([MCPExtension.tasks: [:]])
    }
    return capabilities
  }
}
