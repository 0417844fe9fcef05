public import Martlet
import MartletJSON
import MartletSync

/// Answers servers that want the agent's model to say something, as far as the approval policy lets it: the request is a call
/// of ``toolName``, which needs permission, so `allow`, `ask` and `deny` rules hold for it.
public final class MCPSampler: Sendable {
  /// What a request is called for rules and questions.
  public static let toolName = "mcp_sampling"

  static let definition = ToolDefinition(
    name: toolName, title: "Let an MCP server use the model",
    description: "An MCP server asks the model something, at the user's cost.",
    parameters: ["type": "object", "properties": [:]], requiresPermission: true)

  private let model: @Sendable () async throws -> any LanguageModel
  private let policy: ApprovalPolicy
  private let approver: (any Approver)?
  /// How many requests are still answered.
  private let left: Locked<Int>
  private let tokenLimit: Int

  /// A sampler.
  /// - Parameters:
  ///   - policy: decides; what it would ask about is put to the approver, and refused where there is none.
  ///   - limit: the most requests that are answered, by default 50.
  ///   - tokenLimit: the most tokens of one answer, whatever the server wants; by default 4,096.
  ///   - model: the model, opened when it is first needed; `Agent.sideModel(for: .sampling)`, so that what it uses counts
  ///     in the budget of the agent's run.
  public init(
    policy: ApprovalPolicy, approver: (any Approver)?, limit: Int = 50, tokenLimit: Int = 4_096,
    model: @escaping @Sendable () async throws -> any LanguageModel
  ) {
    self.policy = policy
    self.approver = approver
    self.model = model
    self.tokenLimit = tokenLimit
    left = Locked(limit)
  }

  /// Answers a server.
  /// - Throws: ``MCPErrorObject`` for a request that is refused, with a reason for the server.
  public func answer(_ request: MCPSamplingRequest, of server: String) async throws -> MCPSamplingResult {
    try await permit(request, server)
    let mayGo = left.withLock { left -> Bool in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
    guard mayGo else { throw MCPErrorObject(.invalidRequest, "this client answers no more sampling requests") }
    try Task.checkCancellation()
    let model = try await model()
    var options = ModelOptions(
      maxOutputTokens: min(request.maxTokens ?? tokenLimit, tokenLimit), temperature: request.temperature,
      stopSequences: request.stopSequences)
    if let choice = request.toolChoice {
      options.toolChoice = choice == "required" ? .required : choice == "none" ? .none : .auto
    }
    let tools = request.tools.map {
      ToolDefinition(name: $0.name, description: $0.description ?? $0.name, parameters: $0.inputSchema)
    }
    let question = ModelRequest(
      instructions: request.systemPrompt.map { [.text($0)] } ?? [], tools: tools,
      messages: MessageHistory(Self.messages(request)), options: options)
    var content: [MCPContent] = []
    var end: StopReason?
    do {
      for try await event in model.stream(question) {
        switch event {
        case .block(let block, _): if let block = Self.content(block) { content.append(block) }
        case .finished(let reason, _): end = reason
        default: break
        }
      }
    } catch let error as ModelError where error.code == .quotaExceeded {
      throw MCPErrorObject(.invalidRequest, "sampling is not allowed: the budget does not allow it")
    }
    guard let end, end != .refusal else { throw MCPErrorObject(.internalError, "the model gave no answer") }
    return MCPSamplingResult(
      content.isEmpty ? [.text("")] : content, model: model.info.name, stopReason: Self.word(for: end))
  }

  private static func content(_ block: ContentBlock) -> MCPContent? {
    switch block.kind {
    case .text(let text): return .text(text)
    case .toolCall(let call):
      guard case .object(let arguments) = call.arguments else { return nil }
      return .toolUse(id: call.id.isEmpty ? ToolCall.makeId() : call.id, name: call.name, input: arguments)
    default: return nil
    }
  }

  private func permit(_ request: MCPSamplingRequest, _ server: String) async throws {
    let text = request.messages.map { message in
      "\(message.role): " + message.content.map { $0.text ?? "[\($0.kind)]" }.joined(separator: " ")
    }
    .joined(separator: "\n")
    let call = ToolCall(
      name: Self.toolName,
      arguments: [
        "server": .string(server), "system": request.systemPrompt.map { .string($0) } ?? .null,
        "messages": .string(text),
      ])
    switch policy.outcome(of: call, Self.definition) {
    case .allow: return
    case .deny(let reason): throw MCPErrorObject(.invalidRequest, "sampling is not allowed: \(reason)")
    case .ask: break
    }
    let decision: ApprovalDecision
    do {
      guard let approver else { throw ApprovalDeferred() }
      decision = try await approver.decide(ApprovalRequested(approvalId: call.id, call: call))
    } catch is ApprovalDeferred {
      throw MCPErrorObject(.invalidRequest, "nobody is here to allow sampling")
    }
    guard decision.verdict == .allow else {
      throw MCPErrorObject(.invalidRequest, "the user does not allow sampling")
    }
  }

  private static func word(for reason: StopReason) -> String {
    switch reason {
    case .endTurn: "endTurn"
    case .toolUse: "toolUse"
    case .maxTokens: "maxTokens"
    case .stopSequence: "stopSequence"
    default: reason.rawValue
    }
  }

  private static func messages(_ request: MCPSamplingRequest) -> [Message] {
    var names: [String: String] = [:]
    return request.messages.map { message in
      var blocks: [ContentBlock] = []
      var results: [ToolResult] = []
      for content in message.content {
        switch content.value {
        case .toolUse(let id, let name, let input):
          names[id] = name
          blocks.append(.toolCall(ToolCall(id: id, name: name, arguments: input)))
        case .toolResult(let id, let result):
          let output = ToolOutput(result)
          results.append(
            ToolResult(callId: id, name: names[id] ?? "tool", content: output.content, isError: output.isError))
        default: blocks += ToolOutput(MCPCallResult([content])).content
        }
      }
      if !results.isEmpty { return .tool(results) }
      return Message(role: message.role == "assistant" ? .assistant : .user, content: blocks)
    }
  }
}
