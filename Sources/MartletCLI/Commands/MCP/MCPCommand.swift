import Martlet
import MartletJSON
import MartletMCP

/// `martlet mcp`: MCP servers from configuration, and Martlet as one.
enum MCPCommand {
  static let spec = CommandSpec(
    "mcp", "MCP servers: lists them and their tools, calls one, offers Martlet's own",
    subcommands: [list, tools, call, MCPServeCommand.spec])

  static let options = [RunOptions.mcp.spec, ListFormat.option.spec, RunOptions.directory.spec]

  private static let list = CommandSpec(
    "list", "Reaches every configured server and tells how it is",
    discussion: "Exit status 1 when one that is not switched off cannot be used.",
    options: options
  ) { arguments, context in
    try await with(arguments, context) { connections, context in
      let statuses = try await connections.start()
      let format = arguments[ListFormat.option] ?? .text
      let rows = statuses.map(json) + connections.list.problems.map(json)
      switch format {
      case .json: try context.console.print(JSONValue.array(rows).text())
      case .jsonl: for row in rows { try context.console.print(row.text()) }
      case .text:
        if rows.isEmpty {
          try context.console.print("no MCP servers; they are configured under mcpServers, or by --mcp FILE")
        }
        for row in rows { try context.console.print(line(row)) }
      }
      for status in statuses {
        for problem in status.problems { context.console.notice("MCP server \(status.name.quotedShort): \(problem)") }
      }
      return statuses.contains { $0.error != nil } || !connections.list.problems.isEmpty ? .failed : .answered
    }
  }

  private static let tools = CommandSpec(
    "tools", "Lists the tools of the servers, or of one",
    arguments: [ArgumentSpec("SERVER", isRequired: false, "The server; `martlet mcp list` shows them")],
    options: options
  ) { arguments, context in
    try await with(arguments, context, only: arguments.positionals.first) { connections, context in
      let statuses = try await connections.start()
      for status in statuses { MCPConnections.complain(status, context.console) }
      let definitions = try await connections.pool.tools.map { try $0.definition }
      switch arguments[ListFormat.option] ?? .text {
      case .text: for definition in definitions { try context.console.print(ToolsCommand.card(definition)) }
      case .json: try context.console.print(JSONValue.array(definitions.map(\.json)).text())
      case .jsonl: for definition in definitions { try context.console.print(definition.json.text()) }
      }
      return statuses.contains { $0.error != nil } ? .failed : .answered
    }
  }

  private static let call = CommandSpec(
    "call", "Calls a server's tool by hand and prints its result",
    discussion:
      "No permission is asked: you say yourself what is to run. --output json prints the result as the server "
      + "gave it.",
    arguments: [
      ArgumentSpec("SERVER", "The server; `martlet mcp list` shows them"),
      ArgumentSpec("TOOL", "The tool, by the server's own name for it"),
      ArgumentSpec("JSON", isRequired: false, "Its arguments as a JSON object; {} if left out"),
    ],
    options: options
  ) { arguments, context in
    let server = arguments.positionals[0]
    let name = arguments.positionals[1]
    let text = arguments.positionals.count > 2 ? arguments.positionals[2] : "{}"
    let parsed = ToolCall.Arguments(text: text)
    let object: JSONObject
    switch parsed {
    case .object(let given): object = given
    case .unparsed(_, let reason):
      throw CommandFailure.usage(
        "\(name.quotedShort) cannot be called with this: \(reason); an example is {\"text\": \"hi\"}")
    }
    return try await with(arguments, context, only: server) { connections, context in
      let statuses = try await connections.start()
      if let error = statuses.first?.error {
        throw CommandFailure.failed("\(server) cannot be used: \(MCPConnections.reason(error))", underlying: error)
      }
      guard let client = await connections.pool.client(of: server) else {
        throw CommandFailure.usage("the MCP server \(server.quotedShort) is switched off in its configuration")
      }
      let tools = await connections.pool.tools.map(\.tool.name)
      guard tools.contains(name) else {
        let near = NearestName.of(name, among: tools)
        throw CommandFailure.usage(
          "\(server) has no tool \(name.quotedShort); "
            + (near.map { "did you mean \($0)?" } ?? "`martlet mcp tools \(server.shellWord)` shows what there is"))
      }
      let console = context.console
      let result: MCPCallResult
      do {
        let call = {
          try await client.call(
            name, object,
            options: MCPRequestOptions(onProgress: { step in
              console.activity(step.message ?? "\(step.progress)" + (step.total.map { " of \($0)" } ?? ""))
            }))
        }
        do {
          result = try await call()
        } catch let error as MCPError where error.code == .unauthorized {
          // Perhaps it wants more for this than was agreed to.
          guard try await connections.pool.signIn(to: server) else { throw error }
          result = try await call()
        }
      } catch let error as MCPError {
        throw CommandFailure.failed("\(name) of \(server) failed: \(MCPConnections.reason(error))", underlying: error)
      } catch let error as AuthorizationError {
        throw CommandFailure.failed("\(name) of \(server) was not run: \(error.message)", underlying: error)
      }
      try show(result, arguments[ListFormat.option] ?? .text, context.console)
      return result.isError ? .failed : .answered
    }
  }

