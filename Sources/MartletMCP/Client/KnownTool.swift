import MartletJSON

/// What a client keeps of a tool to call it.
struct KnownTool: Sendable {
  let tool: MCPTool
  /// Checks `structuredContent`; nil where there is no schema that can be used.
  let output: JSONSchema?
  /// Arguments that go into headers too.
  let marked: MarkedArguments
}

/// Looks over the tools of a list.
struct ToolInspection: Sendable {
  private(set) var known: [String: KnownTool] = [:]
  private(set) var list = MCPList<MCPTool>()

  /// - Parameter mirrors: whether marked arguments must be sent as headers, so that a tool that marks them wrongly cannot
  ///   be called.
  init(_ all: MCPList<MCPTool>, mirrors: Bool) {
    list.problems = all.problems
    for tool in all.items { inspect(tool, mirrors: mirrors) }
  }

  private mutating func inspect(_ tool: MCPTool, mirrors: Bool) {
    let marked: MarkedArguments
    switch (MarkedArguments.of(tool.inputSchema), mirrors) {
    case (.success(let found), _): marked = found
    case (.failure(let fault), true): return reject(tool, fault.reason)
    case (.failure, false): marked = MarkedArguments()
    }
    // The schema of a model's arguments must be an object's, and must not lead outside.
    guard case .object(let schema) = tool.inputSchema else { return reject(tool, "its `inputSchema` is no object") }
    if let type = schema["type"], type != "object" {
      return reject(tool, "its `inputSchema` is not of type \"object\"")
    }
    if let fault = Self.fault(tool.inputSchema) {
      if fault.isFatal { return reject(tool, "its `inputSchema` cannot be used: \(fault.reason)") }
      note(tool, "its `inputSchema` is faulty: \(fault.reason)")
    }
    var output: JSONSchema?
    if let document = tool.outputSchema {
      do {
        output = try JSONSchema(document, options: Self.options)
      } catch {
        note(tool, "its `outputSchema` cannot be used, so results are not checked: \(error)")
      }
    }
    known[tool.name] = KnownTool(tool: tool, output: output, marked: marked)
    list.items.append(tool)
  }

  private static let options = JSONSchema.Options(ignoresUnusablePatterns: true)

  private static func fault(_ schema: JSONValue) -> (reason: String, isFatal: Bool)? {
    do {
      _ = try JSONSchema(schema, options: options)
      return nil
    } catch {
      // What refers to something that is not there, to itself or to the network says nothing that a model could follow.
      let fatal: Set<JSONSchemaError.Code> = [.unresolvedReference, .referenceLoop, .tooLarge]
      return (error.description, fatal.contains(error.code))
    }
  }

  private mutating func reject(_ tool: MCPTool, _ reason: String) {
    list.problems.append(MCPListProblem(name: tool.name, reason: reason, rejected: tool.json))
  }

  private mutating func note(_ tool: MCPTool, _ reason: String) {
    list.problems.append(MCPListProblem(name: tool.name, reason: reason))
  }
}
