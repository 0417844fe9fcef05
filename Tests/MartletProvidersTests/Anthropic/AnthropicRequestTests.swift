import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct AnthropicRequestTests {
  func client(_ model: String = "claude-opus-5", _ configuration: Anthropic.Configuration = .init()) -> Anthropic {
    Anthropic(model, key: APIKey("k"), configuration: configuration, transport: ReplayTransport([]))
  }

  func body(
    _ request: ModelRequest, _ model: String = "claude-opus-5", _ configuration: Anthropic.Configuration = .init()
  ) throws -> JSONValue {
    try client(model, configuration).httpRequest(for: request).json
  }

  func violations(_ json: JSONValue, _ version: Anthropic.Version = .v2023_06_01) -> [RuleViolation] {
    AnthropicRules.check(AnthropicRequest(json, version: version.rawValue))
  }

  @Test(arguments: [
    (Anthropic.Version.v2023_06_01, Anthropic.Authentication.apiKeyHeader), (.v2026_10_21, .bearer),
  ])
  func `both versions and both ways to send the key`(
    version: Anthropic.Version, authentication: Anthropic.Authentication
  ) throws {
    let request = client(
      "claude-sonnet-4-5",
      .init(
        version: version, authentication: authentication, betas: ["a-1", "b-2"],
        headers: ["anthropic-workspace-id": "w"])
    ).httpRequest(for: ModelRequest(messages: [.user("Hi")], options: ModelOptions(temperature: 0.5)))
    #expect(request.headers["anthropic-version"] == version.rawValue)
    #expect(request.headers["anthropic-beta"] == "a-1,b-2")
    #expect(request.headers["anthropic-workspace-id"] == "w")
    #expect(request.headers["x-api-key"] == (authentication == .apiKeyHeader ? "k" : nil))
    #expect(request.headers["authorization"] == (authentication == .bearer ? "Bearer k" : nil))
    let json = try request.json
    // The new version takes no sampling parameters from any model.
    #expect((json["temperature"] != nil) == (version == .v2023_06_01))
    #expect(violations(json, version) == [])
  }

  @Test(arguments: [
    ("claude-3-5-haiku-latest", ModelOptions.ThinkingLevel.high, nil as String?),
    ("claude-sonnet-4-5", .off, #"{"type":"disabled"}"#),
    ("claude-sonnet-4-5", .high, #"{"type":"enabled","budget_tokens":7680}"#),
    ("claude-opus-4-7", .medium, #"{"type":"adaptive","display":"summarized"}"#),
    ("claude-opus-5", .off, #"{"type":"disabled"}"#), ("claude-fable-5", .off, nil), ("claude-opus-5-5", .off, nil),
    ("claude-opus-5-5", .high, #"{"type":"adaptive","display":"summarized"}"#),
  ])
  func `thinking is asked for as the model takes it`(
    model: String, level: ModelOptions.ThinkingLevel, thinking: String?
  ) throws {
    let request = ModelRequest(
      messages: [.user("Hi")], options: ModelOptions(maxOutputTokens: 8_192, temperature: 0.3, thinking: level))
    let json = try body(request, model, .init(thinkingDisplay: "summarized"))
    #expect(json["thinking"]?.text() == thinking)
    if json["thinking"]?["type"] == "adaptive" { #expect(json["output_config"]?["effort"] == .string(level.rawValue)) }
    #expect(violations(json) == [])
  }

  @Test func `a turn that began without thinking goes on without`() throws {
    let messages: MessageHistory = [
      .user("Hi"), .assistant(text: "", toolCalls: [ToolCall(id: "call_1", name: "echo")]),
      .tool(result: "ok", callId: "call_1", name: "echo"),
    ]
    let options = ModelOptions(thinking: .high)
    let json = try body(ModelRequest(messages: messages, options: options), "claude-sonnet-4-5")
    #expect(json["thinking"] == nil)
    #expect(violations(json) == [])
    var later = messages
    later.append(.assistant(text: "Done."))
    later.append(.user("Again"))
    #expect(try body(ModelRequest(messages: later, options: options), "claude-sonnet-4-5")["thinking"] != nil)
  }

  @Test func `there are at most four cache markers, and none if they are not wanted`() throws {
    var messages: MessageHistory = []
    for turn in 0..<20 {
      messages.append(.user("Question \(turn)"))
      messages.append(.assistant(text: "Answer"))
    }
    messages.append(.user("Last"))
    let request = ModelRequest(
      instructions: [.text("One."), .text("  "), .text("Two.")],
      tools: [ToolDefinition(name: "echo", description: "", parameters: ["type": "object"])], messages: messages)
    let json = try body(request)
    let count = json.text().split(separator: "\"cache_control\"", omittingEmptySubsequences: false).count - 1
    #expect(count == 2)
    #expect(json["system"]?[1]?["cache_control"] != nil)
    #expect(violations(json) == [])
    #expect(!(try body(request, "claude-opus-5", .init(cachesPrompt: false))).text().contains("cache_control"))
  }

  @Test(arguments: [
    ("claude-opus-5", ModelOptions.ToolChoice.required, #"{"type":"any"}"# as String?),
    ("claude-opus-5", .tool("files/read"), nil), ("claude-opus-5-5", .required, nil),
    ("claude-opus-5", .none, #"{"type":"none"}"#),
    ("claude-opus-5", .auto, nil),
  ])
  func `a choice of tool is forced only on models that take it`(
    model: String, choice: ModelOptions.ToolChoice, wire: String?
  ) throws {
    let tool = ToolDefinition(name: "files/read", description: "", parameters: ["type": "object"])
    let json = try body(
      ModelRequest(tools: [tool], messages: [.user("Hi")], options: ModelOptions(toolChoice: choice)), model)
    if case .tool = choice {
      #expect(json["tool_choice"]?["name"] == json["tools"]?[0]?["name"])
    } else {
      #expect(json["tool_choice"]?.text() == wire)
    }
    #expect(violations(json) == [])
  }

  @Test func `tools are strict as far as Anthropic allows`() throws {
    let plain: JSONValue = ["type": "object", "properties": ["a": ["type": "string"]], "required": ["a"]]
    let bounded: JSONValue = ["type": "object", "properties": ["a": ["type": "integer", "minimum": 1]]]
    let tools =
      [ToolDefinition(name: "bounded", description: "", parameters: bounded)]
      + (0..<25).map { ToolDefinition(name: "t\($0)", description: "", parameters: plain) }
    let json = try body(
      ModelRequest(tools: tools, messages: [.user("Hi")]), "claude-opus-5", .init(usesStrictTools: true))
    let strict = json["tools"]?.arrayValue?.filter { $0["strict"] == true } ?? []
    #expect(strict.count == 20)
    #expect(json["tools"]?[0]?["strict"] == nil)
    #expect(strict[0]["input_schema"]?["additionalProperties"] == false)
    #expect(violations(json) == [])
  }

  @Test func `an answer's schema is put into the form that Anthropic takes`() throws {
    let schema: JSONValue = [
      "type": "object",
      "properties": ["n": ["type": "integer", "minimum": 1], "x": ["oneOf": [["type": "string"], ["type": "null"]]]],
      "required": ["n"],
    ]
    let json = try body(
      ModelRequest(messages: [.user("Hi")], options: ModelOptions(thinking: .low), outputSchema: schema))
    #expect(json["output_config"]?["effort"] == "low")
    #expect(
      json["output_config"]?["format"] == [
        "type": "json_schema",
        "schema": [
          "type": "object",
          "properties": ["n": ["type": "integer"], "x": ["anyOf": [["type": "string"], ["type": "null"]]]],
          "required": ["n"], "additionalProperties": false,
        ],
      ])
  }

  @Test func `tokens are counted with the same prompt`() async throws {
    let request = ModelRequest(
      instructions: [.text("Be brief.")], messages: [.user("Hi")], options: ModelOptions(maxOutputTokens: 9))
    let counted = client().countRequest(for: request)
    #expect(counted.url.hasSuffix("/v1/messages/count_tokens"))
    let json = try counted.json
    #expect(json["max_tokens"] == nil)
    #expect(json["stream"] == nil)
    #expect(json["messages"] == (try body(request))["messages"])
    let transport = ReplayTransport(
      Array(#"{"input_tokens":12}"#.utf8), headers: ["content-type": "application/json"])
    #expect(try await Anthropic(key: nil, transport: transport).countTokens(request) == 12)
    let failing = ReplayTransport(
      Array(#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#.utf8), status: 529,
      headers: ["content-type": "application/json"])
    await #expect { try await Anthropic(key: nil, transport: failing).countTokens(request) } throws: {
      ($0 as? ModelError)?.code == .overloaded
    }
  }

  @Test func `models are listed page by page with the limits that the service states`() async throws {
    struct Pages: HTTPTransport {
      func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body =
          request.url.contains("after_id=claude-new")
          ? #"{"data":[{"id":"claude-opus-4-5-20251101"}],"has_more":false,"last_id":"claude-opus-4-5-20251101"}"#
          : #"{"data":[{"id":"claude-new","max_input_tokens":7,"max_tokens":3}],"has_more":true,"last_id":"claude-new"}"#
        return HTTPResponse(
          status: 200, headers: ["content-type": "application/json"], body: HTTPBody(Array(body.utf8)))
      }
    }
    let models = try await Anthropic(key: nil, transport: Pages()).availableModels()
    #expect(models.map(\.id) == ["claude-new", "claude-opus-4-5-20251101"])
    #expect(models[0].contextWindow == 7)
    #expect(models[0].maxOutputTokens == 3)
    #expect(models[1].price?.cacheWrite == 6.25)
  }

  @Test(arguments: ["pause_turn", "refusal", "model_context_window_exceeded", "stop_sequence", "compaction"])
  func `reasons to stop are Anthropic's own words`(word: String) async throws {
    let body = stream(
      #"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":1}}}"#,
      #"{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}}"#,
      #"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"x\"}"}}"#,
      #"{"type":"content_block_stop","index":0}"#,
      #"{"type":"message_delta","delta":{"stop_reason":"\#(word)"},"usage":{"output_tokens":5}}"#,
      #"{"type":"message_stop"}"#)
    let events = try await events(body) { Anthropic("claude-opus-5", key: nil, transport: $0) }
    #expect(events.finish?.reason.rawValue == word)
    // Sent again, the paused turn goes back as it came; before something new, without what was not finished.
    let request = ModelRequest(messages: [.user("Hi"), Message(role: .assistant, content: events.blocks)])
    #expect(
      try self.body(request)["messages"]?[1]?["content"]?.text()
        == #"[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}]"#)
    let later = ModelRequest(
      messages: [.user("Hi"), Message(role: .assistant, content: events.blocks + [.text("Hm.")]), .user("Stop")])
    #expect(try self.body(later)["messages"]?[1]?["content"]?.text() == #"[{"type":"text","text":"Hm."}]"#)
  }

  @Test func `citations go back with their text, thinking omitted or redacted as it came`() async throws {
    let body = stream(
      #"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":1}}}"#,
      #"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
      #"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#,
      #"{"type":"content_block_stop","index":0}"#,
      #"{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"ZGF0YQ=="}}"#,
      #"{"type":"content_block_stop","index":1}"#,
      #"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"","citations":[]}}"#,
      #"{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"Grass is green."}}"#,
      #"{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"type":"page_location","odd":1.0}}}"#,
      #"{"type":"content_block_stop","index":2}"#,
      #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#,
      #"{"type":"message_stop"}"#)
    let events = try await events(body) { Anthropic("claude-opus-5", key: nil, transport: $0) }
    let request = ModelRequest(
      messages: [.user("Hi"), Message(role: .assistant, content: events.blocks), .user("Go on")])
    #expect(
      try self.body(request)["messages"]?[1]?["content"]?.text()
        == #"[{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"redacted_thinking","data":"ZGF0YQ=="},{"type":"text","text":"Grass is green.","citations":[{"type":"page_location","odd":1.0}]}]"#
    )
  }

  @Test func `Anthropic takes every history that has something to answer`() throws {
    let tools = HistoryPropertyTests.tools.prefix(2)
    for seed in 0..<400 as Range<UInt64> {
      var generator = AnyHistory(seed: seed)
      var messages = generator.messages()
      messages.append(.user("And now?"))
      for model in ["claude-opus-5", "claude-sonnet-4-5"] {
        let json = try body(
          ModelRequest(
            tools: Array(tools), messages: MessageHistory(messages), options: ModelOptions(thinking: .high)), model)
        let found = violations(json)
        #expect(found.isEmpty, "seed \(seed): \(found.first.map { "\($0)" } ?? "")\n\(json.text())")
        if !found.isEmpty { return }
      }
    }
  }
}
