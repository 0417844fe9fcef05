public import Martlet
import MartletJSON

extension MCPServer {
  /// Offers tools of ours to clients. A call that the policy would ask about is refused with a reason, since nobody is here
  /// who could be asked.
  /// - Parameters:
  ///   - tools: as an agent would have them.
  ///   - policy: decides on each call.
  ///   - workingDirectory: where relative paths start.
  ///   - advice: what a refusal says can be done about it.
  public func register(
    _ tools: [AnyTool], policy: ApprovalPolicy, workingDirectory: String,
    environment: AgentEnvironment = AgentEnvironment(), advice: String = ""
  ) {
    for tool in tools {
      register(Self.description(of: tool.definition)) { arguments, context in
        let call = ToolCall(id: ToolCall.makeId(), name: tool.definition.name, arguments: arguments)
        let ready: JSONObject
        switch tool.prepare(call) {
        case .refused(let reason): return .failure(reason)
        case .ready(let arguments): ready = arguments
        }
        var prepared = call
        prepared.arguments = .object(ready)
        switch policy.outcome(of: prepared, tool.definition) {
        case .allow: break
        case .deny(let reason): return .failure("\(call.name) is not allowed: \(reason).")
        case .ask: return .failure("\(call.name) needs permission, and nobody is here to give it\(advice).")
        }
        try Task.checkCancellation()
        return try await withProgress(to: context) { report in
          let toolContext = ToolContext(
            session: "mcp", callId: call.id, workingDirectory: workingDirectory, idempotencyKey: call.id,
            environment: environment, report: report)
          return MCPCallResult(try await tool.call(ready, context: toolContext))
        }
      }
    }
  }

  private static func description(of tool: ToolDefinition) -> MCPTool {
    MCPTool(
      name: tool.name, title: tool.title == tool.name ? nil : tool.title, description: tool.description,
      inputSchema: tool.parameters,
      annotations: MCPToolAnnotations(
        isReadOnly: tool.effect == .readOnly,
        isDestructive: tool.effect == .readOnly ? nil : tool.requiresPermission,
        isIdempotent: tool.effect == .readOnly ? nil : tool.effect == .idempotent))
  }
}

/// Runs a body that reports its progress at any time, without waiting, and tells the client of it in order.
package func withProgress<Result: Sendable>(
  to context: MCPCallContext,
  _ body: @escaping @Sendable (_ report: @escaping @Sendable (ToolContext.Progress) -> Void) async throws -> Result
) async throws -> Result {
  let (steps, continuation) = AsyncStream.makeStream(
    of: ToolContext.Progress.self, bufferingPolicy: .bufferingNewest(16))
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      var highest = -Double.infinity
      for await step in steps where step.progress > highest {
        highest = step.progress
        try await context.progress(step.progress, total: step.total, message: step.message)
      }
    }
    // What was reported is told before the result.
    defer { continuation.finish() }
    return try await body { continuation.yield($0) }
  }
}
