import Foundation
import MartletJSON
import MartletTesting
import Testing

@Suite struct AnthropicRulesTests {
  typealias Case = RuleCase<AnthropicRequest>

  private static let hello: JSONValue = ["role": "user", "content": "Hello"]
  private static let call: JSONValue = ["type": "tool_use", "id": "toolu_1", "name": "now", "input": [:]]
  private static let second: JSONValue = ["type": "tool_use", "id": "toolu_2", "name": "now", "input": [:]]
  private static let result: JSONValue = ["type": "tool_result", "tool_use_id": "toolu_1", "content": "noon"]
  private static let thought: JSONValue = ["type": "thinking", "thinking": "Hm", "signature": "abc"]
  private static let now: JSONValue = ["name": "now", "input_schema": ["type": "object", "properties": [:]]]
  private static let opus = "claude-opus-4-8"
  private static let sonnet = "claude-sonnet-4-5"

  private static func body(_ messages: [JSONValue], _ members: JSONObject = [:]) -> JSONValue {
    JSONValue.object(["model": .string(sonnet), "max_tokens": 100, "messages": .array(messages)]).with(members)
  }

  private static func request(
    _ messages: [JSONValue], _ members: JSONObject = [:], version: String = "2023-06-01", issued: [[JSONValue]] = []
  ) -> AnthropicRequest {
    AnthropicRequest(body(messages, members), version: version, issued: issued)
  }

