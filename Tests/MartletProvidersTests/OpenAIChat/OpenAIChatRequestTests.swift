import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct OpenAIChatRequestTests {
  static let echo = ToolDefinition(
    name: "echo", description: "Repeats.",
    parameters: ["type": "object", "properties": ["text": ["type": "string"]], "required": ["text"]])

  func request(
    _ vendor: ChatVendor, model: String = "m", options: ModelOptions = ModelOptions(), tools: [ToolDefinition] = [],
    schema: JSONValue? = nil, configuration: OpenAIChat.Configuration = .init(), prefix: PromptPrefix? = nil
  ) throws -> (http: HTTPRequest, json: JSONValue) {
    let model = OpenAIChat(
      model, vendor: vendor, key: APIKey("k"), configuration: configuration, transport: ReplayTransport([]))
    let request = ModelRequest(
      instructions: [.text("Be brief.")], tools: tools, messages: [.user("Hi")], options: options,
      outputSchema: schema, prefix: prefix)
    let http = model.httpRequest(for: request)
    guard case .segments(let segments) = http.body else { return (http, .null) }
    return (http, try JSONValue(parsing: Array(segments.joined())))
  }

  @Test(arguments: ChatVendor.known) func `every vendor's request is complete`(vendor: ChatVendor) throws {
    let options = ModelOptions(
      maxOutputTokens: 100, temperature: 0.5, topP: 0.9, seed: 1, stopSequences: ["x"], thinking: .high,
      toolChoice: .tool("echo"), parallelToolCalls: false)
    let configuration = OpenAIChat.Configuration(baseURL: vendor.baseURL.isEmpty ? "https://own.example/v1" : nil)
    let (http, json) = try request(
      vendor, options: options, tools: [Self.echo], schema: ["type": "object"], configuration: configuration)
    #expect(http.url.hasPrefix("http") && http.url.hasSuffix(vendor.path))
    #expect(json["model"] == "m" && json["stream"] == true)
    #expect((json["tools"] != nil) == vendor.takesTools)
    #expect((json["stream_options"] != nil) == vendor.asksForUsage)
    #expect((json["parallel_tool_calls"] != nil) == (vendor.takesParallelToolCalls && vendor.takesTools))
    #expect(json["max_tokens"] != nil || json["max_completion_tokens"] != nil)
    #expect(json["messages"]?[0]?["role"] == "system")
    #expect(ChatHistoryTests.faults(json, vendor) == [])
  }

  @Test func `addresses`() throws {
    func url(_ vendor: ChatVendor, _ base: String?) throws -> String {
      try request(vendor, configuration: .init(baseURL: base)).http.url
    }
    #expect(try url(.openAI, nil) == "https://api.openai.com/v1/chat/completions")
    #expect(try url(.openAI, "http://127.0.0.1:80") == "http://127.0.0.1:80/v1/chat/completions")
    #expect(try url(.openAI, "http://h/api/v3/") == "http://h/api/v3/chat/completions")
    #expect(try url(.compatible(baseURL: "http://h:1/"), nil) == "http://h:1/v1/chat/completions")
    #expect(
      try url(.azure, "https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21")
        == "https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21")
    #expect(try url(.writer, nil) == "https://api.writer.com/v1/chat")
  }

  @Test func `keys go where the vendor wants them and print nowhere`() throws {
    let bearer = try request(.openAI).http
    #expect(bearer.headers["authorization"] == "Bearer k")
    let header = try request(.azure, configuration: .init(baseURL: "https://r/openai/v1")).http
    #expect(header.headers["api-key"] == "k" && header.headers["authorization"] == nil)
    #expect(!"\(bearer) \(header)".contains("Bearer"))
  }

  @Test(arguments: [
    ("gpt-4o", "max_completion_tokens", "system", true), ("gpt-5", "max_completion_tokens", "developer", false),
    ("o3-mini", "max_completion_tokens", "developer", false), ("gpt-5.1", "max_completion_tokens", "developer", true),
    ("o1-mini", "max_completion_tokens", "user", false),
  ]) func `OpenAI's models get what they take`(model: String, limit: String, role: String, takesSampling: Bool) throws {
    let (_, json) = try request(
      .openAI, model: model, options: ModelOptions(temperature: 0.5, stopSequences: ["x"]), tools: [Self.echo])
    #expect(json[limit] == 4_096)
    #expect(json["messages"]?[0]?["role"]?.stringValue == role)
    #expect((json["temperature"] != nil) == takesSampling)
    #expect(OpenAIChatRules.check(request: json) == [])
  }

  @Test func `reasoning models get no max_tokens from any vendor`() throws {
    let (_, json) = try request(.openRouter, model: "openai/gpt-5", options: ModelOptions(temperature: 0.5))
    #expect(json["max_tokens"] == nil && json["max_completion_tokens"] == 4_096 && json["temperature"] == nil)
  }

  static let thinkingWords: [(ChatVendor, String, ModelOptions.ThinkingLevel, String, JSONValue)] = [
    (ChatVendor.openAI, "gpt-5", ModelOptions.ThinkingLevel.off, "reasoning_effort", "minimal"),
    (.openAI, "gpt-5.1", .off, "reasoning_effort", "none"), (.openAI, "o3", .high, "reasoning_effort", "high"),
    (.openAI, "gpt-4o", .high, "reasoning_effort", .null),
    (.groq, "openai/gpt-oss-120b", .low, "reasoning_effort", "low"),
    (.deepSeek, "deepseek-chat", .off, "thinking", ["type": "disabled"]),
    (.deepSeek, "deepseek-chat", .high, "reasoning_effort", "high"),
    (.zAI, "glm-5", .high, "thinking", ["type": "enabled"]), (.alibaba, "qwen3", .off, "enable_thinking", false),
    (.vLLM, "qwen3", .off, "chat_template_kwargs", ["enable_thinking": false]),
    (.openRouter, "x", .off, "reasoning", ["enabled": false]),
    (.openRouter, "x", .medium, "reasoning", ["effort": "medium"]),
  ]

  @Test(arguments: thinkingWords) func `thinking is asked for in the vendor's words`(
    vendor: ChatVendor, model: String, level: ModelOptions.ThinkingLevel, key: String, value: JSONValue
  ) throws {
    let (_, json) = try request(vendor, model: model, options: ModelOptions(thinking: level))
    #expect((json[key] ?? .null) == value)
  }

  static let toolChoices: [(ChatVendor, ModelOptions.ToolChoice, JSONValue)] = [
    (ChatVendor.openAI, ModelOptions.ToolChoice.required, "required"),
    (.openAI, .tool("echo"), ["type": "function", "function": ["name": "echo"]]), (.openAI, .none, "none"),
    (.openAI, .auto, .null), (.cohere, .tool("echo"), "required"), (.zAI, .required, .null),
    (.zAI, .tool("echo"), .null), (.alibaba, .required, .null),
    (.alibaba, .tool("echo"), ["type": "function", "function": ["name": "echo"]]), (.perplexity, .required, .null),
  ]

  @Test(arguments: toolChoices) func `tool choices go only to vendors that take them`(
    vendor: ChatVendor, choice: ModelOptions.ToolChoice, value: JSONValue
  ) throws {
    let (_, json) = try request(vendor, options: ModelOptions(toolChoice: choice), tools: [Self.echo])
    #expect((json["tool_choice"] ?? .null) == value)
  }

  @Test func `no tools, no tool choice`() throws {
    let (_, json) = try request(.openAI, options: ModelOptions(toolChoice: .required, parallelToolCalls: true))
    #expect(json["tool_choice"] == nil && json["parallel_tool_calls"] == nil && json["tools"] == nil)
  }

  @Test func `typed answers are strict where the schema can be, and a message where the vendor knows no schemas`()
    throws
  {
    let closed: JSONValue = ["type": "object", "properties": ["a": ["type": "string"]], "required": ["a"]]
    let open: JSONValue = ["type": "object", "properties": ["a": ["type": "string"]]]
    let strict = try request(.openAI, schema: closed).json["response_format"]?["json_schema"]
    #expect(strict?["strict"] == true && strict?["schema"]?["additionalProperties"] == false)
    let lax = try request(.openAI, schema: open).json["response_format"]?["json_schema"]
    #expect(lax?["strict"] == false && lax?["schema"] == open)
    let object = try request(.deepSeek, schema: open).json
    #expect(object["response_format"] == ["type": "json_object"])
    #expect(object["messages"]?.arrayValue?.last?["content"]?.stringValue?.contains("JSON Schema") == true)
    #expect(OpenAIChatRules.check(request: object) == [])
  }

  @Test func `strict tools are those whose schemas can be, where they are asked for`() throws {
    let open = ToolDefinition(name: "open", description: "", parameters: ["type": "object", "properties": ["a": [:]]])
    let (_, json) = try request(.openAI, tools: [Self.echo, open], configuration: .init(usesStrictTools: true))
    #expect(json["tools"]?[0]?["function"]?["strict"] == true)
    #expect(json["tools"]?[1]?["function"]?["strict"] == nil)
    #expect(OpenAIChatRules.check(request: json) == [])
    #expect(try request(.openAI, tools: [Self.echo]).json["tools"]?[0]?["function"]?["strict"] == nil)
  }

  @Test func `further members replace ours`() throws {
    let (_, json) = try request(
      .openAI, configuration: .init(extraBody: ["service_tier": "flex", "max_completion_tokens": 7]))
    #expect(json["service_tier"] == "flex" && json["max_completion_tokens"] == 7)
  }

  @Test func `vendors have names of their own and can be found by them`() {
    #expect(Set(ChatVendor.known.map(\.name)).count == ChatVendor.known.count)
    for vendor in ChatVendor.known { #expect(ChatVendor.named(vendor.name) == vendor) }
    #expect(ChatVendor.named("nobody") == nil)
  }

  @Test func `models are listed with what the vendor tells of them`() async throws {
    let body = #"""
      {"object":"list","data":[{"id":"gpt-4o","object":"model"},{"id":"x/y","context_length":1000,
      "top_provider":{"max_completion_tokens":10},"pricing":{"prompt":"0.000001","completion":"0.000002"}}]}
      """#
    let model = OpenAIChat(
      "m", key: nil, transport: ReplayTransport(Array(body.utf8), headers: ["content-type": "application/json"]))
    let models = try await model.availableModels()
    #expect(models.map(\.id) == ["gpt-4o", "x/y"])
    #expect(models[1].contextWindow == 1_000 && models[1].maxOutputTokens == 10)
    #expect(models[1].price.map { abs($0.output - 2) < 1e-9 } == true)
  }

  @Test(arguments: [
    (401, #"{"error":{"message":"no"}}"#, ModelError.Code.authentication), (200, "<html>", .invalidResponse),
  ])
  func `a list that is none is a typed error`(status: Int, body: String, code: ModelError.Code) async {
    let model = OpenAIChat("m", key: nil, transport: ReplayTransport(Array(body.utf8), status: status))
    do {
      _ = try await model.availableModels()
      Issue.record("a list")
    } catch { #expect((error as? ModelError)?.code == code) }
  }

  @Test func `an agent runs tools through the client`() async throws {
    struct Echo: Tool {
      let name = "echo"
      let description = "Repeats."
      var parameters: JSONValue { ["type": "object"] }
      func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput { .text("ok") }
    }
    struct Turns: HTTPTransport {
      func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard case .segments(let segments) = request.body else { return HTTPResponse(status: 400) }
        let json = try JSONValue(parsing: Array(segments.joined()))
        let faults = OpenAIChatRules.check(request: json)
        if let fault = faults.first {
          return HTTPResponse(
            status: fault.status, headers: ["content-type": "application/json"],
            body: HTTPBody(OpenAIChatRules.errorBody(fault).bytes()))
        }
        let hasResult = json["messages"]?.arrayValue?.last?["role"] == "tool"
        let name = json["tools"]?[0]?["function"]?["name"]?.stringValue ?? ""
        let delta =
          hasResult
          ? #"{"content":"Done."}"#
          : #"{"tool_calls":[{"index":0,"id":"","function":{"name":"\#(name)","arguments":""}}]}"#
        let body = OpenAIChatStreamTests.stream([OpenAIChatStreamTests.delta(delta), OpenAIChatStreamTests.end])
        return HTTPResponse(status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(body))
      }
    }
    let agent = try Agent(model: OpenAIChat("gpt-4o", key: nil, transport: Turns()), tools: [Echo()])
    #expect(try await agent.send("Go") == "Done.")
    #expect(await agent.messages.count == 4)
  }
}
