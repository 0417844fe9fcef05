public import Martlet
import MartletJSON
import MartletSync

/// The MCP servers of an agent: started side by side, their tools offered as the agent's own, ended together.
///
/// A server that cannot be reached keeps nobody waiting beyond its time and takes nothing from the others. One that ends
/// later is started again by the next call of one of its tools. When a server's tools change, the registry's do: an agent
/// takes them up with its next prompt.
///
/// ```swift
/// let pool = MCPServerPool(servers, directory: "/home/ada/project")
/// let registry = ToolRegistry()
/// await pool.start(into: registry)
/// var configuration = AgentConfiguration()
/// configuration.resources = [pool]           // Agent.close() ends the servers
/// ```
public actor MCPServerPool: AgentResource {
  private struct Member {
    let entry: MCPServerEntry
    var client: MCPClient?
    var state: MCPServerStatus.State
    var tools: [MCPAgentTool] = []
    var problems: [String] = []
    /// Whether the server was lost since its tools were listed.
    var isStale = false
    /// Reads what it tells; owned by the pool.
    var watch: Task<Void, Never>?
  }

  /// Makes the way to a server.
  public typealias Connector = @Sendable (MCPServerEntry) throws -> any MCPTransport

  private let configuration: Configuration
  private let connector: Connector
  private var members: [String: Member] = [:]
  private var registry: ToolRegistry?
  /// Which tools are offered; nil for all.
  private var chosen: Set<String>?
  /// The names that this pool has put into the registry.
  private var registered: [String: ToolDefinition] = [:]
  private var isClosed = false

  /// A pool of servers. Nothing is started yet.
  /// - Parameters:
  ///   - servers: with different names; of those with one name the last counts.
  ///   - connector: makes the way to each.
  public init(
    _ servers: [MCPServerEntry], configuration: Configuration = Configuration(), connector: @escaping Connector
  ) {
    self.configuration = configuration
    self.connector = connector
    for entry in servers {
      members[entry.name] = Member(entry: entry, state: entry.isDisabled ? .disabled : .idle)
    }
  }

  /// A pool of servers. Nothing is started yet.
  /// - Parameter directory: where programs work that have no directory of their own.
  public init(_ servers: [MCPServerEntry], directory: String, configuration: Configuration = Configuration()) {
    self.init(servers, configuration: configuration) { try $0.transport(directory: directory) }
  }

  /// How the servers are, by name.
  public var statuses: [MCPServerStatus] {
    members.values.map { member in
      MCPServerStatus(
        name: member.entry.name, place: member.entry.placeText, state: member.state, toolCount: member.tools.count,
        problems: member.problems)
    }
    .sorted { $0.name < $1.name }
  }

  /// The tools of all servers that could be reached, by name: the same whatever order the servers came up in.
  public var tools: [MCPAgentTool] {
    members.values.flatMap(\.tools).sorted { ($0.name, $0.server, $0.tool.name) < ($1.name, $1.server, $1.tool.name) }
  }

  /// The tools of one server.
  public func tools(of server: String) -> [MCPAgentTool] { tools.filter { $0.server == server } }

  /// The client of a server that has been reached; nil for another.
  public func client(of server: String) -> MCPClient? { members[server]?.client }

  /// Gets what the last request to a server lacked, perhaps from a person, as the configuration says.
  /// - Returns: false where there is no way to.
  public func signIn(to server: String) async throws -> Bool {
    guard let signIn = configuration.signIn, let entry = members[server]?.entry else { return false }
    try await signIn(entry)
    return true
  }

  /// Reaches all servers, side by side, and returns when each has answered, failed or used up its time.
  /// - Parameters:
  ///   - registry: gets the tools, now and when they change.
  ///   - chosen: the only tools to offer; nil for all. A server is left alone if it can have none of them.
  /// - Returns: how the servers are.
  @discardableResult
  public func start(into registry: ToolRegistry? = nil, only chosen: Set<String>? = nil) async -> [MCPServerStatus] {
    self.registry = registry ?? self.registry
    self.chosen = chosen
    let idle = members.values.filter { member in
      guard case .idle = member.state else { return false }
      return chosen?.contains { $0.hasPrefix(member.entry.toolPrefix) } ?? true
    }
    for member in idle { members[member.entry.name]?.state = .starting }
    await withTaskGroup(of: Void.self) { group in
      for member in idle { group.addTask { await self.start(member.entry) } }
    }
    await updateRegistry()
    return statuses
  }

  /// Ends all servers that were started here, and waits until nothing is left. The pool is of no more use.
  public func close() async {
    isClosed = true
    let old = members.values.map { ($0.client, $0.watch) }
    for name in members.keys {
      members[name]?.watch = nil
      members[name]?.client = nil
    }
    await withTaskGroup(of: Void.self) { group in
      for (client, watch) in old {
        group.addTask {
          watch?.cancel()
          await client?.close()
          await watch?.value
        }
      }
    }
  }

  // MARK: Starting

  private func start(_ entry: MCPServerEntry) async {
    do {
      do {
        try await connect(entry)
      } catch let error as MCPError where error.code == .unauthorized {
        guard let signIn = configuration.signIn else { throw error }
        try await signIn(entry)
        try await connect(entry)
      }
    } catch {
      let failure = Self.failure(error)
      members[entry.name]?.state = .failed(failure)
      configuration.log.log(
        .warning, "an MCP server cannot be used", metadata: ["mcp.server": entry.name, "error": failure.message])
    }
  }

  private func connect(_ entry: MCPServerEntry) async throws {
    var settings = configuration.client
    settings.handlers = configuration.handlers(entry.name)
    let log = configuration.log
    let report = settings.onIncident
    let stray = Locked<MCPFault?>(nil)
    settings.onIncident = { incident in
      report(incident)
      if case .fault(let fault) = incident { stray.withLock { $0 = $0 ?? fault } }
      log.log(
        .debug, "an MCP server did something wrong", metadata: ["mcp.server": entry.name, "fault": "\(incident)"])
    }
    let transport = try connector(entry)
    let client = MCPClient(transport, configuration: settings)
    // Before anything can be told.
    let notifications = client.notifications()
    do {
      let (info, list) = try await limited(settings.clock) {
        let info = try await client.connect()
        return (info, try await client.toolList())
      }
      guard !isClosed else { throw CancellationError() }
      members[entry.name]?.client = client
      members[entry.name]?.state = .ready(info)
      take(list, of: entry, client)
      members[entry.name]?.watch = watch(entry.name, client, notifications, info)
    } catch let error as MCPError {
      // Before the process is forgotten.
      let lines = transport.errorLines
      await client.close()
      throw Self.explained(error, stray: stray.withLock { $0 }, lines)
    } catch {
      await client.close()
      throw error
    }
  }

  /// Why a server did not come up, with what it said instead.
  private static func explained(_ error: MCPError, stray: MCPFault?, _ lines: [String]) -> MCPError {
    guard error.code == .timedOut || error.code == .connectionClosed else { return error }
    return MCPError(
      error.code, error.message + (stray.map { ", and wrote what is no message: \($0)" } ?? ""), status: error.status,
      serverOutput: error.serverOutput.isEmpty ? lines : error.serverOutput, underlying: error.underlying)
  }

  private func limited<Result: Sendable>(
    _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let limit = configuration.startTimeout
    return try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await clock.sleep(for: limit)
        throw MCPError(.timedOut, "it did not start within \(limit)")
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  private func take(_ list: MCPList<MCPTool>, of entry: MCPServerEntry, _ client: MCPClient) {
    var problems = list.problems.map { "\($0)" }
    var tools: [String: MCPAgentTool] = [:]
    var signIn: (@Sendable () async throws -> Void)?
    if let ask = configuration.signIn { signIn = { try await ask(entry) } }
    for tool in list.items.sorted(by: { $0.name < $1.name }) {
      let adapted = MCPAgentTool(
        tool, server: entry.name, client: client, isTrusted: entry.isTrusted, signIn: signIn
      ) { [weak self] in
        await self?.refresh(entry.name)
      }
      guard let adapted else {
        problems.append("\(tool.name): its parameters cannot be used")
        continue
      }
      if tools[adapted.name] == nil {
        tools[adapted.name] = adapted
      } else {
        problems.append("\(tool.name): another tool has the name \(adapted.name)")
      }
    }
    members[entry.name]?.tools = Array(tools.values)
    members[entry.name]?.problems = problems
    for problem in problems {
      configuration.log.log(
        .warning, "an MCP server's tool is left out", metadata: ["mcp.server": entry.name, "reason": problem])
    }
  }

  private static func failure(_ error: any Error) -> MCPError {
    if let error = error as? MCPError { return error }
    if let error = error as? AuthorizationError {
      return MCPError(.unauthorized, error.message, underlying: error)
    }
    return MCPError(.cannotStart, error is CancellationError ? "it was stopped" : "\(error)", underlying: error)
  }

  // MARK: What servers tell

  private func watch(
    _ name: String, _ client: MCPClient, _ notifications: MCPNotifications, _ info: MCPServerInfo
  ) -> Task<Void, Never> {
    // Owned by the member; `close` cancels and awaits it.
    Task {
      await withTaskGroup(of: Void.self) { group in
        if info.capabilities.tellsToolChanges {
          group.addTask {
            do {
              for try await _ in try await client.listen(MCPListenFilter(tools: true)) {}
            } catch {
              // Without it changes are seen after the next start.
            }
          }
        }
        do {
          for try await notification in notifications { await take(notification, of: name) }
        } catch {
          // Cancelled: the pool is being closed.
        }
        group.cancelAll()
      }
    }
  }

  private func take(_ notification: MCPNotification, of name: String) async {
    switch notification {
    case .toolsChanged: await reload(name)
    case .disconnected(let error):
      guard !isClosed else { return }
      members[name]?.state = .lost(error)
      members[name]?.isStale = true
      configuration.log.log(
        .warning, "an MCP server has ended", metadata: ["mcp.server": name, "error": error.message])
    case .log(let message):
      configuration.log.log(
        message.level.logLevel, "an MCP server's log",
        metadata: [
          "mcp.server": name, "mcp.logger": message.logger ?? "",
          "message": message.data.stringValue ?? message.data.text(),
        ])
    case .promptsChanged, .resourcesChanged, .resourceUpdated, .task, .elicitationCompleted, .other: break
    }
  }

  /// After a call that was answered: a server that was lost is back, perhaps with other tools.
  private func refresh(_ name: String) async {
    guard members[name]?.isStale == true else { return }
    members[name]?.isStale = false
    await reload(name)
  }

  private func reload(_ name: String) async {
    guard let member = members[name], let client = member.client, !isClosed else { return }
    do {
      let list = try await client.toolList(options: MCPRequestOptions(usesCache: false))
      let info = try await client.connect()
      guard !isClosed else { return }
      members[name]?.state = .ready(info)
      take(list, of: member.entry, client)
      await updateRegistry()
    } catch {
      configuration.log.log(
        .warning, "an MCP server's tools cannot be listed",
        metadata: ["mcp.server": name, "error": Self.failure(error).message])
    }
  }

  // MARK: The registry

  /// Brings the registry in line with the servers. Tools that the user did not choose stay out.
  private func updateRegistry() async {
    guard let registry else { return }
    let wanted = tools.filter { chosen?.contains($0.name) ?? true }
    let names = Set(wanted.map(\.name))
    // Taken before anything is awaited: an update that comes meanwhile sees it.
    let old = registered
    var next: [String: ToolDefinition] = [:]
    for tool in wanted { next[tool.name] = try? tool.definition }
    registered = next
    for name in old.keys.sorted() where !names.contains(name) { await registry.unregister(name) }
    for tool in wanted where old[tool.name] != next[tool.name] {
      do {
        if old[tool.name] == nil {
          try await registry.register(tool)
        } else {
          try await registry.replace(tool)
        }
      } catch {
        registered[tool.name] = nil
        members[tool.server]?.problems.append("\(tool.tool.name): \(error)")
        configuration.log.log(
          .warning, "an MCP server's tool is left out", metadata: ["mcp.server": tool.server, "reason": "\(error)"])
      }
    }
  }
}

extension MCPLogLevel {
  /// The level of our own log.
  var logLevel: LogLevel {
    switch self {
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    case .critical, .alert, .emergency: .critical
    }
  }

  /// The least level to ask servers for, to serve a log.
  package init?(_ log: any LogSink) {
    let levels: [(LogLevel, MCPLogLevel)] = [
      (.debug, .debug), (.info, .info), (.notice, .notice), (.warning, .warning), (.error, .error),
      (.critical, .critical),
    ]
    guard let level = levels.first(where: { log.isEnabled(for: $0.0) })?.1 else { return nil }
    self = level
  }
}
