import Martlet
import MartletHTTP
import MartletMCP
import MartletSync

/// The MCP servers that a command uses: started together, asked for credentials and questions on the terminal, ended
/// together.
struct MCPConnections: Sendable {
  let pool: MCPServerPool
  let list: MCPServerList
  private let context: CommandContext
  /// The model that answers servers' sampling requests, once there is one.
  private let model: Locked<(any LanguageModel)?>

  /// - Parameters:
  ///   - approver: asked before a server may use the model.
  ///   - log: gets servers' log messages.
  init(
    _ list: MCPServerList, _ context: CommandContext, approval: ApprovalPolicy = ApprovalPolicy(),
    approver: (any Approver)? = nil, log: any LogSink = NoLogSink()
  ) {
    self.list = list
    self.context = context
    let model = Locked<(any LanguageModel)?>(nil)
    self.model = model
    let sampler = MCPSampler(policy: approval, approver: approver) {
      guard let model = model.withLock({ $0 }) else {
        throw MCPErrorObject(.invalidRequest, "no model is at work here")
      }
      return model
    }
    let elicitor = context.terminal.map { TerminalElicitor(terminal: $0) }
    let directory = context.directory
    var configuration = MCPServerPool.Configuration(log: log)
    configuration.client.info = MCPImplementation(name: "martlet", version: Version.current, title: "Martlet")
    configuration.client.logLevel = MCPLogLevel(log)
    let root = MCPRoot(uri: FileAddress.uri(of: directory), name: directory.split(separator: "/").last.map { "\($0)" })
    configuration.handlers = { server in
      var handlers = MCPClientHandlers(samplesWithTools: true)
      handlers.sampling = { request in try await sampler.answer(request, of: server) }
      handlers.roots = { [root] }
      // Without a person a call that asks one is parked where it can be taken up again; other servers are told that there
      // is nobody.
      handlers.parksElicitation = elicitor == nil
      if let elicitor { handlers.elicitation = { request in try await elicitor.answer(request, of: server) } }
      return handlers
    }
    #if os(Linux)
      let network = SystemTransport.shared
      let authorizers = Locked<[String: OAuthAuthorizer]>([:])
      let authorizer: @Sendable (MCPServerEntry) throws -> OAuthAuthorizer? = { entry in
        // One for each server: it knows what a request lacked when the person is asked for it.
        if let known = authorizers.withLock({ $0[entry.name] }) { return known }
        let new = try Self.authorizer(of: entry, context, network)
        return authorizers.withLock { authorizers in
          if let known = authorizers[entry.name] { return known }
          authorizers[entry.name] = new
          return new
        }
      }
      if context.terminal != nil {
        configuration.signIn = { entry in try await authorizer(entry)?.signIn() }
      }
      pool = MCPServerPool(list.servers, configuration: configuration) { entry in
        try entry.transport(directory: directory, over: network, authorizer: try authorizer(entry))
      }
    #else
      pool = MCPServerPool(list.servers, directory: directory, configuration: configuration)
    #endif
  }

  #if os(Linux)
    private static func authorizer(
      of entry: MCPServerEntry, _ context: CommandContext, _ network: any HTTPTransport
    ) throws -> OAuthAuthorizer? {
      guard case .remote(let url, let headers) = entry.place,
        !headers.keys.contains(where: { $0.lowercased() == "authorization" })
      else { return nil }
      let signIn = ServerSignIn(
        places: context.places, console: context.console, environment: context.environment,
        isAttended: context.terminal != nil)
      let configuration = OAuthConfiguration(client: entry.clientID.map { OAuthClient(id: $0) }, scopes: entry.scopes)
      return try signIn.authorizer(of: url, configuration, transport: network)
    }
  #endif

  /// Whether one of the servers may have a tool of this name.
  func mayHave(_ tool: String) -> Bool {
    list.servers.contains { !$0.isDisabled && tool.hasPrefix($0.toolPrefix) }
  }

  /// Starts the servers, adds their tools to a registry, if one is given, and tells how each is.
  /// - Throws: `CancellationError`, all servers ended: one that was not up by then has not failed.
  func start(into registry: ToolRegistry? = nil, only chosen: Set<String>? = nil) async throws -> [MCPServerStatus] {
    let statuses = await pool.start(into: registry, only: chosen)
    do {
      try Task.checkCancellation()
    } catch {
      await pool.close()
      throw error
    }
    return statuses
  }

  /// Starts the servers and adds their tools. One that cannot be used is a notice.
  /// - Throws: as ``start(into:only:)``.
  func startForAgent(into registry: ToolRegistry, only chosen: [String]? = nil) async throws {
    for problem in list.problems {
      context.console.notice("the MCP server \(problem.name.quotedShort) is left out: \(problem.reason)")
    }
    for status in try await start(into: registry, only: chosen.map(Set.init)) {
      Self.complain(status, context.console)
    }
  }

  /// What keeps a server, or one of its tools, from being used.
  static func complain(_ status: MCPServerStatus, _ console: Console) {
    if let error = status.error {
      console.notice("the MCP server \(status.name.quotedShort) is left out: \(reason(error))")
    }
    for problem in status.problems { console.notice("MCP server \(status.name.quotedShort): \(problem)") }
  }

  /// The reason with the server's own last words.
  static func reason(_ error: MCPError) -> String {
    guard let last = error.serverOutput.last(where: { !$0.isEmpty }) else { return error.message }
    return "\(error.message); it said: \(ControlFilter.line(last).prefix(200))"
  }

  /// Lets servers use this model from here on.
  func use(_ model: any LanguageModel) { self.model.withLock { $0 = model } }
}

/// Paths as `file:` addresses (RFC 8089).
enum FileAddress {
  static func uri(of path: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes = Array("file://".utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
