import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

/// Whatever a history holds and wherever it is cut, the request made of it is one that the provider accepts (invariant I1),
/// and going on from what was encoded gives the same as encoding all of it (invariant I2).
@Suite struct HistoryPropertyTests {
  static let histories = 400
  static let tools = [
    ToolDefinition(
      name: "echo", description: "Repeats.",
      parameters: ["type": "object", "properties": ["text": ["type": "string"]], "required": ["text"]]),
    ToolDefinition(name: "files/read.all", description: "", parameters: ["type": "object"]),
    ToolDefinition(
      name: "find", description: "",
      parameters: ["type": "object", "properties": ["a": ["type": "array"], "b": ["oneOf": [["type": "null"]]]]]),
  ]

  func json(_ request: HTTPRequest) throws -> JSONValue {
    guard case .segments(let segments) = request.body else { return .null }
    return try JSONValue(parsing: Array(segments.joined()))
  }

  func check(
    seed: UInt64, make: (ModelRequest) -> HTTPRequest, violations: (JSONValue) -> [RuleViolation]
  ) throws -> Bool {
    var generator = AnyHistory(seed: seed)
    let messages = generator.messages()
    var growing: MessageHistory = []
    for cut in 0...messages.count {
      if cut > 0 { growing.append(messages[cut - 1]) }
      let prefix = PromptPrefix(session: "\(seed)", epoch: 1)
      let grown = try json(make(ModelRequest(tools: Self.tools, messages: growing, prefix: prefix)))
      let found = violations(grown)
      #expect(found.isEmpty, "seed \(seed), cut at \(cut): \(found.first.map { "\($0)" } ?? "")\n\(grown.text())")
      if !found.isEmpty { return false }
    }
    return true
  }

  @Test(arguments: ["gpt-5.5", "gpt-4o"])
  func `OpenAI takes every history`(model: String) throws {
    for seed in 0..<UInt64(Self.histories) {
      let client = OpenAIResponses(model, key: nil, transport: ReplayTransport([]))
      let isValid = try check(seed: seed) {
        client.httpRequest(for: $0)
      } violations: {
        OpenAIResponsesRules.check(request: $0)
      }
      if !isValid { return }
    }
  }

  @Test(arguments: ["gemini-3-flash", "gemini-2.5-pro"])
  func `Gemini takes every history`(model: String) throws {
    for seed in 0..<UInt64(Self.histories) {
      let client = Gemini(model, key: nil, transport: ReplayTransport([]))
      let isValid = try check(seed: seed) {
        client.httpRequest(for: $0)
      } violations: {
        GeminiRules.check(request: $0, model: model)
      }
      if !isValid { return }
    }
  }

  @Test func `encoding what is new gives the same as encoding all of it`() throws {
    for seed in 0..<UInt64(Self.histories) {
      var generator = AnyHistory(seed: seed)
      let messages = generator.messages()
      let openAI = EncodedHistories<OpenAIResponsesMessageEncoder>()
      let gemini = EncodedHistories<GeminiMessageEncoder>()
      let anthropic = EncodedHistories<AnthropicMessageEncoder>()
      var growing: MessageHistory = []
      for message in messages {
        growing.append(message)
        let named = ModelRequest(messages: growing, prefix: PromptPrefix(session: "s", epoch: 1))
        let once = ModelRequest(messages: growing)
        #expect(
          openAI.items(for: named) { OpenAIResponsesMessageEncoder(model: "gpt-5.5") }
            == openAI.items(for: once) { OpenAIResponsesMessageEncoder(model: "gpt-5.5") }, "seed \(seed)")
        #expect(
          gemini.items(for: named) { GeminiMessageEncoder(model: "gemini-3-flash") }
            == gemini.items(for: once) { GeminiMessageEncoder(model: "gemini-3-flash") }, "seed \(seed)")
        #expect(
          anthropic.items(for: named) { AnthropicMessageEncoder(model: "claude-opus-5") }
            == anthropic.items(for: once) { AnthropicMessageEncoder(model: "claude-opus-5") }, "seed \(seed)")
      }
    }
  }
}