  private static func show(_ result: MCPCallResult, _ format: OutputFormat, _ console: Console) throws {
    guard format == .text else { return try console.print(result.json.text()) }
    let output = ToolOutput(result)
    let text = output.content.map { block in
      if case .media(let media) = block.kind { return "[\(media.kind.rawValue), \(media.mimeType)]" }
      return block.text ?? ""
    }
    .joined(separator: "\n")
    if result.isError { return console.problem(text.isEmpty ? "the tool failed" : text) }
    var filter = ControlFilter()
    let shown = console.isOutputTerminal ? filter.filter(text) : text
    try console.write(shown.hasSuffix("\n") ? shown : shown + "\n")
  }

  /// Runs a body with the configured servers, none of them started yet, and ends them afterwards.
  private static func with(
    _ arguments: ParsedArguments, _ context: CommandContext, only server: String? = nil,
    _ body: (MCPConnections, CommandContext) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let context = try context.entering(arguments[RunOptions.directory])
    let reader = try await ConfigurationLoader(context: context, places: context.places).load(arguments)
    var list = try MCPSources(reader, context).list
    if let server {
      if let problem = list.problems.first(where: { $0.name == server }) {
        throw CommandFailure.usage("the MCP server \(server.quotedShort) cannot be used: \(problem.reason)")
      }
      let names = list.servers.map(\.name)
      guard names.contains(server) else {
        let near = NearestName.of(server, among: names)
        throw CommandFailure.usage(
          "there is no MCP server \(server.quotedShort); "
            + (near.map { "did you mean \($0)?" } ?? "`martlet mcp list` shows what there is"))
      }
      list = list.only(server)
    }
    let connections = MCPConnections(list, context)
    do {
      let status = try await body(connections, context)
      await connections.pool.close()
      return status
    } catch {
      await connections.pool.close()
      throw error
    }
  }

  // MARK: Showing

  private static func json(_ status: MCPServerStatus) -> JSONValue {
    var row: JSONObject = ["name": .string(status.name), "place": .string(status.place)]
    switch status.state {
    case .disabled: row["state"] = "disabled"
    case .idle, .starting: row["state"] = "idle"
    case .lost: row["state"] = "lost"
    case .failed(let error): row["state"] = error.code == .unauthorized ? "unauthorized" : "failed"
    case .ready(let info):
      row["state"] = "ready"
      row["era"] = .string(info.revision.era.rawValue)
      row["revision"] = .string(info.revision.rawValue)
      if let implementation = info.implementation {
        row["server"] = .string(implementation.name)
        row["version"] = .string(implementation.version)
      }
      row["tools"] = JSONValue(status.toolCount)
    }
    if let error = status.error { row["error"] = .string(MCPConnections.reason(error)) }
    return .object(row)
  }

  private static func json(_ problem: MCPServerList.Problem) -> JSONValue {
    ["name": .string(problem.name), "state": "unusable", "error": .string(problem.reason)]
  }

  private static func line(_ row: JSONValue) -> String {
    var parts = [row["name"]?.stringValue ?? "", row["state"]?.stringValue ?? ""]
    if let revision = row["revision"]?.stringValue {
      parts.append("\(row["era"]?.stringValue ?? "") \(revision)")
      let server = [row["server"]?.stringValue, row["version"]?.stringValue].compactMap { $0 }.joined(separator: " ")
      if !server.isEmpty { parts.append(server) }
      let count = row["tools"]?.intValue ?? 0
      parts.append("\(count) tool\(count == 1 ? "" : "s")")
    }
    if let place = row["place"]?.stringValue { parts.append(place) }
    if let error = row["error"]?.stringValue { parts.append(error) }
    return parts.map { ControlFilter.line($0) }.joined(separator: "  ")
  }
}
