import Foundation
import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct AnthropicTests {
  static let start =
    #"data: {"type":"message_start","message":{"content":[],"usage":{"input_tokens":10,"output_tokens":1}}}"#
  static let stop = """
    data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}

    data: {"type":"message_stop"}


    """

  func events(_ body: String, status: Int = 200, headers: HTTPHeaders = ["content-type": "text/event-stream"])
    async throws -> [ModelEvent]
  {
    let transport = ReplayTransport(Array(body.utf8), status: status, headers: headers)
    var events: [ModelEvent] = []
    for try await event in Anthropic("claude-opus-5", key: nil, transport: transport).stream(
      ModelRequest(messages: [.user("Hi")]))
    {
      events.append(event)
    }
    return events
  }

  func failure(_ body: String, status: Int = 200, headers: HTTPHeaders = ["content-type": "text/event-stream"]) async
    -> ModelError?
  {
    do {
      _ = try await events(body, status: status, headers: headers)
      return nil
    } catch {
      return error as? ModelError
    }
  }

  @Test func `a stream without message_stop is cut off`() async {
    #expect(await failure(Self.start + "\n\n")?.code == .truncatedStream)
  }

  @Test func `an error in the stream is typed`() async {
    let error = await failure(
      Self.start + "\n\n" + #"data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#
        + "\n\n")
    #expect(error?.code == .overloaded)
  }

  @Test func `usage of message_delta overwrites, and cached input counts once`() async throws {
    let body =
      #"data: {"type":"message_start","message":{"usage":{"input_tokens":3,"cache_read_input_tokens":100,"cache_creation_input_tokens":20,"output_tokens":1}}}"#
      + "\n\n" + Self.stop
    guard case .finished(let reason, let usage) = try await events(body).last else {
      Issue.record("no end")
      return
    }
    #expect(reason == .endTurn)
    #expect(usage == Usage(input: 123, cachedInput: 100, cacheWrite: 20, output: 5))
  }

  @Test func `input that is no JSON is an unparsed call and no crash`() async throws {
    let body =
      Self.start + "\n\n"
      + #"data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_1","name":"echo","input":{}}}"#
      + "\n\n"
      + #"data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}"#
      + "\n\n" + #"data: {"type":"content_block_stop","index":3}"# + "\n\n" + Self.stop
    let blocks = try await events(body).compactMap { if case .block(let block, _) = $0 { block } else { nil } }
    guard case .toolCall(let call) = blocks.first?.kind, case .unparsed(let text, _) = call.arguments else {
      Issue.record("not an unparsed call")
      return
    }
    #expect(text == #"{"a":"#)
  }

  @Test(arguments: [
    (
      "application/json", #"{"type":"error","error":{"type":"api_error","message":"broken"}}"#,
      ModelError.Code.serverError
    ),
    ("application/json", #"{"id":"msg","content":[]}"#, .invalidResponse),
    ("text/html", "<html>sign in</html>", .invalidResponse),
    ("application/json", "", .invalidResponse),
  ])
  func `what is no stream is a clear error and never a decoding error`(
    type: String, body: String, code: ModelError.Code
  ) async {
    #expect(await failure(body, headers: ["content-type": type])?.code == code)
  }

  @Test(arguments: [
    (529, #"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#, ModelError.Code.overloaded, true),
    (
      400, #"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 1 > 0"}}"#,
      .contextOverflow, false
    ),
    (502, "<html>Bad gateway</html>", .serverError, true), (413, "", .requestTooLarge, false),
    (
      401, #"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#, .authentication,
      false
    ),
  ])
  func `statuses and bodies become typed errors`(status: Int, body: String, code: ModelError.Code, isRetryable: Bool)
    async
  {
    let error = await failure(
      body, status: status, headers: ["content-type": "application/json", "request-id": "req_1"])
    #expect(error?.code == code)
    #expect(error?.isRetryable == isRetryable)
    #expect(error?.requestId == "req_1")
  }

  @Test func `retry-after is passed on`() async {
    let error = await failure(
      #"{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}"#, status: 429,
      headers: ["content-type": "application/json", "retry-after": "7"])
    #expect(error?.retryAfter == .seconds(7))
  }

  func body(of request: ModelRequest, _ model: Anthropic) throws -> (text: String, json: JSONValue) {
    guard case .segments(let segments) = model.httpRequest(for: request).body else { return ("", .null) }
    let bytes = Array(segments.joined())
    return (String(decoding: bytes, as: UTF8.self), try JSONValue(parsing: bytes))
  }

  @Test func `within an epoch each request begins with the bytes of the one before it`() throws {
    let model = Anthropic("claude-opus-5", key: nil, transport: ReplayTransport([]))
    var messages: MessageHistory = [.user("Hi")]
    var before = ""
    for turn in 0..<50 {
      let (text, _) = try body(
        of: ModelRequest(messages: messages, prefix: PromptPrefix(session: "s", epoch: 1)), model)
      // All up to the end of the messages; what follows them may change.
      let prefix = before.components(separatedBy: "],\"max_tokens\"")[0]
      #expect(text.hasPrefix(prefix), "turn \(turn)")
      before = text
      messages.append(.assistant(text: "A", toolCalls: [ToolCall(id: "call_\(turn)", name: "echo", arguments: [:])]))
      messages.append(.tool(result: "ok", callId: "call_\(turn)", name: "echo"))
    }
    let (whole, _) = try body(of: ModelRequest(messages: messages), model)
    let (incremental, _) = try body(
      of: ModelRequest(messages: messages, prefix: PromptPrefix(session: "s", epoch: 1)), model)
    #expect(whole == incremental)
  }

  @Test func `ids that Anthropic does not allow are replaced, the same in call and result`() throws {
    let ids = ["functions.Bash:0", String(repeating: "x", count: 450), "functions_Bash:0", "ok_1"]
    let messages: MessageHistory = [
      .user("Hi"), .assistant(text: "", toolCalls: ids.map { ToolCall(id: $0, name: "echo", arguments: [:]) }),
      .tool(ids.map { ToolResult(callId: $0, name: "echo", content: [.text("ok")]) }),
    ]
    let (_, json) = try body(of: ModelRequest(messages: messages), Anthropic(key: nil, transport: ReplayTransport([])))
    let calls = json["messages"]?[1]?["content"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
    let results = json["messages"]?[2]?["content"]?.arrayValue?.compactMap { $0["tool_use_id"]?.stringValue } ?? []
    #expect(calls == results)
    #expect(Set(calls).count == 4)
    #expect(
      calls.allSatisfy {
        $0.utf8.count <= 64 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
      })
    #expect(calls[3] == "ok_1")
  }

  @Test func `thinking goes back byte for byte to its model, and to no other`() throws {
    let thought = ContentBlock(
      .thinking(Thinking(text: "")),
      extra: BlockExtra(provider: "anthropic", model: "claude-opus-5", value: ["signature": "c2ln"]))
    let messages: MessageHistory = [
      .user("Hi"), Message(role: .assistant, content: [thought, .text("Hello.")]), .user("Go on"),
    ]
    let (own, _) = try body(
      of: ModelRequest(messages: messages), Anthropic("claude-opus-5", key: nil, transport: ReplayTransport([])))
    #expect(own.contains(#"{"type":"thinking","thinking":"","signature":"c2ln"}"#))
    let (other, _) = try body(
      of: ModelRequest(messages: messages), Anthropic("claude-sonnet-5", key: nil, transport: ReplayTransport([])))
    #expect(!other.contains("thinking"))
  }

  @Test(arguments: [
    ("claude-sonnet-4-5-20250929", true), ("claude-opus-4-6", true), ("claude-opus-4-7", false),
    ("claude-opus-5", false),
    ("claude-3-5-haiku-latest", true), ("claude-next", false),
  ])
  func `sampling parameters go only to models that take them`(model: String, takes: Bool) throws {
    let request = ModelRequest(messages: [.user("Hi")], options: ModelOptions(temperature: 0.5))
    let (_, json) = try body(of: request, Anthropic(model, key: nil, transport: ReplayTransport([])))
    #expect((json["temperature"] != nil) == takes)
  }

  @Test func `a key does not print itself`() {
    let key = APIKey(" sk-secret\n")
    #expect(key.value == "sk-secret")
    #expect(!"\(key) \(String(reflecting: key))".contains("secret"))
    let request = Anthropic(key: key, transport: ReplayTransport([])).httpRequest(
      for: ModelRequest(messages: [.user("Hi")]))
    #expect(!"\(request)".contains("secret"))
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
        let hasResult = String(decoding: segments.joined(), as: UTF8.self).contains("tool_result")
        let block =
          hasResult
          ? #"data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Done."}}"#
          : #"data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"echo","input":{}}}"#
        let reason = hasResult ? "end_turn" : "tool_use"
        let body =
          AnthropicTests.start + "\n\n" + block + "\n\n" + #"data: {"type":"content_block_stop","index":0}"# + "\n\n"
          + AnthropicTests.stop.replacing("end_turn", with: reason)
        return HTTPResponse(
          status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(Array(body.utf8)))
      }
    }
    let agent = try Agent(model: Anthropic(key: nil, transport: Turns()), tools: [Echo()])
    #expect(try await agent.send("Go") == "Done.")
    #expect(await agent.messages.count == 4)
  }
}
