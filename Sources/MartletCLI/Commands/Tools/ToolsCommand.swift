import Martlet
import MartletJSON
import MartletMCP

/// `martlet tools`: what tools there are, and one of them by hand.
enum ToolsCommand {
  static let spec = CommandSpec(
    "tools", "Lists the tools, calls one by hand, tells how they did", subcommands: [list, call, stats])

  private static let options = [
    RunOptions.skills.spec, RunOptions.memory.spec, RunOptions.noMemory.spec, RunOptions.mcp.spec,
    ListFormat.option.spec, RunOptions.directory.spec,
  ]

  private static let list = CommandSpec(
    "list", "Lists the tools with their parameters",
    options: options
  ) { arguments, context in
    let context = try context.entering(arguments[RunOptions.directory])
    let definitions = try await withTools(arguments, context) { $0.map(\.definition) }
    switch arguments[ListFormat.option] ?? .text {
    case .text: for definition in definitions { try context.console.print(card(definition)) }
    case .json: try context.console.print(JSONValue.array(definitions.map(\.json)).text())
    case .jsonl: for definition in definitions { try context.console.print(definition.json.text()) }
    }
    return .answered
  }

  private static let call = CommandSpec(
    "call", "Calls a tool by hand and prints its result",
    discussion: "No permission is asked: you say yourself what is to run.",
    arguments: [
      ArgumentSpec("NAME", "The tool; `martlet tools list` shows them"),
      ArgumentSpec("JSON", isRequired: false, "Its arguments as a JSON object; {} if left out"),
    ],
    options: options
  ) { arguments, context in
    let context = try context.entering(arguments[RunOptions.directory])
    return try await withTools(arguments, context) { try await call(arguments, $0, context) }
  }

  private static func call(
    _ arguments: ParsedArguments, _ tools: [AnyTool], _ context: CommandContext
  ) async throws -> ExitStatus {
    let name = arguments.positionals[0]
    guard let tool = tools.first(where: { $0.definition.name == name }) else {
      let near = NearestName.of(name, among: tools.map(\.definition.name))
      throw CommandFailure.usage(
        "there is no tool \(name.quotedShort); "
          + (near.map { "did you mean \($0)?" } ?? "`martlet tools list` shows what there is"))
    }
    let text = arguments.positionals.count > 1 ? arguments.positionals[1] : "{}"
    let call = ToolCall(id: ToolCall.makeId(), name: name, argumentsText: text)
    if case .unparsed(_, let reason) = call.arguments {
      throw CommandFailure.usage("the arguments of \(name) cannot be read: \(reason)")
    }
    let prepared: JSONObject
    switch tool.prepare(call) {
    case .ready(let arguments): prepared = arguments
    case .refused(let reason): throw CommandFailure.usage(reason)
    }
    let output = try await run(tool, call, prepared, context)
    let outcome = ToolOutcome(content: output.content, isError: output.isError, code: output.code)
    if (arguments[ListFormat.option] ?? .text) != .text {
      var object = outcome.json
      if let structured = output.structured { object["structured"] = structured }
      try context.console.print(object.text())
    } else if case .string(let text) = outcome.reportValue {
      var filter = ControlFilter()
      let shown = context.console.isOutputTerminal ? filter.filter(text) : text
      if output.isError {
        context.console.problem(text)
      } else {
        try context.console.write(shown.hasSuffix("\n") ? shown : shown + "\n")
      }
    } else {
      try context.console.print(outcome.reportValue.text())
    }
    return output.isError ? .failed : .answered
  }

  private static func run(
    _ tool: AnyTool, _ call: ToolCall, _ arguments: JSONObject, _ context: CommandContext
  ) async throws -> ToolOutput {
    let toolContext = ToolContext(
      session: "by-hand", callId: call.id, locale: HostSettings.locale, timeZone: HostSettings.timeZone,
      workingDirectory: context.directory, idempotencyKey: call.id)
    do {
      return try await tool.call(arguments, context: toolContext)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw CommandFailure.failed("\(call.name) failed: \(error)", underlying: error)
    }
  }

  /// Does something with the tools of an agent here: the built-in ones, those of memory and skills, what a catalogue makes
  /// of them, and those of MCP servers, which are ended afterwards.
  private static func withTools<Result>(
    _ arguments: ParsedArguments, _ context: CommandContext, _ body: ([AnyTool]) async throws -> Result
  ) async throws -> Result {
    let reader = try await ConfigurationLoader(context: context, places: context.places).load(arguments)
    let settings = try Settings(reader)
    let knowledge = try await AgentKnowledge(settings, context)
    let registry = try ToolRegistry(try context.tools.tools(directory: context.directory) + knowledge.tools)
    if let url = settings.toolCatalogue {
      _ = try await CatalogueTools(url: url, isChosen: false, context: context).apply(to: registry)
    }
    let connections = MCPConnections(try MCPSources(reader, context).list, context)
    try await connections.startForAgent(into: registry)
    do {
      let result = try await body(await registry.all)
      await connections.pool.close()
      return result
    } catch {
      await connections.pool.close()
      throw error
    }
  }

  // MARK: Showing

  /// The tool on one line.
  static func line(_ tool: ToolDefinition) -> String {
    let summary = tool.description.prefix { $0 != "\n" }
    let sentence = summary.firstRange(of: ". ").map { summary[..<$0.lowerBound] } ?? summary
    return "\(tool.name): \(ControlFilter.line(sentence))"
  }

  static func card(_ tool: ToolDefinition) -> String {
    var marks: [String] = []
    if tool.effect == .readOnly { marks.append("read-only") }
    if tool.requiresPermission { marks.append("asks for permission") }
    var lines = [tool.name + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))"), "  " + tool.description]
    let required = Set(tool.parameters["required"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    for (name, schema) in tool.parameters["properties"]?.objectValue ?? [:] {
      let type = schema["type"]?.stringValue ?? schema["enum"]?.text() ?? "any"
      let about = schema["description"]?.stringValue.map { ": " + $0 } ?? ""
      lines.append("    \(name) (\(type)\(required.contains(name) ? "" : ", optional"))\(about)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// How lists are printed.
enum ListFormat {
  static let option = Option<OutputFormat>(
    "output", short: "o", "FORMAT", .choice, "What is printed: text, json (one value), jsonl (one a line)")
}
