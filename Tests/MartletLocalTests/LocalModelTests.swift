import Martlet
import MartletJSON
import Testing

@testable import MartletLocal

/// The small model through the interface everybody uses. What it says is not looked at, only whether it is well formed.
@Suite(.enabled(if: TestModels.small != nil, TestModels.missing), .serialized)
struct LocalModelTests {
  static let shared = Task {
    try await LocalModel.open(
      try #require(TestModels.small), id: "smollm2-135m", options: EngineOptions(contextLength: 1024))
  }

  static let tools = [
    ToolDefinition(
      name: "get_weather", description: "Tells the weather of a city.",
      parameters: [
        "type": "object", "required": ["city", "days"],
        "properties": [
          "city": ["type": "string", "maxLength": 20], "days": ["type": "integer", "minimum": 1, "maximum": 7],
          "unit": ["enum": ["celsius", "fahrenheit"]],
        ],
      ]),
    ToolDefinition(
      name: "add", description: "Adds numbers.",
      parameters: [
        "type": "object", "required": ["numbers"],
        "properties": ["numbers": ["type": "array", "items": ["type": "integer"], "minItems": 2, "maxItems": 3]],
      ]),
  ]

  private func events(_ request: ModelRequest) async throws -> [ModelEvent] {
    var events: [ModelEvent] = []
    for try await event in try await Self.shared.value.stream(request) { events.append(event) }
    return events
  }

  private func request(
    _ text: String, tools: [ToolDefinition] = [], _ options: ModelOptions = ModelOptions(maxOutputTokens: 24)
  ) -> ModelRequest {
    ModelRequest(tools: tools, messages: [.user(text)], options: options)
  }

  private func calls(_ events: [ModelEvent]) -> [ToolCall] {
    events.compactMap { if case .block(let block, _) = $0, case .toolCall(let call) = block.kind { call } else { nil } }
  }

  private func finish(_ events: [ModelEvent]) -> (StopReason, Usage)? {
    if case .finished(let reason, let usage) = events.last { (reason, usage) } else { nil }
  }

  @Test func `text comes in pieces that make up its block, then the figures and the end`() async throws {
    let events = try await events(request("Say something in Greek, please."))
    var pieces = ""
    var block: String?
    var metrics: Metrics?
    for event in events {
      switch event {
      case .text(let piece, let index):
        #expect(index == 0)
        pieces += piece
      case .block(let content, let index):
        #expect(index == 0)
        block = content.text
      case .metrics(let figures): metrics = figures
      default: break
      }
    }
    #expect(!pieces.isEmpty)
    #expect(block == pieces)
    let (_, usage) = try #require(finish(events))
    #expect(metrics?.finished == true)
    #expect(metrics?.promptTokens == usage.input)
    #expect(metrics?.contextMax == 1024)
    #expect(usage.input == (try await Self.shared.value).countTokens(request("Say something in Greek, please.")))
    #expect((1...24).contains(usage.output))
  }

  @Test func `the limit of tokens is a stop reason`() async throws {
    let events = try await events(request("Count from one to a hundred.", ModelOptions(maxOutputTokens: 3)))
    let (reason, usage) = try #require(finish(events))
    #expect(reason == .maxTokens)
    #expect(usage.output == 3)
  }

  @Test func `a required call keeps to its schema`() async throws {
    let options = ModelOptions(maxOutputTokens: 200, toolChoice: .required)
    let events = try await events(request("What will the weather in Oslo be for 3 days?", tools: Self.tools, options))
    let calls = calls(events)
    #expect(!calls.isEmpty)
    #expect(finish(events)?.0 == .toolUse)
    for call in calls {
      let tool = try #require(Self.tools.first { $0.name == call.name })
      let arguments = try #require(call.argumentsObject)
      #expect(try JSONSchema(tool.parameters).validate(.object(arguments)).isEmpty)
    }
    #expect(Set(calls.map(\.id)).count == calls.count)
  }

  @Test func `the named tool is called, and none where none is allowed`() async throws {
    let named = ModelOptions(maxOutputTokens: 200, toolChoice: .tool("add"), parallelToolCalls: false)
    #expect(try await calls(events(request("What is the weather?", tools: Self.tools, named))).map(\.name) == ["add"])
    let none = ModelOptions(maxOutputTokens: 8, toolChoice: .none)
    #expect(try await calls(events(request("Add 2 and 3.", tools: Self.tools, none))).isEmpty)
    let unknown = ModelOptions(toolChoice: .tool("nothing"))
    await #expect(throws: ModelError.self) { try await events(request("x", tools: Self.tools, unknown)) }
  }

  @Test func `a call that is cut off is kept as text with the reason`() async throws {
    let options = ModelOptions(maxOutputTokens: 1, toolChoice: .tool("get_weather"))
    let events = try await events(request("Weather in Oslo?", tools: Self.tools, options))
    let call = try #require(calls(events).first)
    #expect(call.argumentsObject == nil)
    #expect(finish(events)?.0 == .maxTokens)
  }

  @Test func `the next turn computes only what is new`() async throws {
    let first = try await events(request("My name is Ada. Remember it."))
    let reply = first.compactMap { if case .block(let block, _) = $0 { block.text } else { nil } }.joined()
    let second = ModelRequest(
      messages: [.user("My name is Ada. Remember it."), .assistant(text: reply), .user("What is my name?")],
      options: ModelOptions(maxOutputTokens: 4))
    let usage = try #require(finish(try await events(second))).1
    let firstUsage = try #require(finish(first)).1
    #expect(usage.cachedInput >= firstUsage.input)
    #expect(usage.input - usage.cachedInput < 30)
  }

  @Test func `a conversation too long for the context says so`() async throws {
    let long = String(repeating: "many words in a long text ", count: 400)
    let error = await #expect(throws: ModelError.self) { try await events(request(long)) }
    #expect(error?.code == .contextOverflow)
    #expect(try await !events(request("Short again.")).isEmpty)
  }

  @Test func `a schema that cannot be written is an error of the request`() async throws {
    let tool = ToolDefinition(
      name: "bad", description: "",
      parameters: [
        "type": "object", "required": ["a"], "properties": ["a": ["$ref": "#/nowhere"]],
      ])
    let error = await #expect(throws: ModelError.self) {
      try await events(request("x", tools: [tool], ModelOptions(toolChoice: .required)))
    }
    #expect(error?.code == .unsupported)
  }

