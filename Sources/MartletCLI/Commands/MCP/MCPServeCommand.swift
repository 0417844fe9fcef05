import Martlet
import MartletCrypto
import MartletHTTP
import MartletJSON
import MartletMCP

#if os(Linux)
  import MartletHTTPServer
#endif

/// `martlet mcp serve`: Martlet's tools, and an agent, for other programs.
enum MCPServeCommand {
  private static let http = Option<Int>(
    "http", "PORT", .port, "Serves over HTTP at this port, 0 for a free one; without it over standard input and output")
  private static let host = Option<String>(
    "host", "H", .text, "The address to listen on (127.0.0.1); others need a token")
  private static let tokenFile = Option<String>(
    "token-file", "FILE", .file, "A file of yours alone with the token that clients must bring; else MARTLET_MCP_TOKEN")
  private static let noAgent = Option<Bool>(flag: "no-agent", "Leaves out ask_agent")
  static let tokenVariable = "MARTLET_MCP_TOKEN"

  private static let left: Set = [
    RunOptions.session.spec.name, RunOptions.continue.spec.name, RunOptions.output.spec.name,
    RunOptions.schema.spec.name, RunOptions.record.spec.name, RunOptions.replay.spec.name, RunOptions.from.spec.name,
  ]

  static let spec = CommandSpec(
    "serve", "Offers Martlet's tools and an agent (ask_agent) to MCP clients",
    discussion:
      "Over HTTP it prints its address on the first line of standard output and serves until Ctrl-C or SIGTERM. Nobody is "
      + "asked: a tool that needs permission is refused unless --allow or --approve lets it run. Configured MCP servers are "
      + "not used, so that a configuration may name Martlet itself; those of --mcp are.",
    options: [http.spec, host.spec, tokenFile.spec, noAgent.spec]
      + RunOptions.all.filter { !left.contains($0.name) }
  ) { arguments, context in
    var context = try context.entering(arguments[RunOptions.directory])
    // The streams are the client's; there is nobody to ask.
    context.terminal = nil
    let port = arguments[http]
    let token = try token(arguments, context)
    let address = arguments[host] ?? "127.0.0.1"
    if port == nil, arguments[host] != nil || arguments[tokenFile] != nil {
      throw CommandFailure.usage("--host and --token-file are for --http")
    }
    if port != nil, token == nil, !isLoopback(address) {
      throw CommandFailure.usage(
        "whoever reaches \(address) could use the tools: give --token-file FILE or set \(tokenVariable)")
    }
    let setup = try await AgentSetup(context: context, arguments: arguments, use: .serving)
    do {
      let server = try await makeServer(setup, hasAgent: !arguments.has(noAgent))
      let status: ExitStatus
      if let port {
        status = try await serve(server, address, port, token, context)
      } else {
        status = try await serveStreams(server, context)
      }
      await server.close()
      await setup.close()
      return status
    } catch {
      await setup.close()
      throw error
    }
  }

  /// A server with the tools of an agent and the agent itself.
  static func makeServer(_ setup: AgentSetup, hasAgent: Bool) async throws -> MCPServer {
    let console = setup.context.console
    var configuration = MCPServer.Configuration()
    configuration.onFault = { what, error in console.notice(what + (error.map { ": \($0)" } ?? "")) }
    let server = MCPServer(
      MCPImplementation(name: "martlet", version: Version.current, title: "Martlet"), configuration: configuration)
    // Memory and skills are the agent's own: whoever may call a tool may not write what the user's agents are told.
    let own = Set(setup.knowledge.tools.map(\.name))
    server.register(
      await setup.registry.all.filter { !own.contains($0.definition.name) }, policy: setup.settings.approval,
      workingDirectory: setup.context.directory,
      environment: AgentEnvironment(log: setup.log), advice: "; start `martlet mcp serve` with --allow for it")
    if hasAgent { AskAgent(setup: setup).register(with: server) }
    return server
  }

  private static func serveStreams(_ server: MCPServer, _ context: CommandContext) async throws -> ExitStatus {
    let transport = StdioServerTransport()
    let signals = context.interrupts.signals()
    return try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
      group.addTask {
        do { try await server.serve(transport) } catch let error as MCPError where error.code == .connectionClosed {}
        return .answered
      }
      group.addTask {
        for await signal in signals { return signal.status }
        return nil
      }
      defer { group.cancelAll() }
      while let status = try await group.next() {
        if let status { return status }
      }
      return .answered
    }
  }

  private static func serve(
    _ server: MCPServer, _ address: String, _ port: Int, _ token: [UInt8]?, _ context: CommandContext
  ) async throws -> ExitStatus {
    #if os(Linux)
      var configuration = MCPHTTPHandler.Configuration()
      if address == "0.0.0.0" || address == "::" {
        // Any name; the token keeps other people's pages out.
        configuration.hosts = []
      } else {
        configuration.hosts.insert(address.contains(":") ? "[\(address)]" : address)
      }
      if let token {
        configuration.authorize = { headers in
          let given = headers["authorization"] ?? ""
          let scheme = "bearer "
          guard given.lowercased().hasPrefix(scheme),
            // Of equal length, whatever was given: nothing is told by the time it takes.
            SHA256.hash(Array(given.dropFirst(scheme.count).utf8)) == SHA256.hash(token)
          else { throw MCPAccessDenied(status: 401, challenge: "Bearer") }
          return MCPCaller(principal: "token")
        }
      }
      let handler = MCPHTTPHandler(server, configuration: configuration)
      let routes = [HTTPRequest.Method.post, .get, .delete].map { method in
        HTTPRoute(method, "/mcp") { await handler.respond(to: $0.method, headers: $0.headers, body: $0.body) }
      }
      let network: HTTPServer
      do {
        network = try HTTPServer(HTTPServer.Configuration(address: address, port: UInt16(port)), routes: routes)
      } catch let error as HTTPServerError {
        throw CommandFailure.failed(error.message.lowercasedFirst, underlying: error)
      }
      do {
        try context.console.print(network.url + "/mcp")
        var status = ExitStatus.answered
        for await signal in context.interrupts.signals() {
          status = signal.status
          break
        }
        await handler.close()
        await network.stop(grace: .zero)
        return status
      } catch {
        await handler.close()
        await network.stop(grace: .zero)
        throw error
      }
    #else
      throw CommandFailure.notYet("--http, which needs libmicrohttpd,")
    #endif
  }

  private static func isLoopback(_ address: String) -> Bool {
    address == "localhost" || address == "::1" || address.hasPrefix("127.")
  }

  private static func token(_ arguments: ParsedArguments, _ context: CommandContext) throws -> [UInt8]? {
    var text = context.environment[tokenVariable]
    if let path = arguments[tokenFile] {
      let full = context.places.path(path)
      guard let mode = FileAccess.mode(full) else { throw CommandFailure.usage("there is no file \(path.quotedShort)") }
      guard mode & 0o077 == 0 else {
        throw CommandFailure.usage(
          "the token file \(path.quotedShort) is open to others (mode \(String(mode, radix: 8))); make it yours alone with "
            + "chmod 600, and replace the token if others could have read it")
      }
      text = try AgentSetup.readText(path, "the token", context.places)
    }
    guard let token = text?.trimmingSpaces(), !token.isEmpty else {
      if text != nil, arguments[tokenFile] != nil { throw CommandFailure.usage("the token file is empty") }
      return nil
    }
    guard token.utf8.count >= 16, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw CommandFailure.usage("a token needs at least 16 letters, digits and signs, without blanks")
    }
    return Array(token.utf8)
  }
}
