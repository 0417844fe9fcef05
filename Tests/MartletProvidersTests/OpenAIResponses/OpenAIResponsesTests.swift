import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct OpenAIResponsesTests {
  static let model: @Sendable (ReplayTransport) -> any LanguageModel = {
    OpenAIResponses("gpt-5.5", key: nil, transport: $0)
  }
  static let created = #"{"type":"response.created","sequence_number":0,"response":{"output":[]}}"#
  static let added =
    #"{"type":"response.output_item.added","output_index":0,"sequence_number":1,"item":{"id":"msg_1","type":"message","role":"assistant","content":[]}}"#
  static func text(_ text: String, _ number: Int) -> String {
    #"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"\#(text)","sequence_number":\#(number)}"#
  }
  static func message(_ text: String) -> String {
    #"{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"\#(text)","annotations":[]}]}"#
  }
  static func completed(_ output: String, status: String = #""status":"completed""#) -> String {
    #"{"type":"response.completed","response":{\#(status),"output":[\#(output)],"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":80},"output_tokens":30,"output_tokens_details":{"reasoning_tokens":20},"total_tokens":130}}}"#
  }

  // MARK: - Streams

  @Test func `usage counts cached and reasoning tokens once`() async throws {
    let events = try await events(stream(Self.created, Self.completed(Self.message("Hi"))), model: Self.model)
    #expect(events.finish?.usage == Usage(input: 100, cachedInput: 80, output: 30, reasoning: 20))
    #expect(events.finish?.reason == .endTurn)
  }

  @Test func `a stream without its last event is cut off`() async {
    let body = stream(Self.created, Self.added, Self.text("Hel", 2))
    #expect(await failure(body, model: Self.model)?.code == .truncatedStream)
    #expect(await failure("", model: Self.model)?.code == .truncatedStream)
  }

  @Test(arguments: ["", #"data: {"type":"error","message":"broken"}"# + "\n\n"])
  func `of a reply that breaks off, what was done and said is there`(ending: String) async throws {
    let reasoning =
      #"{"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","encrypted_content":"gAAA","summary":[]}}"#
    let text = Self.text("Hel", 2).replacing(#""output_index":0"#, with: #""output_index":1"#)
    let transport = ReplayTransport(Array((stream(Self.created, reasoning, text) + ending).utf8))
    var events: [ModelEvent] = []
    do {
      for try await event in Self.model(transport).stream(ModelRequest(messages: [.user("Hi")])) {
        events.append(event)
      }
      Issue.record("no error")
    } catch {
      #expect((error as? ModelError)?.code == (ending.isEmpty ? .truncatedStream : .serverError))
    }
    #expect(events.previewedText == "Hel")
    #expect(events.blocks.count == 1)
    #expect(events.blocks.first?.extra?.value["item"]?["encrypted_content"] == "gAAA")
  }

  @Test func `the final response counts more than the deltas`() async throws {
    let body = stream(
      Self.created, Self.added, Self.text("Hel", 2), Self.text("lo", 3),
      #"{"type":"response.output_item.done","output_index":0,"item":\#(Self.message("Hello"))}"#,
      Self.completed(Self.message("Hello!")))
    let events = try await events(body, model: Self.model)
    #expect(events.previewedText == "Hello")
    #expect(events.blocks.map(\.text) == ["Hello!"])
  }

  @Test func `a repeated delta is shown once, and a gap does no harm`() async throws {
    let body = stream(
      Self.created, Self.added, Self.text("Hel", 2), Self.text("Hel", 2), Self.text("o", 9),
      Self.completed(Self.message("Hello")))
    let events = try await events(body, model: Self.model)
    #expect(events.previewedText == "Helo")
    #expect(events.blocks.map(\.text) == ["Hello"])
  }

  @Test func `a gap that the end does not make up for is an error`() async {
    let body = stream(Self.created, Self.added, Self.text("Hel", 2), Self.text("o", 9), Self.completed(""))
    #expect(await failure(body, model: Self.model)?.code == .truncatedStream)
  }

  @Test func `numbers that never grow are no repeats`() async throws {
    let body = stream(
      Self.created, Self.added.replacing("\"sequence_number\":1", with: "\"sequence_number\":0"), Self.text("Hel", 0),
      Self.text("lo", 0), Self.completed(Self.message("Hello")))
    #expect(try await events(body, model: Self.model).previewedText == "Hello")
  }

  @Test func `an end without output leaves what was done, and what only streamed`() async throws {
    let call =
      #"{"type":"response.output_item.done","output_index":1,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"echo","arguments":"{}"}}"#
    let body = stream(Self.created, Self.added, Self.text("Hello", 2), call, Self.completed(""))
    let events = try await events(body, model: Self.model)
    #expect(events.blocks.count == 2)
    #expect(events.blocks.first?.text == "Hello")
    #expect(events.finish?.reason == .toolUse)
  }

  @Test func `items are told apart by their place when their ids change on the way`() async throws {
    let body = stream(
      Self.created, Self.added,
      #"{"type":"response.output_text.delta","item_id":"other","output_index":0,"content_index":0,"delta":"Hi"}"#,
      #"{"type":"response.output_item.done","output_index":0,"item":\#(Self.message("Hi").replacing("msg_1", with: "msg_2"))}"#,
      Self.completed(Self.message("Hi").replacing("msg_1", with: "msg_3")))
    let events = try await events(body, model: Self.model)
    #expect(events.blocks.count == 1)
    #expect(events.blocks[0].extra?.value["item"]?["id"] == "msg_3")
  }

  @Test func `parts of a summary are paragraphs of one block`() async throws {
    func delta(_ part: Int, _ text: String) -> String {
      #"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":\#(part),"delta":"\#(text)"}"#
    }
    let item =
      #"{"id":"rs_1","type":"reasoning","encrypted_content":"gAAA","summary":[{"type":"summary_text","text":"One."},{"type":"summary_text","text":"Two."}]}"#
    let events = try await events(
      stream(Self.created, delta(0, "On"), delta(0, "e."), delta(1, "Two."), Self.completed(item)), model: Self.model)
    #expect(events.previewedThinking == "One.\n\nTwo.")
    guard case .thinking(let thinking) = events.blocks.first?.kind else {
      Issue.record("no thinking")
      return
    }
    #expect(thinking.text == "One.\n\nTwo.")
    #expect(events.blocks[0].extra?.model == "gpt-5.5")
    #expect(events.blocks[0].extra?.value["item"]?["encrypted_content"] == "gAAA")
  }

  @Test func `a custom tool's text is the argument input, previewed as JSON`() async throws {
    let body = stream(
      Self.created,
      #"{"type":"response.output_item.added","output_index":0,"item":{"id":"ctc_1","type":"custom_tool_call","call_id":"call_1","name":"patch","input":""}}"#,
      #"{"type":"response.custom_tool_call_input.delta","output_index":0,"delta":"say \"hi\"\n"}"#,
      Self.completed(
        #"{"id":"ctc_1","type":"custom_tool_call","call_id":"call_1","name":"patch","input":"say \"hi\"\n"}"#))
    let events = try await events(body, model: Self.model)
    #expect(events.previewedArguments == #"{"input":"say \"hi\"\n"#)
    guard case .toolCall(let call) = events.blocks.first?.kind else {
      Issue.record("no call")
      return
    }
    #expect(call == ToolCall(id: "call_1", name: "patch", arguments: ["input": "say \"hi\"\n"]))
    let messages: MessageHistory = [
      .user("Hi"), Message(role: .assistant, content: events.blocks),
      .tool(result: "ok", callId: "call_1", name: "patch"),
    ]
    let json = try OpenAIResponses("gpt-5.5", key: nil, transport: ReplayTransport([])).httpRequest(
      for: ModelRequest(messages: messages)
    ).json
    #expect(json["input"]?[1]?["type"] == "custom_tool_call")
    #expect(json["input"]?[1]?["input"] == "say \"hi\"\n")
    #expect(json["input"]?[2] == ["type": "custom_tool_call_output", "call_id": "call_1", "output": "ok"])
  }

  @Test func `a refusal ends the reply as one`() async throws {
    let refusal =
      #"{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"refusal","refusal":"I cannot."}]}"#
    let body = stream(
      Self.created, Self.added,
      #"{"type":"response.refusal.delta","output_index":0,"content_index":0,"delta":"I cannot."}"#,
      Self.completed(refusal))
    let events = try await events(body, model: Self.model)
    #expect(events.previewedText == "I cannot.")
    #expect(events.finish?.reason == .refusal)
  }

  @Test(arguments: [
    ("max_output_tokens", StopReason.maxTokens), ("content_filter", .contentFilter),
    ("steered", StopReason(rawValue: "steered")),
  ])
  func `an incomplete response says why`(word: String, reason: StopReason) async throws {
    let body = stream(
      Self.created,
      Self.completed(
        Self.message("Hi"), status: #""status":"incomplete","incomplete_details":{"reason":"\#(word)"}"#
      ).replacing("response.completed", with: "response.incomplete"))
    #expect(try await events(body, model: Self.model).finish?.reason == reason)
  }

  @Test(arguments: [
    (
      #"{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}}"#,
      ModelError.Code.rateLimited
    ),
    (#"{"type":"error","code":"server_error","message":"broken","sequence_number":3}"#, .serverError),
    (
      #"{"type":"error","error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"long"}}"#,
      .contextOverflow
    ),
    (#"{"error":{"message":"You exceeded your quota","type":"insufficient_quota"}}"#, .quotaExceeded),
    (#"{"type":"response.failed","response":{"error":{"code":"invalid_prompt","message":"no"}}}"#, .refused),
    (#"{"type":"response.failed","response":{"error":null}}"#, .serverError),
  ])
  func `an error in the stream is typed`(event: String, code: ModelError.Code) async {
    let error = await failure(stream(Self.created, event), model: Self.model)
    #expect(error?.code == code)
    #expect(error?.isRetryable == code.isRetryable)
  }

  @Test func `what built-in tools do is kept whole, and one that nobody runs is warned of`() async throws {
    let search = #"{"id":"ws_1","type":"web_search_call","status":"completed","action":{"query":"x","odd":[1.0]}}"#
    let shell = #"{"id":"cu_1","type":"computer_call","call_id":"call_9","status":"completed","actions":[]}"#
    let events = try await events(
      stream(Self.created, Self.completed("\(search),\(shell),\(Self.message("Hi"))")), model: Self.model)
    #expect(events.warnings == ["unanswered_call"])
    #expect(events.finish?.reason == .endTurn)
    let messages: MessageHistory = [.user("Hi"), Message(role: .assistant, content: events.blocks), .user("Go on")]
    let request = OpenAIResponses("gpt-5.5", key: nil, transport: ReplayTransport([])).httpRequest(
      for: ModelRequest(messages: messages))
    let items = try request.json["input"]?.arrayValue ?? []
    #expect(items.map { $0["type"]?.stringValue } == [nil, "web_search_call", "message", nil])
    #expect(items[1].text() == search)
  }

  @Test(arguments: [
    (
      #"{"type":"local_shell_call","id":"lsh_1","status":"completed","call_id":"call_9","action":{"type":"exec","command":["ls"]}}"#,
      "local_shell", #"{"type":"local_shell_call_output","call_id":"call_9","id":"call_9","output":"ok"}"#
    ),
    (
      #"{"type":"shell_call","id":"sh_1","status":"completed","call_id":"call_9","action":{"commands":["ls"]}}"#,
      "shell",
      #"{"type":"shell_call_output","call_id":"call_9","output":[{"stdout":"ok","stderr":"","outcome":{"type":"exit","exit_code":0}}]}"#
    ),
    (
      #"{"type":"apply_patch_call","id":"ap_1","status":"completed","call_id":"call_9","operation":{"type":"delete_file","path":"a"}}"#,
      "apply_patch", #"{"type":"apply_patch_call_output","call_id":"call_9","status":"completed","output":"ok"}"#
    ),
    (
      #"{"type":"tool_search_call","id":"ts_1","status":"completed","call_id":"call_9","execution":"client","arguments":{"goal":"x"}}"#,
      "tool_search",
      #"{"type":"tool_search_output","call_id":"call_9","execution":"client","status":"completed","tools":[]}"#
    ),
  ])
  func `a built-in tool that the client runs is a call of its name, and its result goes back in its form`(
    item: String, name: String, answer: String
  ) async throws {
    let body = stream(
      Self.created, #"{"type":"response.output_item.added","output_index":0,"item":\#(item)}"#,
      #"{"type":"response.output_item.done","output_index":0,"item":\#(item)}"#, Self.completed(item))
    let events = try await events(body, model: Self.model)
    #expect(events.finish?.reason == .toolUse)
    let reply = Message(role: .assistant, content: events.blocks)
    #expect(reply.toolCalls.map(\.name) == [name])
    let model = OpenAIResponses(
      "gpt-5.5", key: nil, configuration: .init(serverTools: [["type": .string(name)]]), transport: ReplayTransport([]))
    let json = try model.httpRequest(
      for: ModelRequest(
        tools: [ToolDefinition(name: name, description: "", parameters: [:])],
        messages: [.user("Hi"), reply, .tool(result: "ok", callId: "call_9", name: name)])
    ).json
    #expect(json["input"]?[1]?.text() == item)
    #expect(json["input"]?[2]?.text() == answer)
    // Offered once, in the service's form.
    #expect(json["tools"] == [["type": .string(name)]])
  }

  @Test func `an event that is no JSON is an error, and DONE is not an event`() async throws {
    #expect(await failure(stream(Self.created, "{\"type\":"), model: Self.model)?.code == .invalidResponse)
    let body = stream(Self.created, Self.completed(Self.message("Hi")), "[DONE]")
    #expect(try await events(body, model: Self.model).finish != nil)
  }

  @Test func `however a stream is cut into pieces, the reply is the same`() async throws {
    let body = stream(
      Self.created, Self.added, Self.text("Grü\\u00dfe 👋\\n", 2), Self.completed(Self.message("Grüße 👋\\n")))
    for size in 1...40 {
      let events = try await events(body, chunkSize: size, model: Self.model)
      #expect(events.previewedText == "Grüße 👋\n")
      #expect(events.blocks.map(\.text) == ["Grüße 👋\n"])
    }
  }

  @Test func `broken streams never trap`() async {
    let body = Array(
      stream(Self.created, Self.added, Self.text("Hel", 2), Self.text("lo", 3), Self.completed(Self.message("Hello")))
        .utf8)
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var broken = body
      for _ in 0..<random.pick([1, 2, 8]) {
        broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var frames = EventFrames()
      frames.append(broken)
      var decoder = OpenAIResponsesStreamDecoder(model: "m")
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
    ("application/json", #"{"error":{"message":"broken","code":"server_error"}}"#, ModelError.Code.serverError),
    ("text/event-stream", #"{"error":{"message":"broken","code":"server_error"}}"#, .serverError),
    ("application/json", #"{"id":"resp_1","output":[]}"#, .invalidResponse),
    ("text/event-stream", "\n\n<html>sign in</html>", .invalidResponse), ("text/html", "<html>", .invalidResponse),
    ("application/json", "", .invalidResponse),
  ])
  func `what is no stream is a clear error and never a decoding error`(
    type: String, body: String, code: ModelError.Code
  ) async {
    #expect(await failure(body, headers: ["content-type": type], model: Self.model)?.code == code)
  }

  @Test(arguments: [
    (
      429, #"{"error":{"message":"quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
      ModelError.Code.quotaExceeded, false
    ),
    (429, #"{"error":{"message":"slow","type":"requests","code":"rate_limit_exceeded"}}"#, .rateLimited, true),
    (
      404, #"{"error":{"message":"none","type":"invalid_request_error","code":"model_not_found"}}"#, .modelNotFound,
      false
    ),
    (
      400, #"{"error":{"message":"long","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
      .contextOverflow, false
    ),
    (400, #"{"error":"text only"}"#, .invalidRequest, false), (422, #"{"detail":"no"}"#, .invalidRequest, false),
    (502, "<html>Bad gateway</html>", .serverError, true), (413, "", .requestTooLarge, false),
    (401, #"{"error":{"message":"bad key","code":"invalid_api_key"}}"#, .authentication, false),
  ])
  func `statuses and bodies become typed errors`(status: Int, body: String, code: ModelError.Code, isRetryable: Bool)
    async
  {
    let error = await failure(
      body, status: status, headers: ["content-type": "application/json", "x-request-id": "req_1"], model: Self.model)
    #expect(error?.code == code)
    #expect(error?.isRetryable == isRetryable)
    #expect(error?.requestId == "req_1")
  }

  // MARK: - Requests

  func body(
    _ request: ModelRequest, model: String = "gpt-5.5", _ configuration: OpenAIResponses.Configuration = .init()
  ) throws -> JSONValue {
    try OpenAIResponses(model, key: nil, configuration: configuration, transport: ReplayTransport([])).httpRequest(
      for: request
    ).json
  }

  @Test func `nothing is stored, and reasoning is asked for encrypted where there is some`() throws {
    let json = try body(ModelRequest(messages: [.user("Hi")]))
    #expect(json["store"] == false)
    #expect(json["include"] == ["reasoning.encrypted_content"])
    #expect(json["max_output_tokens"] == 4096)
    #expect(try body(ModelRequest(messages: [.user("Hi")]), model: "gpt-4o")["include"] == nil)
  }

  @Test func `reasoning goes back to its model with what followed it, and to no other`() throws {
    let reasoning = ContentBlock(
      .thinking(Thinking(text: "")),
      extra: BlockExtra(
        provider: "openai", model: "gpt-5.5",
        value: ["item": ["id": "rs_1", "summary": [], "encrypted_content": "gAAA", "later": 1.0]]))
    let messages: MessageHistory = [
      .user("Hi"), Message(role: .assistant, content: [reasoning, .text("Hello.")]), .user("Go on"),
    ]
    let own = try body(ModelRequest(messages: messages))
    #expect(
      own["input"]?[1]?.text()
        == #"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA","later":1.0}"#)
    #expect(try body(ModelRequest(messages: messages), model: "gpt-5.6")["input"]?.arrayValue?.count == 3)
    let alone: MessageHistory = [.user("Hi"), Message(role: .assistant, content: [reasoning]), .user("Go on")]
    #expect(try body(ModelRequest(messages: alone))["input"]?.arrayValue?.count == 2)
  }

  @Test func `a call's arguments go back as the model wrote them`() throws {
    let item: JSONObject = [
      "type": "function_call", "call_id": "call_1", "name": "echo", "arguments": #"{ "n": 1.0 }"#, "id": "fc_1",
    ]
    let blocks = OpenAIItem.blocks(of: item, model: "gpt-5.5", names: WireNames())
    let messages: MessageHistory = [
      .user("Hi"), Message(role: .assistant, content: blocks), .tool(result: "ok", callId: "call_1", name: "echo"),
    ]
    #expect(try body(ModelRequest(messages: messages))["input"]?[1]?["arguments"] == #"{ "n": 1.0 }"#)
    var changed = blocks[0]
    changed.kind = .toolCall(ToolCall(id: "call_1", name: "echo", arguments: ["n": 2]))
    let edited: MessageHistory = [
      .user("Hi"), Message(role: .assistant, content: [changed]), .tool(result: "ok", callId: "call_1", name: "echo"),
    ]
    #expect(try body(ModelRequest(messages: edited))["input"]?[1]?["arguments"] == #"{"n":2}"#)
  }

  @Test func `tools are strict where their schema can be, and say so`() throws {
    let closed: JSONValue = [
      "type": "object", "properties": ["a": ["type": "string"]], "required": ["a"],
    ]
    let optional: JSONValue = ["type": "object", "properties": ["a": ["type": "string"]]]
    let request = ModelRequest(
      tools: [
        ToolDefinition(name: "strict", description: "", parameters: closed),
        ToolDefinition(name: "loose", description: "", parameters: optional),
        ToolDefinition(name: "files/read", description: "", parameters: closed),
      ], messages: [.user("Hi")],
      options: ModelOptions(toolChoice: .tool("files/read"), parallelToolCalls: false), outputSchema: closed)
    let json = try body(request)
    #expect(json["tools"]?.arrayValue?.map { $0["strict"] } == [true, false, true])
    #expect(json["tools"]?[0]?["parameters"]?["additionalProperties"] == false)
    #expect(json["tools"]?[1]?["parameters"] == optional)
    #expect(json["tool_choice"]?["name"] == json["tools"]?[2]?["name"])
    #expect(json["parallel_tool_calls"] == false)
    #expect(json["text"]?["format"]?["strict"] == true)
    #expect(OpenAIResponsesRules.check(request: json) == [])
    let loose = try body(request, OpenAIResponses.Configuration(usesStrictTools: false))
    #expect(loose["tools"]?.arrayValue?.map { $0["strict"] } == [false, false, false])
  }

  @Test(arguments: [
    ("gpt-4o", true), ("gpt-5.5", true), ("gpt-5", false), ("o3", false), ("gpt-5-chat-latest", true), ("gpt-7", false),
  ])
  func `sampling parameters go only to models that take them`(model: String, takes: Bool) throws {
    let request = ModelRequest(messages: [.user("Hi")], options: ModelOptions(temperature: 0.5))
    let json = try body(request, model: model)
    #expect((json["temperature"] != nil) == takes)
    #expect(OpenAIResponsesRules.check(request: json) == [])
  }

  @Test func `images and files go in, what the API cannot take is named`() throws {
    let messages: MessageHistory = [
      .user([
        .text("Look"), .media(Media(kind: .image, mimeType: "image/png", source: .data(base64: "iVBORw0KGgo="))),
        .media(Media(kind: .file, mimeType: "application/pdf", name: "a.pdf", source: .data(base64: "JVBERi0="))),
        .media(Media(kind: .audio, mimeType: "audio/wav", source: .data(base64: "aGk="))),
      ]), .assistant(text: "", toolCalls: [ToolCall(id: "call_1", name: "shot")]),
      .tool([
        ToolResult(
          callId: "call_1", name: "shot",
          content: [.media(Media(kind: .image, mimeType: "image/png", source: .url("https://example.com/a.png")))])
      ]),
    ]
    let json = try body(ModelRequest(messages: messages))
    let parts = json["input"]?[0]?["content"]?.arrayValue ?? []
    #expect(
      parts.map { $0["type"]?.stringValue } == ["input_text", "input_image", "input_file", "input_text"])
    #expect(parts[1]["image_url"] == "data:image/png;base64,iVBORw0KGgo=")
    #expect(parts[2]["file_data"] == "data:application/pdf;base64,JVBERi0=")
    #expect(json["input"]?[2]?["output"]?[0]?["type"] == "input_image")
  }

  @Test func `names that OpenAI does not allow come back as they are`() async throws {
    let tool = ToolDefinition(name: "files/read", description: "", parameters: ["type": "object"])
    let wire = WireNames().wire("files/read")
    let item = #"{"id":"fc_1","type":"function_call","call_id":"call_1","name":"\#(wire)","arguments":"{}"}"#
    let transport = ReplayTransport(Array(stream(Self.created, Self.completed(item)).utf8))
    var names: [String] = []
    for try await event in OpenAIResponses("gpt-5.5", key: nil, transport: transport).stream(
      ModelRequest(tools: [tool], messages: [.user("Hi")]))
    {
      if case .block(let block, _) = event, case .toolCall(let call) = block.kind { names.append(call.name) }
    }
    #expect(names == ["files/read"])
  }

  @Test func `the key, headers and more members go along`() throws {
    let client = OpenAIResponses(
      "gpt-5.5", key: APIKey("sk"),
      configuration: .init(
        headers: ["openai-organization": "org"], reasoningSummary: "auto", serverTools: [["type": "web_search"]],
        extraBody: ["service_tier": "flex"]), transport: ReplayTransport([]))
    let request = client.httpRequest(
      for: ModelRequest(messages: [.user("Hi")], options: ModelOptions(thinking: .high)))
    #expect(request.headers["authorization"] == "Bearer sk")
    #expect(request.headers["openai-organization"] == "org")
    let json = try request.json
    #expect(json["service_tier"] == "flex")
    #expect(json["tools"] == [["type": "web_search"]])
    #expect(json["reasoning"] == ["effort": "high", "summary": "auto"])
  }

  @Test func `the models are listed with what is known of them`() async throws {
    let transport = ReplayTransport(
      Array(#"{"object":"list","data":[{"id":"gpt-5.5"},{"id":"dall-e-3"}]}"#.utf8),
      headers: ["content-type": "application/json"])
    let models = try await OpenAIResponses("gpt-5.5", key: nil, transport: transport).availableModels()
    #expect(models.map(\.id) == ["gpt-5.5", "dall-e-3"])
    #expect(models[0].price?.output == 30)
    #expect(models[1].price == nil)
  }
}