  static let forms: [JSONValue] = [
    [
      "type": "object", "required": ["city", "population"], "additionalProperties": false,
      "properties": [
        "city": ["type": "string", "maxLength": 30], "population": ["type": "integer", "minimum": 0, "maximum": 99999],
      ],
    ],
    ["type": "array", "items": ["enum": ["red", "green", "blue"]], "minItems": 2, "maxItems": 3],
    ["enum": ["yes", "no"]],
    ["type": "integer", "minimum": 1, "maximum": 12],
    ["$ref": "#/$defs/mark", "$defs": ["mark": ["type": "boolean"]]],
  ]

  @Test(arguments: forms) func `an answer with a schema fits it, whatever the model would say`(
    form: JSONValue
  ) async throws {
    for tools in [[], Self.tools] {
      var request = request(
        "Say hello, in a friendly sentence.", tools: tools, ModelOptions(maxOutputTokens: 120, toolChoice: .none))
      request.outputSchema = form
      let events = try await events(request)
      let text = events.compactMap { if case .block(let block, _) = $0 { block.text } else { nil } }.joined()
      #expect(finish(events)?.0 == .endTurn, "\(text)")
      #expect(try JSONSchema(form).validate(JSONValue(parsing: text)).isEmpty, "\(text)")
    }
  }

  @Test func `a schema of the answer that cannot be written is an error of the request`() async throws {
    var request = request("Hello")
    request.outputSchema = ["$dynamicRef": "#node"]
    let error = await #expect(throws: ModelError.self) { try await events(request) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("schema of the answer") == true)
  }

  @Test func `equal seeds give equal replies`() async throws {
    let options = ModelOptions(maxOutputTokens: 12, temperature: 1.2, seed: 5)
    let first = try await events(request("Tell me a story.", options)).filter {
      if case .text = $0 { true } else { false }
    }
    let second = try await events(request("Tell me a story.", options)).filter {
      if case .text = $0 { true } else { false }
    }
    #expect(first == second)
  }

  @Test func `a cancelled reader gets a cancellation, and the next request works`() async throws {
    let model = try await Self.shared.value
    let request = request("Write a very long story.", ModelOptions(maxOutputTokens: 800))
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for try await event in model.stream(request) {
        if case .text = event { start.yield() }
      }
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await !events(self.request("Hi")).isEmpty)
  }

  @Test func `two replies at once do not mix`() async throws {
    let model = try await Self.shared.value
    func text(_ prompt: String) async throws -> String {
      var text = ""
      for try await event in model.stream(request(prompt)) {
        if case .block(let block, _) = event { text += block.text ?? "" }
      }
      return text
    }
    let alone = (try await text("Name a colour."), try await text("Name an animal."))
    async let first = text("Name a colour.")
    async let second = text("Name an animal.")
    #expect(try await (first, second) == alone)
  }
}
