import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

/// One small stream for each trap.
@Suite struct OpenAIChatStreamTests {
  static let end = #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#

  static func stream(_ chunks: [String], isMarked: Bool = true) -> [UInt8] {
    Array(((chunks + (isMarked ? ["[DONE]"] : [])).map { "data: \($0)\n\n" }.joined()).utf8)
  }

  static func delta(_ delta: String, _ rest: String = "") -> String {
    #"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":\#(delta),"logprobs":null\#(rest)}]}"#
  }

  func model(_ body: [UInt8], status: Int = 200, headers: HTTPHeaders = ["content-type": "text/event-stream"])
    -> OpenAIChat
  {
    OpenAIChat(
      "gpt-4o", vendor: .compatible(name: "test", baseURL: "http://x"), key: nil,
      transport: ReplayTransport(body, status: status, headers: headers))
  }

  func read(_ chunks: [String], isMarked: Bool = true) async throws -> ChatReading {
    try await ChatReading(of: model(Self.stream(chunks, isMarked: isMarked)))
  }

  func failure(_ body: [UInt8], status: Int = 200, headers: HTTPHeaders = ["content-type": "text/event-stream"]) async
    -> ModelError?
  {
    do {
      _ = try await ChatReading(of: model(body, status: status, headers: headers))
      return nil
    } catch {
      return error as? ModelError
    }
  }

  // MARK: - Calls

