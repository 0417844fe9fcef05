import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct GeminiTests {
  static let model: @Sendable (ReplayTransport) -> any LanguageModel = {
    Gemini("gemini-3-flash", key: nil, transport: $0)
  }

  static func chunk(_ parts: String, _ rest: String = "") -> String {
    #"{"candidates":[{"content":{"parts":[\#(parts)],"role":"model"},"index":0\#(rest)}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}"#
  }
  static let stop = #","finishReason":"STOP""#

  // MARK: - Streams

  @Test func `usage counts thoughts and the prompts of built-in tools, and the last chunk's counts`() async throws {
    let last =
      #"{"candidates":[{"content":{"parts":[{"text":"!"}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":8,"toolUsePromptTokenCount":3,"candidatesTokenCount":5,"thoughtsTokenCount":7,"totalTokenCount":25}}"#
    let traffic = #"{"candidates":[],"usageMetadata":{"trafficType":"ON_DEMAND"}}"#
    let events = try await events(stream(Self.chunk(#"{"text":"Hi"}"#), last, traffic), model: Self.model)
    #expect(events.finish?.usage == Usage(input: 13, cachedInput: 8, output: 12, reasoning: 7))
    #expect(events.finish?.reason == .endTurn)
    #expect(events.blocks.map(\.text) == ["Hi!"])
  }

  @Test func `a stream without a reason to finish is cut off, what came of it is kept`() async throws {
    let transport = ReplayTransport(Array(stream(Self.chunk(#"{"text":"Hel"}"#)).utf8))
    var iterator = Self.model(transport).stream(ModelRequest(messages: [.user("Hi")])).makeAsyncIterator()
    #expect(try await iterator.next() == .text("Hel", index: 0))
    #expect(try await iterator.next() == .block(.text("Hel"), index: 0))
    do {
      _ = try await iterator.next()
      Issue.record("no error")
    } catch {
      #expect((error as? ModelError)?.code == .truncatedStream)
    }
  }

  @Test func `a last event without its blank line counts`() async throws {
    let body = stream(Self.chunk(#"{"text":"Hi"}"#), Self.chunk(#"{"text":"!"}"#, Self.stop))
    for ending in ["", "\n"] {
      let events = try await events(String(body.dropLast(2)) + ending, model: Self.model)
      #expect(events.blocks.map(\.text) == ["Hi!"])
    }
  }

  @Test func `a signature stays on its part, also on an empty one`() async throws {
    let body = stream(
      Self.chunk(#"{"text":"Think","thought":true}"#), Self.chunk(#"{"text":"ing.","thought":true}"#),
      Self.chunk(#"{"text":"One "}"#), Self.chunk(#"{"text":"two","thoughtSignature":"c2lnMQ=="}"#),
      Self.chunk(#"{"text":" three"}"#),
      Self.chunk(#"{"functionCall":{"name":"echo","args":{"n":1.0}},"thoughtSignature":"c2lnMg=="}"#),
      Self.chunk(#"{"text":"","thoughtSignature":"c2lnMw=="}"#, Self.stop))
    let events = try await events(body, model: Self.model)
    #expect(events.previewedThinking == "Thinking.")
    #expect(events.previewedText == "One two three")
    #expect(events.finish?.reason == .toolUse)
    var encoder = GeminiMessageEncoder(model: "gemini-3-flash")
    let parts = encoder.items(of: Message(role: .assistant, content: events.blocks)).map { JSONValue.object($0).text() }
    #expect(
      parts == [
        #"{"text":"Thinking.","thought":true}"#, #"{"text":"One "}"#,
        #"{"text":"two","thoughtSignature":"c2lnMQ=="}"#, #"{"text":" three"}"#,
        #"{"functionCall":{"name":"echo","args":{"n":1.0}},"thoughtSignature":"c2lnMg=="}"#,
        #"{"text":"","thoughtSignature":"c2lnMw=="}"#,
      ])
  }

  @Test func `calls without ids get ones of their own, calls without arguments an empty object`() async throws {
    let call = #"{"functionCall":{"name":"echo"}}"#
    let given = #"{"functionCall":{"name":"echo","args":{},"id":"g1"}}"#
    let events = try await events(stream(Self.chunk("\(call),\(call),\(given)", Self.stop)), model: Self.model)
    let calls = Message(role: .assistant, content: events.blocks).toolCalls
    #expect(calls.count == 3)
    #expect(Set(calls.map(\.id)).count == 3)
    #expect(calls[2].id == "g1")
    #expect(calls.allSatisfy { !$0.id.isEmpty && $0.argumentsObject == [:] })
    let messages: MessageHistory = [
      .user("Hi"), Message(role: .assistant, content: events.blocks),
      .tool(calls.map { ToolResult(callId: $0.id, name: $0.name, content: [.text("ok")]) }),
    ]
    let json = try body(ModelRequest(messages: messages))
    let sent = json["contents"]?[1]?["parts"]?.arrayValue?.map { $0["functionCall"]?["id"] }
    let answered = json["contents"]?[2]?["parts"]?.arrayValue?.map { $0["functionResponse"]?["id"] }
    #expect(sent == [nil, nil, "g1"])
    #expect(answered == [nil, nil, "g1"])
  }

  @Test func `arguments in pieces become one call each`() async throws {
    func piece(_ path: String, _ value: String, _ more: Bool) -> String {
      let rest = more ? #","willContinue":true"# : ""
      return Self.chunk(
        #"{"functionCall":{"partialArgs":[{"jsonPath":"\#(path)",\#(value)\#(rest)}],"willContinue":true}}"#)
    }
    let body = stream(
      Self.chunk(#"{"functionCall":{"name":"find","willContinue":true},"thoughtSignature":"c2ln"}"#),
      piece("$.where.city", #""stringValue":"Bos""#, true), piece("$.where.city", #""stringValue":"ton""#, true),
      piece("$.where.city", #""stringValue":"""#, false), piece("$.limits[1]", #""numberValue":2.5"#, false),
      piece("$.limits[0]", #""boolValue":true"#, false), piece("$['odd.key']", #""nullValue":"NULL_VALUE""#, false),
      Self.chunk(#"{"functionCall":{}}"#), Self.chunk(#"{"functionCall":{}}"#),
      Self.chunk(#"{"functionCall":{"name":"now","willContinue":true}}"#),
      Self.chunk(#"{"functionCall":{}}"#, Self.stop))
    let events = try await events(body, model: Self.model)
    let calls = Message(role: .assistant, content: events.blocks).toolCalls
    #expect(calls.map(\.name) == ["find", "now"])
    #expect(calls[0].argumentsObject == ["where": ["city": "Boston"], "limits": [true, 2.5], "odd.key": .null])
    #expect(calls[1].argumentsObject == [:])
    #expect(events.blocks[0].extra?.value["part"]?["thoughtSignature"] == "c2ln")
    #expect(try JSONValue(parsing: events.previewedArguments.replacing("{}", with: ""))["limits"]?[1] == 2.5)
  }

  @Test func `a blocked prompt is a refusal, a blocked reply is cut off by a filter`() async throws {
    let blocked = try await events(stream(#"{"promptFeedback":{"blockReason":"SAFETY"}}"#), model: Self.model)
    #expect(blocked.finish?.reason == .refusal)
    let body = stream(Self.chunk(#"{"text":"Hm"}"#), #"{"candidates":[{"finishReason":"SAFETY","index":0}]}"#)
    #expect(try await events(body, model: Self.model).finish?.reason == .contentFilter)
  }

  @Test(arguments: [
    ("MAX_TOKENS", StopReason.maxTokens), ("RECITATION", .contentFilter), ("PROHIBITED_CONTENT", .contentFilter),
    ("LANGUAGE", StopReason(rawValue: "language")), ("SOMETHING_NEW", StopReason(rawValue: "something_new")),
  ])
  func `reasons to finish are an open set`(word: String, reason: StopReason) async throws {
    let body = stream(Self.chunk(#"{"text":"Hi"}"#), #"{"candidates":[{"content":{},"finishReason":"\#(word)"}]}"#)
    #expect(try await events(body, model: Self.model).finish?.reason == reason)
  }

  @Test func `a call that the model could not write is an error that may pass`() async {
    let body = stream(#"{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"print(echo("}]}"#)
    let error = await failure(body, model: Self.model)
    #expect(error?.code == .invalidResponse)
    #expect(error?.isRetryable == true)
    #expect(error?.providerCode == "MALFORMED_FUNCTION_CALL")
  }

  @Test func `images that the model made are media, and go back with their signature`() async throws {
    let body = stream(
      Self.chunk(#"{"inlineData":{"mimeType":"image/png","data":"aGk="},"thoughtSignature":"c2ln"}"#, Self.stop))
    let events = try await events(body, model: Self.model)
    guard case .media(let media) = events.blocks.first?.kind else {
      Issue.record("no media")
      return
    }
    #expect(media == Media(kind: .image, mimeType: "image/png", source: .data(base64: "aGk=")))
    var encoder = GeminiMessageEncoder(model: "gemini-3-flash")
    #expect(
      encoder.items(of: Message(role: .assistant, content: events.blocks)) == [
        ["inlineData": ["mimeType": "image/png", "data": "aGk="], "thoughtSignature": "c2ln"]
      ])
  }

  @Test func `built-in tools' parts are kept whole, and sources stay with the text`() async throws {
    let code = #"{"executableCode":{"language":"PYTHON","code":"1+1"}}"#
    let body = stream(
      Self.chunk(code), Self.chunk(#"{"text":"Two."}"#, #","groundingMetadata":{"webSearchQueries":["x"]}"#),
      Self.chunk(#"{"text":""}"#, Self.stop))
    let events = try await events(body, model: Self.model)
    #expect(events.blocks.count == 2)
    guard case .opaque(let opaque) = events.blocks[0].kind else {
      Issue.record("not opaque")
      return
    }
    #expect(opaque.value.text() == code)
    #expect(events.blocks[1].extra?.value["metadata"]?["groundingMetadata"]?["webSearchQueries"]?[0] == "x")
  }

  @Test(arguments: [
    (#"{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}"#, ModelError.Code.overloaded),
    (#"[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]"#, .invalidRequest),
  ])
  func `an error in the stream is typed`(event: String, code: ModelError.Code) async {
    #expect(await failure(stream(Self.chunk(#"{"text":"Hi"}"#), event), model: Self.model)?.code == code)
  }

  @Test func `broken streams never trap`() async {
    let body = Array(
      stream(
        Self.chunk(#"{"text":"Hi \u00e9"}"#),
        Self.chunk(#"{"functionCall":{"partialArgs":[{"jsonPath":"$.a[3].b","stringValue":"x"}],"name":"f"}}"#),
        Self.chunk(#"{"text":"!","thought":true}"#, Self.stop)
      ).utf8)
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var broken = body
      for _ in 0..<random.pick([1, 2, 8]) {
        broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var frames = EventFrames()
      frames.append(broken)
      var decoder = GeminiStreamDecoder(model: "m")
      var events: [ModelEvent] = []
      do {
        while let event = try frames.next() { try decoder.take(event, into: &events) }
        try decoder.end(into: &events)
      } catch {
        #expect(error is ModelError || error is HTTPError, "seed \(seed)")
      }
    }
  }

  // MARK: - Answers that are no stream

  @Test(arguments: [
    (
      "application/json", #"[{"error":{"code":500,"message":"broken","status":"INTERNAL"}}]"#,
      ModelError.Code.serverError
    ),
    (
      "text/event-stream", "{\n  \"error\": {\"code\": 400, \"message\": \"bad\", \"status\": \"INVALID_ARGUMENT\"}}",
      .invalidRequest
    ),
    ("application/json", #"[{"candidates":[]}]"#, .invalidResponse), ("text/html", "<html>", .invalidResponse),
    ("text/event-stream", "", .truncatedStream),
  ])
  func `what is no stream is a clear error and never a decoding error`(
    type: String, body: String, code: ModelError.Code
  ) async {
    #expect(await failure(body, headers: ["content-type": type], model: Self.model)?.code == code)
  }

  @Test func `how long to wait stands in the details, and what is used up for the day is final`() async {
    func body(_ quota: String) -> String {
      #"{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"\#(quota)"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}"#
    }
    let minute = await failure(
      body("RequestsPerMinute"), status: 429, headers: ["content-type": "application/json"], model: Self.model)
    #expect(minute?.code == .rateLimited)
    #expect(minute?.retryAfter == .seconds(34.5))
    #expect(minute?.isRetryable == true)
    let day = await failure(
      "[\(body("RequestsPerDay"))]", status: 429, headers: ["content-type": "application/json"], model: Self.model)
    #expect(day?.code == .quotaExceeded)
    #expect(day?.isRetryable == false)
  }

  // MARK: - Requests

  func body(
    _ request: ModelRequest, model: String = "gemini-3-flash", _ configuration: Gemini.Configuration = .init()
  ) throws -> JSONValue {
    try Gemini(model, key: nil, configuration: configuration, transport: ReplayTransport([])).httpRequest(for: request)
      .json
  }

  @Test func `the key goes into a header and never into the address`() {
    let request = Gemini("models/gemini-3-flash", key: APIKey("secret"), transport: ReplayTransport([])).httpRequest(
      for: ModelRequest(messages: [.user("Hi")]))
    #expect(
      request.url
        == "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse")
    #expect(request.headers["x-goog-api-key"] == "secret")
  }

  @Test func `Vertex AI has its own address and takes a token`() {
    let request = Gemini(
      "gemini-3-flash", key: APIKey("token"), configuration: .vertex(project: "p", location: "europe-west4"),
      transport: ReplayTransport([])
    ).httpRequest(for: ModelRequest(messages: [.user("Hi")]))
    #expect(
      request.url
        == "https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/publishers/google/models/gemini-3-flash:streamGenerateContent?alt=sse"
    )
    #expect(request.headers["authorization"] == "Bearer token")
  }

  @Test func `signatures go back to their model; calls of others get the placeholder`() throws {
    let call = ContentBlock(
      .toolCall(ToolCall(id: "call_1", name: "echo")),
      extra: BlockExtra(provider: "gemini", model: "gemini-3-flash", value: ["part": ["thoughtSignature": "c2ln"]]))
    let messages: MessageHistory = [
      .user("Hi"), Message(role: .assistant, content: [call]), .tool(result: "ok", callId: "call_1", name: "echo"),
    ]
    func signature(_ model: String) throws -> JSONValue? {
      try body(ModelRequest(messages: messages), model: model)["contents"]?[1]?["parts"]?[0]?["thoughtSignature"]
    }
    #expect(try signature("gemini-3-flash") == "c2ln")
    #expect(try signature("gemini-3.1-pro-preview") == .string(GeminiMessageEncoder.foreignSignature))
    #expect(try signature("gemini-2.5-pro") == nil)
  }

  @Test func `results stand in one content in call order, errors as errors, media after them`() throws {
    let messages: MessageHistory = [
      .user("Hi"),
      .assistant(text: "", toolCalls: [ToolCall(id: "a", name: "shot"), ToolCall(id: "b", name: "fail")]),
      .tool([
        ToolResult(
          callId: "a", name: "shot",
          content: [.media(Media(kind: .image, mimeType: "image/png", source: .data(base64: "iVBORw0KGgo=")))]),
        ToolResult(callId: "b", name: "fail", content: [.text("no")], isError: true),
      ]), .user("Also"),
    ]
    let json = try body(ModelRequest(messages: messages))
    let parts = json["contents"]?[2]?["parts"]?.arrayValue ?? []
    #expect(parts.prefix(2).map { $0["functionResponse"]?["name"] } == ["shot", "fail"])
    #expect(parts[0]["functionResponse"]?["response"] == ["output": "(no output)"])
    #expect(parts[1]["functionResponse"]?["response"] == ["error": "no"])
    #expect(parts[3]["inlineData"]?["mimeType"] == "image/png")
    #expect(GeminiRules.check(request: json, model: "gemini-3-flash") == [])
  }

  @Test(arguments: [
    ("gemini-3-flash", ModelOptions.ThinkingLevel.high, #"{"thinkingLevel":"high","includeThoughts":true}"# as String?),
    ("gemini-3-flash", .off, #"{"thinkingLevel":"minimal","includeThoughts":false}"#),
    ("gemini-3-pro-preview", .off, #"{"thinkingLevel":"low","includeThoughts":false}"#),
    ("gemini-2.5-flash", .off, #"{"thinkingBudget":0,"includeThoughts":false}"#),
    ("gemini-2.5-pro", .off, #"{"thinkingBudget":128,"includeThoughts":false}"#),
    ("gemini-2.5-pro", .low, #"{"thinkingBudget":2048,"includeThoughts":true}"#), ("gemini-2.0-flash", .high, nil),
    ("gemini-4-argon", .medium, #"{"thinkingLevel":"medium","includeThoughts":true}"#),
  ])
  func `thinking is asked for in the model's own terms`(
    model: String, level: ModelOptions.ThinkingLevel, config: String?
  ) throws {
    let json = try body(ModelRequest(messages: [.user("Hi")], options: ModelOptions(thinking: level)), model: model)
    #expect(json["generationConfig"]?["thinkingConfig"]?.text() == config)
  }

  @Test func `tools, their choice, schemas and limits`() throws {
    let schema: JSONValue = [
      "type": "object", "properties": ["a": ["type": ["string", "null"], "const": "x"]], "additionalProperties": false,
    ]
    let request = ModelRequest(
      instructions: [.text("Be brief.")],
      tools: [
        ToolDefinition(name: "9/bad name", description: "d", parameters: schema),
        ToolDefinition(name: "now", description: "", parameters: ["type": "object", "properties": [:]]),
      ], messages: [.user("Hi")],
      options: ModelOptions(
        temperature: 0.5, seed: 7, stopSequences: ["a", "b", "c", "d", "e", "f"], toolChoice: .tool("9/bad name")),
      outputSchema: schema)
    let json = try body(request)
    #expect(json["systemInstruction"]?["parts"]?[0]?["text"] == "Be brief.")
    let functions = json["tools"]?[0]?["functionDeclarations"]
    #expect(functions?[0]?["parametersJsonSchema"] == schema)
    #expect(functions?[1]?["parametersJsonSchema"] == nil)
    #expect(
      json["toolConfig"]?["functionCallingConfig"]?["allowedFunctionNames"]?[0] == functions?[0]?["name"])
    #expect(json["generationConfig"]?["stopSequences"]?.arrayValue?.count == 5)
    #expect(json["generationConfig"]?["responseJsonSchema"] == schema)
    #expect(json["generationConfig"]?["maxOutputTokens"] == 4096)
    #expect(GeminiRules.check(request: json, model: "gemini-3-flash") == [])
    let old = try body(request, model: "gemini-2.5-flash", .init(schemaForm: .openAPI))
    #expect(
      old["tools"]?[0]?["functionDeclarations"]?[0]?["parameters"]?["properties"]?["a"] == [
        "nullable": true, "type": "string", "enum": ["x"],
      ])
    #expect(old["generationConfig"]?["responseSchema"] == nil)
    #expect(GeminiRules.check(request: old, model: "gemini-2.5-flash") == [])
  }

  @Test func `a schema in the older form has no references, and ends where it contains itself`() {
    let schema: JSONValue = [
      "type": "object",
      "properties": [
        "node": ["$ref": "#/$defs/node"], "size": ["oneOf": [["type": "integer"], ["type": "null"]]],
        "both": ["allOf": [["properties": ["x": ["type": "string"]], "required": ["x"]], ["description": "d"]]],
        "list": ["type": "array"], "n": ["enum": [1, 2]],
      ],
      "$defs": ["node": ["type": "object", "properties": ["next": ["$ref": "#/$defs/node"]]]],
    ]
    #expect(
      GeminiSchema.openAPI(schema) == [
        "type": "object",
        "properties": [
          "node": ["type": "object", "properties": ["next": ["type": "object"]]],
          "size": ["nullable": true, "type": "integer"],
          "both": [
            "type": "object", "properties": ["x": ["type": "string"]], "required": ["x"], "description": "d",
          ],
          "list": ["type": "array", "items": ["type": "string"]], "n": [:],
        ],
      ])
  }

  @Test func `models are listed page by page with the limits that the service states`() async throws {
    struct Pages: HTTPTransport {
      func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body =
          request.url.contains("pageToken=a%2Fb")
          ? #"{"models":[{"name":"models/gemini-2.5-pro"}]}"#
          : #"{"models":[{"name":"models/gemini-new","inputTokenLimit":5,"outputTokenLimit":3}],"nextPageToken":"a/b"}"#
        return HTTPResponse(
          status: 200, headers: ["content-type": "application/json"], body: HTTPBody(Array(body.utf8)))
      }
    }
    let models = try await Gemini("gemini-3-flash", key: nil, transport: Pages()).availableModels()
    #expect(models.map(\.id) == ["gemini-new", "gemini-2.5-pro"])
    #expect(models[0].contextWindow == 5)
    #expect(models[1].price?.input == 1.25)
  }

  @Test func `tokens are counted by the service`() async throws {
    let transport = ReplayTransport(
      Array(#"{"totalTokens":31}"#.utf8), headers: ["content-type": "application/json"])
    #expect(
      try await Gemini("gemini-3-flash", key: nil, transport: transport).countTokens(
        ModelRequest(messages: [.user("Hi")])) == 31)
  }
}
