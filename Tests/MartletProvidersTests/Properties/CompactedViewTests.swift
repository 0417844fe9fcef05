import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import Martlet
@testable import MartletProviders

/// Whatever a conversation holds and wherever it is compacted, every provider takes the view that is left (invariant I1),
/// and going on from there encodes to what encoding all of it does (invariant I2).
@Suite struct CompactedViewTests {
  static let histories: UInt64 = 150
  static let policies: [ContextPolicy] = [
    .automatic, .slidingWindow, .clearingToolResults, .offloadingToolResults,
    ContextPolicy(name: "clear_all", method: .clearResults(keepingRounds: 0)),
  ]

  /// A session that holds the messages, with one more prompt, then compacted: once while it runs, once between runs.
  private func views(seed: UInt64) -> [MessageHistory] {
    var generator = AnyHistory(seed: seed)
    var messages: [Message] = []
    while messages.count < 6 { messages += generator.messages() }
    var loop = AgentLoop()
    loop.apply(.context(PromptContext(tools: HistoryPropertyTests.tools, model: "m", epoch: 1)))
    loop.apply(.runStarted(RunStarted(budget: Budget())))
    for message in HistoryRepair.repaired(messages) {
      switch message.role {
      case .user, .system: loop.apply(.prompt(Prompt(messageId: "m", message: message)))
      case .assistant: loop.apply(.assistantMessage(AssistantMessage(messageId: "m", message: message)))
      case .tool: for result in message.toolResults { loop.apply(.toolFinished(ToolFinished(result))) }
      }
    }
    loop.apply(.finished(Finished(iterations: 1, reason: .answered)))
    loop.apply(.runStarted(RunStarted(budget: Budget())))
    loop.apply(.prompt(Prompt(messageId: "m", message: .user("And now?"))))
    var views: [MessageHistory] = []
    for policy in Self.policies {
      for level in 0...ContextPlanner.lastLevel {
        let limits = ContextLimits(window: 400, policy: policy, canOffload: true)
        guard let plan = ContextPlanner(loop, limits: limits, reason: .overflow).plan(from: level) else { continue }
        var after = loop
        after.apply(
          .compacted(
            plan.outcome(summary: plan.replacesMessages ? [.text("Notes.")] : [], epoch: 3, tokensAfter: nil)))
        views.append(after.history)
      }
    }
    return views
  }

  private func check(make: (ModelRequest) -> HTTPRequest, violations: (JSONValue) -> [RuleViolation]) throws {
    var checked = 0
    for seed in 0..<Self.histories {
      for (index, view) in views(seed: seed).enumerated() {
        let prefix = PromptPrefix(session: "\(seed)-\(index)", epoch: 3)
        var growing = view
        for _ in 0..<2 {
          let request = ModelRequest(tools: HistoryPropertyTests.tools, messages: growing, prefix: prefix)
          let grown = try HistoryPropertyTests().json(make(request))
          var once = request
          once.prefix = nil
          let fresh = try HistoryPropertyTests().json(make(once))
          for list in ["messages", "input", "contents"] { #expect(fresh[list] == grown[list], "seed \(seed)") }
          let found = violations(grown)
          #expect(found.isEmpty, "seed \(seed): \(found.first.map { "\($0)" } ?? "")\n\(grown.text())")
          if !found.isEmpty { return }
          growing.append(.assistant(text: "Yes."))
          growing.append(.user("More."))
          checked += 1
        }
      }
    }
    #expect(checked > 100)
  }

  @Test(arguments: ["claude-opus-5", "claude-opus-5-5", "claude-sonnet-4-5"])
  func `Anthropic takes every compacted view`(model: String) throws {
    let client = Anthropic(model, key: nil, transport: ReplayTransport([]))
    try check {
      client.httpRequest(for: $0)
    } violations: {
      AnthropicRules.check(AnthropicRequest($0))
    }
  }

  @Test func `OpenAI takes every compacted view`() throws {
    let client = OpenAIResponses("gpt-5.5", key: nil, transport: ReplayTransport([]))
    try check {
      client.httpRequest(for: $0)
    } violations: {
      OpenAIResponsesRules.check(request: $0)
    }
  }

  @Test func `Gemini takes every compacted view`() throws {
    let client = Gemini("gemini-3-flash", key: nil, transport: ReplayTransport([]))
    try check {
      client.httpRequest(for: $0)
    } violations: {
      GeminiRules.check(request: $0, model: "gemini-3-flash")
    }
  }

  @Test func `Chat Completions takes every compacted view`() throws {
    let client = OpenAIChat("gpt-4o", key: nil, transport: ReplayTransport([]))
    try check {
      client.httpRequest(for: $0)
    } violations: {
      OpenAIChatRules.check(request: $0)
    }
  }

  @Test func `Ollama takes every compacted view`() throws {
    let client = Ollama("qwen3", transport: ReplayTransport([]))
    try check {
      client.httpRequest(for: $0)
    } violations: {
      OllamaRules.check(request: $0)
    }
  }

  @Test(arguments: [
    "prompt is too long: 208310 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "the request exceeds the available context size, try increasing it",
    "Input is too long for requested model.", "Please reduce the length of the messages or completion.",
    "This model's maximum prompt length is 131072 but the request contains 137235 tokens.",
  ]) func `every wording of too long is understood`(message: String) {
    #expect(OverflowWording.matches(message))
  }

  @Test(arguments: [
    "Rate limit reached: too many tokens per minute", "max_tokens must be greater than thinking.budget_tokens",
    "messages.0.content: text content blocks must be non-empty", "Unknown model",
  ]) func `other failures are not taken for it`(message: String) {
    #expect(!OverflowWording.matches(message))
  }
}