  private static func user(_ blocks: JSONValue...) -> JSONValue { ["role": "user", "content": .array(blocks)] }
  private static func model(_ blocks: JSONValue...) -> JSONValue { ["role": "assistant", "content": .array(blocks)] }
  private static func text(_ text: String) -> JSONValue { ["type": "text", "text": .string(text)] }
  private static func image(_ type: String, _ data: String) -> JSONValue {
    ["type": "image", "source": ["type": "base64", "media_type": .string(type), "data": .string(data)]]
  }
  /// The beginning of a PNG file, so many pixels wide.
  private static func wide(_ width: Int) -> String {
    let size = [UInt8(width >> 8), UInt8(width & 0xFF)]
    let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0]
    return Data(bytes + size + [0, 0, 0, 9, 8, 6, 0, 0, 0]).base64EncodedString()
  }
  private static let cached: JSONObject = ["cache_control": ["type": "ephemeral"]]
  private static let asked: [JSONValue] = [hello, model(call), user(result)]
  private static let system: JSONValue = ["role": "system", "content": "Be brief."]

  static let cases: [Case] = [
    Case(
      "required_fields", refused: request([hello], ["max_tokens": nil]), accepted: request([hello]),
      "max_tokens: Field required"),
    Case(
      "known_fields", refused: request([hello], ["n": 2]), accepted: request([hello], ["metadata": [:]]),
      "n: Extra inputs are not permitted"),
    Case(
      "some_message", refused: request([]), accepted: request([hello]), "messages: at least one message is required"),
    Case(
      "roles", refused: request([hello, ["role": "tool", "content": "x"]]), accepted: request([hello, hello]),
      "messages.1.role: Input should be 'user', 'assistant' or 'system'"),
    Case(
      "non_empty_content", refused: request([hello, model(), hello]), accepted: request([hello, model()]),
      "messages.1: all messages must have non-empty content except for the optional final assistant message"),
    Case(
      "prefill", refused: request([hello, model(text("So"))], ["model": .string(opus)]),
      accepted: request(
        [
          hello,
          model(
            ["type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": [:]],
            ["type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []]),
        ], ["model": .string(opus)]),
      "This model does not support assistant message prefill. The conversation must end with a user message."),
    Case(
      "trailing_whitespace", refused: request([hello, model(text("So "))]),
      accepted: request([hello, model(text("So"))]),
      "messages: final assistant content cannot end with trailing whitespace"),
    Case(
      "system_place", refused: request([hello, model(call), system, user(result)]),
      accepted: request(asked + [system]), "messages.2: a system message must follow a user message"),
    Case(
      "results_follow", refused: request([hello, model(call), model(second), user(result)]),
      accepted: request([
        hello, model(call), model(second),
        user(result, ["type": "tool_result", "tool_use_id": "toolu_2"]),
      ]),
      "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    ),
    Case(
      "results_have_calls", refused: request([hello, model(text("No")), user(result)]), accepted: request(asked),
      "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
    ),
    Case(
      "single_results", refused: request([hello, model(call), user(result, result)]),
      accepted: request([hello, model(call), user(result, text("Go on."))]),
      "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1"
    ),
    Case(
      "unique_ids", refused: request(asked + [model(call), user(result)]), accepted: request(asked),
      "messages.3.content.0: `tool_use` ids must be unique"),
    Case(
      "server_tool_open",
      refused: request([
        hello, model(["type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": [:]], call),
        user(result, text("Go on.")),
      ]),
      accepted: request([
        hello, model(["type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": [:]], call),
        user(result),
      ]), "messages.2.content.1: only `tool_result` blocks may follow"),
    Case(
      "non_empty_text", refused: request([hello, model(text(""), call), user(result)]),
      accepted: request([
        user(["type": "text", "text": "", "citations": [["type": "char_location"]]], text("Hello"))
      ]), "messages: text content blocks must be non-empty"),
    Case(
      "text_with_words", refused: request([user(text(" \n"))]), accepted: request([user(text(" x\n"))]),
      "messages: text content blocks must contain non-whitespace text"),
    Case(
      "call_input", refused: request([hello, model(call.with(["input": "{}"])), user(result)]),
      accepted: request(asked),
      "messages.1.content.0.tool_use.input: Input should be a valid dictionary"),
    Case(
      "call_id",
      refused: request([
        hello, model(call.with(["id": "functions.now:0"])), user(result.with(["tool_use_id": "functions.now:0"])),
      ]), accepted: request(asked), "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"),
    Case(
      "call_name", refused: request([hello, model(call.with(["name": ""])), user(result)]), accepted: request(asked),
      "messages.1.content.0.tool_use.name: String should have at least 1 character"),
    Case(
      "result_content",
      refused: request([hello, model(call), user(result.with(["content": [["type": "audio"]]]))]),
      accepted: request([hello, model(call), user(result.with(["content": [text("noon")]]))]),
      "messages.2.content.0.tool_result.content.0: Input tag 'audio'"),
    Case(
      "error_content",
      refused: request([
        hello, model(call),
        user(result.with(["is_error": true, "content": [image("image/png", "iVBORw0KGgoA")]])),
      ]),
      accepted: request([hello, model(call), user(result.with(["is_error": true, "content": [text("No")]]))]),
      "messages.2.content.0.tool_result: all content must be type \"text\" if \"is_error\" is true"),
    Case(
      "images", refused: request([user(image("image/png", "/9j/4AAQSkZJRg=="))]),
      accepted: request([user(image("image/jpeg", "/9j/4AAQSkZJRg=="))]),
      "messages.0.content.0.image.source.base64.data: Image does not match the provided media type image/png"),
    Case(
      "cache_breakpoints",
      refused: request(
        [user(text("a").with(cached), text("b").with(cached), text("c").with(cached), text("d").with(cached))], cached),
      accepted: request([user(text("a").with(cached), text("b").with(cached), text("c").with(cached))], cached),
      "A maximum of 4 blocks with cache_control may be provided. Found 5."),
    Case(
      "cache_places", refused: request([hello, model(thought.with(cached), text("So")), hello]),
      accepted: request([hello, model(thought, text("So").with(cached)), hello]),
      "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted"),
    Case(
      "images",
      refused: request([
        user(["type": "image", "source": ["type": "url", "url": "http://example.com/a.png"]])
      ]),
      accepted: request([user(["type": "image", "source": ["type": "url", "url": "https://example.com/a.png"]])]),
      "messages.0.content.0.image.source.url.url: Only HTTPS URLs are supported."),
    Case(
      "images", refused: request([user(image("image/png", wide(9_000)))]),
      accepted: request([user(image("image/png", wide(8_000)))]),
      "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels"
    ),
    Case(
      "images", refused: request((0..<21).map { _ in user(image("image/png", wide(2_001))) }),
      accepted: request((0..<20).map { _ in user(image("image/png", wide(2_001))) }),
      "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels"
    ),
    Case(
      "documents",
      refused: request([
        user([
          "type": "document", "source": ["type": "base64", "media_type": "text/csv", "data": "YQ=="],
        ])
      ]),
      accepted: request([
        user([
          "type": "document", "source": ["type": "text", "media_type": "text/plain", "data": "a"],
        ])
      ]), "messages.0.content.0.document.source.base64.media_type: Input should be 'application/pdf'"),
    Case(
      "tool_schemas",
      refused: request(
        [hello], ["tools": [["name": "now", "input_schema": ["type": "object", "anyOf": [["required": ["a"]]]]]]]),
      accepted: request([hello], ["tools": [now]]),
      "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"),
    Case(
      "document_place",
      refused: request(
        [
          hello, model(["type": "document", "source": ["type": "text", "media_type": "text/plain", "data": "x"]]),
          hello,
        ], version: "2026-10-21"),
      accepted: request([
        hello, model(["type": "document", "source": ["type": "text", "media_type": "text/plain", "data": "x"]]), hello,
      ]),
      "messages.1.content.0: `document` blocks are not allowed in assistant messages"),
    Case(
      "citation_place",
      refused: request([user(text("x").with(["citations": [["type": "char_location"]]]))], version: "2026-10-21"),
      accepted: request([user(text("x").with(["citations": []]))], version: "2026-10-21"),
      "messages.0.content.0.text.citations: citations are not allowed in user messages"),
    Case(
      "tool_names", refused: request([hello], ["tools": [now.with(["name": "files.read"])]]),
      accepted: request([hello], ["tools": [now]]),
      "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'"),
    Case(
      "unique_tool_names", refused: request([hello], ["tools": [now, now]]),
      accepted: request([hello], ["tools": [now, now.with(["name": "then"])]]), "tools: Tool names must be unique."),
    Case(
      "tool_schemas", refused: request([hello], ["tools": [now.with(["input_schema": [:]])]]),
      accepted: request([hello], ["tools": [now, ["type": "bash_20250124", "name": "bash"]]]),
      "tools.0.custom.input_schema.type: Field required"),
    Case(
      "tool_choice", refused: request([hello], ["tools": [now], "tool_choice": ["type": "tool", "name": "then"]]),
      accepted: request([hello], ["tools": [now], "tool_choice": ["type": "tool", "name": "now"]]),
      "Tool 'then' not found in provided tools"),
    Case(
      "forced_tools",
      refused: request([hello], ["model": "claude-opus-5-5", "tools": [now], "tool_choice": ["type": "any"]]),
      accepted: request([hello], ["model": "claude-opus-4-8", "tools": [now], "tool_choice": ["type": "any"]]),
      "Thinking may not be enabled when tool_choice forces tool use."),
    Case(
      "thinking_setting",
      refused: request([hello], ["model": .string(opus), "thinking": ["type": "enabled", "budget_tokens": 2000]]),
      accepted: request([hello], ["model": .string(opus), "thinking": ["type": "adaptive"]]),
      "\"thinking.type.enabled\" is not supported for this model."),
    Case(
      "thinking_budget",
      refused: request([hello], ["max_tokens": 2000, "thinking": ["type": "enabled", "budget_tokens": 2000]]),
      accepted: request([hello], ["max_tokens": 2001, "thinking": ["type": "enabled", "budget_tokens": 2000]]),
      "`max_tokens` must be greater than `thinking.budget_tokens`."),
    Case(
      "thinking_fields", refused: request([hello, model(thought.with(["signature": nil]), text("So")), hello]),
      accepted: request([hello, model(thought.with(["thinking": ""]), text("So")), hello]),
      "messages.1.content.0.thinking.signature: Field required"),
    Case(
      "thinking_first",
      refused: request(asked, ["max_tokens": 3000, "thinking": ["type": "enabled", "budget_tokens": 2000]]),
      accepted: request(
        [hello, model(thought, call), user(result)],
        ["max_tokens": 3000, "thinking": ["type": "enabled", "budget_tokens": 2000]]),
      "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."),
    Case(
      "thinking_unmodified",
      refused: request(
        [hello, model(thought.with(["thinking": ""]), call), user(result)], ["model": .string(opus)],
        issued: [[thought, call]]),
      accepted: request(
        [hello, model(thought, call.with(cached)), user(result)], ["model": .string(opus)], issued: [[thought, call]]),
      "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified."
    ),
    boundThinking,
    Case(
      "sampling_by_version", refused: request([hello], ["temperature": 1], version: "2026-10-21"),
      accepted: request([hello], ["temperature": 0.5]), "temperature: Extra inputs are not permitted"),
    Case(
      "sampling_by_model", refused: request([hello], ["model": .string(opus), "temperature": 0.5]),
      accepted: request([hello], ["model": .string(opus), "temperature": 1]),
      "temperature: Extra inputs are not permitted"),
  ]

  /// The signature holds while the conversation only grows, whatever the cache markers do.
  private static let boundThinking: Case = {
    let fable: JSONObject = ["model": "claude-fable-5-1", "system": "Be kind."]
    let signature = AnthropicSignature.bound(to: request([hello], fable))
    let reply = model(thought.with(["signature": .string(signature)]), call)
    return Case(
      "thinking_bound",
      refused: request([hello, reply, user(result)], ["model": "claude-fable-5-1", "system": "Be kind. It is noon."]),
      accepted: request(
        [user(text("Hello").with(cached)), reply, user(result)],
        ["model": "claude-fable-5-1", "system": [text("Be kind.").with(cached)], "max_tokens": 5]),
      "messages.1.content.0: Invalid signature in thinking block. The block is bound to a different conversation")
  }()

  @Test(arguments: cases)
  func `a request that breaks a rule is refused in the words of the API`(_ sample: Case) throws {
    let violations = AnthropicRules.check(sample.refused)
    let violation = try #require(violations.first { $0.rule == sample.rule }, "\(violations)")
    #expect(violation.message.hasPrefix(sample.message), "\(violation.message)")
    #expect(violation.status == 400)
    #expect(AnthropicRules.errorBody(violation)["error"]?["type"] == "invalid_request_error")
  }

  @Test(arguments: cases)
  func `a request that keeps all rules is accepted`(_ sample: Case) {
    #expect(AnthropicRules.check(sample.accepted) == [])
  }

  @Test func `every rule has a case and a source`() {
    #expect(Set(AnthropicRules.all.map(\.name)) == Set(Self.cases.map(\.rule) + ["message_limit"]))
    #expect(Set(AnthropicRules.all.map(\.name)).count == AnthropicRules.all.count)
    #expect(AnthropicRules.all.allSatisfy { !$0.source.isEmpty })
  }

  @Test func `a hundred thousand messages are enough`() throws {
    let rule = try #require(AnthropicRules.all.first { $0.name == "message_limit" })
    let many = Array(repeating: Self.hello, count: 100_000)
    #expect(rule.violations(in: Self.request(many)) == [])
    #expect(rule.violations(in: Self.request(many + [Self.hello])).count == 1)
  }

  @Test func `results behind text do not answer a call`() {
    let request = Self.request([Self.hello, Self.model(Self.call), Self.user(Self.text("Here:"), Self.result)])
    #expect(AnthropicRules.check(request).first?.rule == "results_follow")
  }

  @Test func `thinking may not be dropped from the turn at hand, but from one that is over`() {
    let issued = [[Self.thought, Self.call]]
    let open = [Self.hello, Self.model(Self.call), Self.user(Self.result)]
    let model: JSONObject = ["model": .string(Self.opus)]
    #expect(AnthropicRules.check(Self.request(open, model, issued: issued)).map(\.rule) == ["thinking_unmodified"])
    let over = open + [Self.model(Self.text("Noon.")), Self.hello]
    #expect(AnthropicRules.check(Self.request(over, model, issued: issued)) == [])
  }

  @Test(arguments: [
    ("claude-3-7-sonnet-latest", AnthropicModelProfile.claude45), ("claude-haiku-4-5-20251001", .claude45),
    ("claude-opus-4-20250514", .claude45), ("claude-opus-4-6", .claude46), ("claude-opus-4-7", .claude47),
    ("claude-sonnet-5", .claude47), ("claude-opus-5", .claude47), ("claude-fable-5", .fable5),
    ("claude-opus-5-5", .fable51), ("claude-fable-5-1", .fable51), ("a model of tomorrow", .fable51),
  ])
  func `a model's name tells what it accepts`(_ model: String, _ profile: AnthropicModelProfile) {
    #expect(AnthropicModelProfile(model: model) == profile)
  }
}