  struct CallCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var deltas: [String]
    var calls: [ChatReading.Call]
  }

  static func call(_ id: String, _ name: String, _ arguments: JSONValue = ["a": 1]) -> ChatReading.Call {
    ChatReading.Call(id: id, name: name, arguments: arguments)
  }

  static let callCases: [CallCase] = [
    CallCase(
      testDescription: "pieces by index, two calls interleaved",
      deltas: [
        #"[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]"#,
        #"[{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}]"#,
        #"[{"index":0,"function":{"arguments":"{\"a\""}}]"#, #"[{"index":1,"function":{"arguments":"{\"a\":"}}]"#,
        #"[{"index":0,"function":{"arguments":":1}"}},{"index":1,"function":{"arguments":"1}"}}]"#,
      ], calls: [call("a", "f"), call("b", "g")]),
    CallCase(
      testDescription: "indices that begin at 1",
      deltas: [#"[{"index":1,"id":"a","function":{"name":"f","arguments":"{\"a\":1}"}}]"#], calls: [call("a", "f")]),
    CallCase(
      testDescription: "whole calls without an index or with null (Mistral)",
      deltas: [
        #"[{"id":"a","function":{"name":"f","arguments":"{\"a\":1}"}},{"index":null,"id":"b","function":{"name":"f","arguments":"{\"a\":1}"}}]"#
      ], calls: [call("a", "f"), call("b", "f")]),
    CallCase(
      testDescription: "pieces without an index, told apart by place",
      deltas: [
        #"[{"id":"a","function":{"name":"f","arguments":""}},{"id":"b","function":{"name":"g","arguments":""}}]"#,
        #"[{"function":{"arguments":"{\"a\":"}},{"function":{"arguments":"{\"a\":"}}]"#,
        #"[{"id":"a","function":{"arguments":"1}"}},{"id":"b","function":{"arguments":"1}"}}]"#,
      ], calls: [call("a", "f"), call("b", "g")]),
    CallCase(
      testDescription: "every call with index 0, ids tell them apart (vLLM)",
      deltas: [
        #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":1}"}}]"#,
        #"[{"index":0,"id":"b","function":{"name":"f","arguments":"{\"a\":1}"}}]"#,
      ], calls: [call("a", "f"), call("b", "f")]),
    CallCase(
      testDescription: "every call with index 0 and no ids",
      deltas: [
        #"[{"index":0,"function":{"name":"f","arguments":"{\"a\":1}"}}]"#,
        #"[{"index":0,"function":{"name":"g","arguments":"{\"a\":1}"}}]"#,
      ], calls: [call("", "f"), call("", "g")]),
    CallCase(
      testDescription: "an empty id in later pieces (Alibaba), an empty name (GLM)",
      deltas: [
        #"[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]"#,
        #"[{"index":0,"id":"","function":{"name":"","arguments":"{\"a\":"}}]"#,
        #"[{"index":0,"id":"","function":{"name":null,"arguments":"1}"}}]"#,
      ], calls: [call("a", "f")]),
    CallCase(
      testDescription: "an id and a name that come late",
      deltas: [
        #"[{"index":0,"function":{"arguments":"{\"a\":"}}]"#,
        #"[{"index":0,"id":"a","function":{"name":"f","arguments":"1}"}}]"#,
      ], calls: [call("a", "f")]),
    CallCase(
      testDescription: "an id that changes with every piece",
      deltas: [
        #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":"}}]"#,
        #"[{"index":0,"id":"b","function":{"arguments":"1}"}}]"#,
      ], calls: [call("a", "f")]),
    CallCase(
      testDescription: "id and name in every piece",
      deltas: [
        #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":"}}]"#,
        #"[{"index":0,"id":"a","function":{"name":"f","arguments":"1}"}}]"#,
      ], calls: [call("a", "f")]),
    CallCase(
      testDescription: "a whole call that is sent again",
      deltas: [
        #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":1}"}}]"#,
        #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":1}"}}]"#,
        #"[{"id":"a","function":{"name":"f","arguments":"{\"a\":1}"}}]"#,
      ], calls: [call("a", "f")]),
    CallCase(
      testDescription: "arguments as an object, as null, as nothing",
      deltas: [
        #"[{"index":0,"id":"a","function":{"name":"f","arguments":{"a":1}}}]"#,
        #"[{"index":1,"id":"b","function":{"name":"g","arguments":null}}]"#,
        #"[{"index":2,"id":"c","function":{"name":"h"}}]"#,
      ], calls: [call("a", "f"), call("b", "g", [:]), call("c", "h", [:])]),
    CallCase(
      testDescription: "arguments that are no JSON",
      deltas: [#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":"}}]"#],
      calls: [call("a", "f", #"{"a":"#)]),
  ]

  @Test(arguments: callCases) func `calls are put together`(item: CallCase) async throws {
    let deltas = item.deltas.map { Self.delta(#"{"content":null,"tool_calls":\#($0)}"#) }
    let got = try await read(deltas + [Self.end])
    #expect(got.calls == item.calls)
    // The reason says "stop", but the calls decide.
    #expect(got.stop == .toolUse)
  }

  @Test func `a call in the form before tools is a call, and an empty one is none`() async throws {
    let chunks = [
      Self.delta(#"{"function_call":{"name":"f","arguments":""}}"#),
      Self.delta(#"{"function_call":{"arguments":"{\"a\":1}"}}"#),
      Self.delta(
        #"{"content":"","function_call":{"name":"","arguments":""},"tool_calls":[]}"#,
        #","finish_reason":"function_call""#),
    ]
    #expect(try await read(chunks).calls == [Self.call("", "f")])
  }

  @Test func `names that were changed for the wire come back as they were`() async throws {
    let tool = ToolDefinition(name: "mcp.server/tool", description: "", parameters: ["type": "object"])
    let wire = WireNames().wire(tool.name)
    #expect(wire != tool.name)
    let chunks = [
      Self.delta(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"\#(wire)","arguments":"{}"}}]}"#), Self.end,
    ]
    let got = try await ChatReading(
      of: model(Self.stream(chunks)), ModelRequest(tools: [tool], messages: [.user("Hi")]))
    #expect(got.calls == [Self.call("a", tool.name, [:])])
  }

  // MARK: - Content

  @Test(arguments: [
    #"{"reasoning_content":"Hm. ","content":null}"#, #"{"reasoning":"Hm. ","reasoning_content":null}"#,
    #"{"reasoning":"Hm. ","reasoning_content":"Hm. "}"#,
    #"{"reasoning":"Hm. ","reasoning_details":[{"type":"reasoning.text","text":"Hm. ","index":0}]}"#,
    #"{"reasoning_details":[{"type":"reasoning.text","text":"Hm. ","index":0}]}"#,
    #"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm. "}]}]}"#,
    #"{"content":[{"type":"thinking","thinking":"Hm. "}]}"#,
  ]) func `reasoning is read in every form, once`(delta: String) async throws {
    let got = try await read([Self.delta(delta), Self.delta(delta), Self.delta(#"{"content":"Yes."}"#), Self.end])
    #expect(got.thinking == "Hm. Hm. ")
    #expect(got.text == "Yes.")
    #expect(got.stop == .endTurn)
  }

  @Test func `details of reasoning are joined, and kept for their model`() async throws {
    let chunks = [
      Self.delta(
        #"{"reasoning_details":[{"type":"reasoning.text","text":"H","signature":"","format":"x","index":0}]}"#),
      Self.delta(#"{"reasoning_details":[{"type":"reasoning.text","text":"m","format":"x","index":0}]}"#),
      Self.delta(#"{"content":"Yes."}"#),
      Self.delta(
        #"{"reasoning_details":[{"type":"reasoning.text","signature":"c2ln","index":0},{"type":"reasoning.encrypted","data":"AA","index":1}]}"#
      ), Self.end,
    ]
    var thinking: ContentBlock?
    for try await event in model(Self.stream(chunks)).stream(ModelRequest(messages: [.user("Hi")])) {
      if case .block(let block, _) = event, case .thinking = block.kind { thinking = block }
    }
    #expect(thinking?.thinkingText == "Hm")
    #expect(thinking?.extra?.model == "gpt-4o")
    #expect(
      thinking?.extra?.value["reasoning_details"] == [
        ["type": "reasoning.text", "text": "Hm", "signature": "c2ln", "format": "x", "index": 0],
        ["type": "reasoning.encrypted", "data": "AA", "index": 1],
      ])
  }

  @Test(arguments: [
    #"{"role":"assistant","content":"Yes."}"#, #"{"content":[{"type":"text","text":"Yes."}]}"#,
    #"{"content":"Yes.","tool_calls":null,"refusal":null,"audio":{},"function_call":null}"#,
  ]) func `text is read in every form`(delta: String) async throws {
    let got = try await read([
      #"{"id":"","choices":[],"prompt_filter_results":[]}"#, Self.delta("null"), Self.delta("{}"), Self.delta(delta),
      Self.end,
    ])
    #expect(got.text == "Yes.")
  }

  @Test func `a message in place of a delta counts, and one beside it does not`() async throws {
    let whole = #"{"choices":[{"index":0,"message":{"content":"Yes."},"finish_reason":"stop"}]}"#
    #expect(try await read([whole]).text == "Yes.")
    let both = #"{"choices":[{"message":{"content":"Yes and"},"delta":{"content":"Yes."},"index":0}]}"#
    #expect(try await read([both, Self.end]).text == "Yes.")
  }

  @Test func `a refusal is one, and its text is kept apart`() async throws {
    let got = try await read([
      Self.delta(#"{"content":null,"refusal":""}"#), Self.delta(#"{"refusal":"I can"}"#),
      Self.delta(#"{"refusal":"not."}"#),
      Self.end,
    ])
    #expect(got.refusal == "I cannot.")
    #expect(got.stop == .refusal)
  }

  @Test func `one choice is read, whatever its index is`() async throws {
    let chunks = [
      #"{"choices":[{"index":1,"delta":{"content":"A"}}]}"#,
      #"{"choices":[{"index":2,"delta":{"content":"x"}},{"index":1,"delta":{"content":"B"},"finish_reason":"stop"}]}"#,
    ]
    #expect(try await read(chunks).text == "AB")
  }

  // MARK: - The end

  @Test(arguments: [
    ("stop", StopReason.endTurn), ("eos", .endTurn), ("", .endTurn), ("length", .maxTokens),
    ("content_filter", .contentFilter), ("tool_calls", .endTurn), ("model_length", .contextWindowExceeded),
    ("something_new", StopReason(rawValue: "something_new")),
  ]) func `reasons to stop are an open set`(word: String, reason: StopReason) async throws {
    let got = try await read([Self.delta(#"{"content":"A"}"#, #","finish_reason":"\#(word)""#)])
    #expect(got.stop == reason)
  }

  @Test func `a stream may end without its mark, not without its reason`() async throws {
    let text = Self.delta(#"{"content":"A"}"#)
    #expect(try await read([text, Self.end], isMarked: false).stop == .endTurn)
    #expect(await failure(Self.stream([text], isMarked: false))?.code == .truncatedStream)
    #expect(await failure(Self.stream([text], isMarked: true))?.code == .truncatedStream)
    #expect(await failure([])?.code == .truncatedStream)
  }

  @Test func `complete calls before the mark need no reason, cut ones do`() async throws {
    func call(_ arguments: String) -> String {
      Self.delta(#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"\#(arguments)"}}]}"#)
    }
    #expect(try await read([call("{}")]).stop == .toolUse)
    #expect(await failure(Self.stream([call(#"{\"a"#)]))?.code == .truncatedStream)
    #expect(await failure(Self.stream([call("{}")], isMarked: false))?.code == .truncatedStream)
  }

  @Test func `the partial of a cut stream is kept`() async throws {
    var text = ""
    var code: ModelError.Code?
    do {
      for try await event in model(Self.stream([Self.delta(#"{"content":"Half"}"#)], isMarked: false)).stream(
        ModelRequest(messages: [.user("Hi")]))
      {
        if case .text(let piece, _) = event { text += piece }
      }
    } catch let error as ModelError { code = error.code }
    #expect(text == "Half")
    #expect(code == .truncatedStream)
  }

  @Test(arguments: [
    (#"{"error":{"message":"busy","type":"overloaded_error"}}"#, ModelError.Code.overloaded),
    (
      #"{"error":{"message":"down","code":502},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"#,
      .serverError
    ),
    (#"{"error":{"message":"slow down","code":429}}"#, .rateLimited), (#"{"error":"something broke"}"#, .serverError),
    (#"{"object":"error","message":"no such thing","code":400}"#, .invalidRequest),
    (
      #"{"error":{"message":"no call","type":"invalid_request_error","code":"tool_use_failed","status_code":400}}"#,
      .invalidResponse
    ),
    (#"{"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}"#, .serverError),
    (#"{"choices":[{"index":0,"delta":{},"finish_reason":null,"error":{"code":503,"message":"gone"}}]}"#, .overloaded),
    (#"{"choices":[{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]}"#, .overloaded),
    ("upstream failed", .invalidResponse), (#"{"choices":[{"index":0,"#, .invalidResponse),
  ]) func `an error in the stream is typed`(event: String, code: ModelError.Code) async {
    let body = Self.stream([Self.delta(#"{"content":"A"}"#), event])
    #expect(await failure(body)?.code == code)
  }

  @Test func `an event named error is one whatever it holds`() async {
    let text = Self.stream([Self.delta(#"{"content":"A"}"#)], isMarked: false)
    #expect(await failure(text + Array("event: error\ndata: out of luck\n\n".utf8))?.code == .serverError)
    #expect(await failure(text + Array("event: error\ndata: {\"why\":1}\n\n".utf8))?.code == .serverError)
  }

  @Test func `an error after the reason to stop is told, and the reply stands`() async throws {
    var warnings: [String] = []
    var stop: StopReason?
    let chunks = [
      Self.delta(#"{"content":"A"}"#, #","finish_reason":"length""#),
      #"{"error":{"code":400,"message":"Token limit reached"}}"#,
    ]
    for try await event in model(Self.stream(chunks)).stream(ModelRequest(messages: [.user("Hi")])) {
      if case .warning(_, let message) = event { warnings.append(message) }
      if case .finished(let reason, _) = event { stop = reason }
    }
    #expect(stop == .maxTokens)
    #expect(warnings.count == 1 && warnings[0].contains("Token limit reached"))
  }

  // MARK: - Usage

  @Test(arguments: [
    (
      #"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":3}}}"#,
      Usage(input: 10, cachedInput: 4, output: 5, reasoning: 3)
    ),
    (
      #"{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":1,"total_tokens":303,"completion_tokens_details":{"reasoning_tokens":290}}}"#,
      Usage(input: 12, output: 291, reasoning: 290)
    ),
    (
      #"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_cache_hit_tokens":6,"prompt_tokens_details":{"cached_tokens":6}}}"#,
      Usage(input: 10, cachedInput: 6, output: 5)
    ),
    (
      #"{"choices":[{"index":0,"delta":{},"usage":{"prompt_tokens":9,"completion_tokens":2,"cached_tokens":3}}]}"#,
      Usage(input: 9, cachedInput: 3, output: 2)
    ),
    (
      #"{"choices":[],"x_groq":{"usage":{"prompt_tokens":9,"completion_tokens":2}}}"#, Usage(input: 9, output: 2)
    ),
    (
      #"{"choices":[],"x_groq":{"usage":{"prompt_tokens":9,"completion_tokens":2}},"usage":{"prompt_tokens":9,"completion_tokens":2}}"#,
      Usage(input: 9, output: 2)
    ),
    (
      #"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1,"cache_write_tokens":5}}}"#,
      Usage(input: 9, cachedInput: 1, cacheWrite: 5, output: 2)
    ),
    (
      #"{"choices":[],"timings":{"cache_n":6,"prompt_n":4,"predicted_n":2}}"#,
      Usage(input: 10, cachedInput: 6, output: 2)
    ),
    (
      #"{"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":9223372036854775807,"total_tokens":5}}"#,
      Usage(output: .max)
    ),
  ]) func `usage is counted once`(chunk: String, usage: Usage) async throws {
    let partial =
      #"{"choices":[{"index":0,"delta":{"content":"A"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#
    // With each chunk, cumulative (Perplexity), and again at the end.
    #expect(try await read([partial, partial, Self.end, chunk]).usage == usage)
  }

  // MARK: - What is no stream

  @Test(arguments: [
    ("application/json", #"{"error":{"message":"broken","type":"server_error"}}"#, ModelError.Code.serverError),
    ("application/json", #"{"id":"c","choices":[{"message":{"content":"Hi"}}]}"#, .invalidResponse),
    ("application/json; charset=utf-8", "", .invalidResponse), ("text/html", "<html>sign in</html>", .invalidResponse),
  ]) func `what is no stream is a clear error and never a decoding error`(
    type: String, body: String, code: ModelError.Code
  ) async {
    let error = await failure(Array(body.utf8), headers: ["content-type": type])
    #expect(error?.code == code)
    #expect(!(error?.underlying is JSONError))
  }

  @Test(arguments: [
    (
      429, #"{"error":{"message":"quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
      ModelError.Code.quotaExceeded, false
    ),
    (429, #"{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}"#, .rateLimited, true),
    (
      400,
      #"{"error":{"message":"This model's maximum context length is 8192 tokens","type":"invalid_request_error","code":null}}"#,
      .contextOverflow, false
    ),
    (400, #"{"error":{"message":"m","code":"context_length_exceeded"}}"#, .contextOverflow, false),
    (
      400, #"{"object":"error","message":"Unexpected role","type":"invalid_request_message_order","code":"3230"}"#,
      .invalidRequest, false
    ),
    (422, #"{"detail":[{"loc":["body","messages"],"msg":"field required"}]}"#, .invalidRequest, false),
    (
      422, #"{"object":"error","message":{"detail":[{"loc":["body"],"msg":"extra"}]},"type":"invalid_request_error"}"#,
      .invalidRequest, false
    ),
    (401, #"{"message":"Unauthorized","request_id":"x"}"#, .authentication, false),
    (401, #"{"error":{"code":"401","message":"Access denied"}}"#, .authentication, false),
    (402, #"{"error":{"message":"Insufficient Balance","type":"unknown_error"}}"#, .quotaExceeded, false),
    (404, #"{"error":{"message":"no","code":"model_not_found"}}"#, .modelNotFound, false),
    (
      413, #"{"error":{"message":"Request too large","type":"tokens","code":"rate_limit_exceeded"}}"#, .requestTooLarge,
      false
    ),
    (503, #"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#, .overloaded, true),
    (
      400,
      #"{"error":{"message":"filtered","code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#,
      .refused, false
    ),
    (400, #"{"code":"Some error","error":"text here"}"#, .invalidRequest, false),
    (502, "<html>Bad gateway</html>", .serverError, true), (504, "", .timeout, true),
  ]) func `statuses and bodies become typed errors`(
    status: Int, body: String, code: ModelError.Code, isRetryable: Bool
  ) async {
    let error = await failure(
      Array(body.utf8), status: status, headers: ["content-type": "application/json", "x-request-id": "req_1"])
    #expect(error?.code == code)
    #expect(error?.isRetryable == isRetryable)
    #expect(error?.requestId == "req_1")
    #expect(error?.status == status)
  }

  @Test func `retry headers are passed on`() async {
    let error = await failure(
      Array(#"{"error":{"message":"slow down","type":"requests"}}"#.utf8), status: 429,
      headers: ["content-type": "application/json", "retry-after-ms": "1500", "retry-after": "9"])
    #expect(error?.retryAfter == .milliseconds(1_500))
  }

  @Test func `no bytes make it crash`() async {
    let chunks = Self.callCases.flatMap(\.deltas).map { Self.delta(#"{"content":"A","tool_calls":\#($0)}"#) }
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var body = Self.stream([random.pick(chunks), random.pick(chunks), Self.end])
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<body.count, using: &random)
        if random.chance(0.5) {
          body[place] = UInt8.random(in: 0...255, using: &random)
        } else {
          body.remove(at: place)
        }
      }
      // A reply or a typed error, and nothing else.
      do { _ = try await ChatReading(of: model(body)) } catch { #expect(error is ModelError, "seed \(seed): \(error)") }
    }
  }
}
