import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct ChatHistoryTests {
  static let tools = Set(AnyHistory.tools).sorted().filter { !$0.isEmpty }.map {
    ToolDefinition(
      name: $0, description: "Does it.", parameters: ["type": "object", "properties": ["a": ["type": "array"]]])
  }

  static func body(_ model: OpenAIChat, _ request: ModelRequest) throws -> [UInt8] {
    guard case .segments(let segments) = model.httpRequest(for: request).body else { return [] }
    return Array(segments.joined())
  }

  /// What the vendor would refuse of a request.
  static func faults(_ json: JSONValue, _ vendor: ChatVendor) -> [RuleViolation] {
    var profile = OpenAIModelProfile(model: json["model"]?.stringValue ?? "")
    if vendor.media.contains(.audio) { profile.acceptsAudio = true }
    let request = OpenAIChatRequest(json, profile: profile)
    var faults = OpenAIChatRules.check(request)
    // Its own kind of part.
    if vendor.reasoningReplay == .contentParts { faults.removeAll { $0.rule == "content_parts" } }
    if vendor.roleOrder != .free { faults += OpenAIChatRules.strictOrder.flatMap { $0.violations(in: request) } }
    if vendor.callIdRule != .alphanumeric(9) { faults.removeAll { $0.rule == "short_ids" } }
    return faults + alternation(json, vendor)
  }

  private static func alternation(_ json: JSONValue, _ vendor: ChatVendor) -> [RuleViolation] {
    guard vendor.roleOrder == .alternating else { return [] }
    let roles = (json["messages"]?.arrayValue ?? []).compactMap { $0["role"]?.stringValue }.drop { $0 == "system" }
    let isRight = roles.enumerated().allSatisfy { $0.element == ($0.offset.isMultiple(of: 2) ? "user" : "assistant") }
    return isRight ? [] : [RuleViolation(rule: "alternation", type: "error", message: "\(roles)")]
  }

  static let models = ["gpt-4o", "gpt-5", "o1-mini"]

  @Test(arguments: ChatVendor.known) func `whatever the history is, the request is one the vendor accepts`(
    vendor: ChatVendor
  ) throws {
    // Other histories for each vendor.
    let first = vendor.name.utf8.reduce(0 as UInt64) { $0 &* 31 &+ UInt64($1) } % 100_000
    for seed in first..<first + 6 {
      var random = AnyHistory(seed: seed)
      let messages = random.messages()
      let model = OpenAIChat(
        Self.models[Int(seed % 3)], vendor: vendor, key: nil, transport: ReplayTransport([]))
      for cut in 0...messages.count {
        let history = MessageHistory(messages.prefix(cut))
        let instructions: [ContentBlock] = seed % 2 == 0 ? [.text("Be brief.")] : []
        let whole = try Self.body(
          model, ModelRequest(instructions: instructions, tools: Self.tools, messages: history))
        let incremental = try Self.body(
          model,
          ModelRequest(
            instructions: instructions, tools: Self.tools, messages: history,
            prefix: PromptPrefix(session: "s", epoch: Int(seed))))
        // The session's name goes along for the vendor's cache.
        let json = try JSONValue(parsing: whole)
        var named = try JSONValue(parsing: incremental)
        if case .object(var object) = named {
          object.removeValue(forKey: "prompt_cache_key")
          named = .object(object)
        }
        #expect(named == json, "seed \(seed), cut \(cut)")
        let faults = Self.faults(json, vendor)
        #expect(faults == [], "seed \(seed), cut \(cut): \(json["messages"]?.text() ?? "")")
        if !faults.isEmpty { return }
      }
    }
  }

  @Test func `within an epoch each request begins with the bytes of the one before it`() throws {
    for vendor in [ChatVendor.openAI, .mistral, .perplexity] {
      let model = OpenAIChat("m", vendor: vendor, key: nil, transport: ReplayTransport([]))
      var messages: MessageHistory = [.user("Hi")]
      var before: [UInt8] = []
      for turn in 0..<40 {
        let bytes = try Self.body(
          model,
          ModelRequest(
            instructions: [.text("Be brief.")], tools: Self.tools, messages: messages,
            prefix: PromptPrefix(session: "s", epoch: 1)))
        let text = String(decoding: bytes, as: UTF8.self)
        let prefix = String(decoding: before, as: UTF8.self).split(separator: "],\"stream\"")[...].first ?? ""
        #expect(text.hasPrefix(prefix), "\(vendor.name), turn \(turn)")
        before = bytes
        messages.append(.assistant(text: "A", toolCalls: [ToolCall(id: "call_\(turn)", name: "echo", arguments: [:])]))
        messages.append(.tool(result: "ok", callId: "call_\(turn)", name: "echo"))
        if turn % 3 == 0 { messages.append(.user("Also this.")) }
      }
    }
  }

  func messages(_ history: MessageHistory, _ vendor: ChatVendor, model: String = "m") throws -> [JSONValue] {
    let model = OpenAIChat(model, vendor: vendor, key: nil, transport: ReplayTransport([]))
    return try JSONValue(parsing: Self.body(model, ModelRequest(messages: history)))["messages"]?.arrayValue ?? []
  }

  @Test func `Mistral's ids are nine letters and digits, the same in call and result, and differ`() throws {
    let ids = ["call_abc", "call_abd", "gSIMJiOkT", "x"]
    let sent = try messages(
      [
        .user("Hi"), .assistant(text: "", toolCalls: ids.map { ToolCall(id: $0, name: "echo") }),
        .tool(ids.map { ToolResult(callId: $0, name: "echo", content: [.text("ok")]) }),
      ], .mistral)
    let calls = (sent[1]["tool_calls"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    #expect(calls == sent.dropFirst(2).compactMap { $0["tool_call_id"]?.stringValue })
    #expect(Set(calls).count == 4)
    #expect(calls.allSatisfy { $0.utf8.count == 9 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } })
    #expect(calls[2] == "gSIMJiOkT")
  }

  @Test func `media of a result follow all results of the turn`() throws {
    let image = ContentBlock.media(Media(kind: .image, mimeType: "image/png", source: .data(base64: "iVBORw0KGgo=")))
    let sent = try messages(
      [
        .user("Hi"),
        .assistant(text: "", toolCalls: [ToolCall(id: "a", name: "shot"), ToolCall(id: "b", name: "echo")]),
        .tool([
          ToolResult(callId: "a", name: "shot", content: [image]),
          ToolResult(callId: "b", name: "echo", content: [.text("ok")]),
        ]),
      ], .openAI)
    #expect(sent.compactMap { $0["role"]?.stringValue } == ["user", "assistant", "tool", "tool", "user"])
    #expect(sent[4]["content"]?[1]?["image_url"]?["url"] == "data:image/png;base64,iVBORw0KGgo=")
  }

  @Test func `reasoning goes back to vendors that want it, in its field, and to no other`() throws {
    func history(_ provider: String, _ extra: JSONValue) -> MessageHistory {
      [
        .user("Hi"),
        Message(
          role: .assistant,
          content: [
            ContentBlock(.thinking(Thinking(text: "Hm.")), extra: BlockExtra(provider: provider, value: extra)),
            .toolCall(ToolCall(id: "call_1", name: "echo")),
          ]), .tool(result: "ok", callId: "call_1", name: "echo"),
      ]
    }
    let deepSeek = try messages(history("deepseek", ["field": "reasoning_content"]), .deepSeek)
    #expect(deepSeek[1]["reasoning_content"] == "Hm.")
    let details: JSONValue = [["type": "reasoning.text", "text": "Hm.", "signature": "c2ln"]]
    let router = try messages(history("openrouter", ["reasoning_details": details]), .openRouter)
    #expect(router[1]["reasoning_details"] == details)
    let mistral = try messages(history("mistral", [:]), .mistral)
    #expect(mistral[1]["content"]?[0]?["type"] == "thinking")
    for vendor in [ChatVendor.openAI, .groq, .moonshot] {
      let foreign = try messages(history("deepseek", ["field": "reasoning_content"]), vendor)
      #expect(!JSONValue.array(foreign).text().contains("Hm."))
    }
  }

  @Test func `what a vendor attached to a call goes back with it`() throws {
    let signature: JSONValue = ["google": ["thought_signature": "c2ln"]]
    let sent = try messages(
      [
        .user("Hi"),
        Message(
          role: .assistant,
          content: [
            ContentBlock(
              .toolCall(ToolCall(id: "call_1", name: "echo")),
              extra: BlockExtra(provider: "gemini-openai", value: ["extra_content": signature]))
          ]), .tool(result: "ok", callId: "call_1", name: "echo"),
      ], .geminiCompatible)
    #expect(sent[1]["tool_calls"]?[0]?["extra_content"] == signature)
  }
}
