import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct OllamaTests {
  static let headers: HTTPHeaders = ["content-type": "application/x-ndjson"]
  static let done =
    #"{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":5,"eval_duration":1000000000,"load_duration":2000000,"prompt_eval_duration":3000000}"#

  static func message(_ message: String) -> String { #"{"model":"m","message":\#(message),"done":false}"# }

  func model(
    _ lines: [String], chunkSize: Int? = nil, status: Int = 200, headers: HTTPHeaders = headers,
    configuration: Ollama.Configuration = .init()
  ) -> Ollama {
    Ollama(
      "qwen3", configuration: configuration,
      transport: ReplayTransport(
        Array(lines.map { $0 + "\n" }.joined().utf8), chunkSize: chunkSize, status: status, headers: headers))
  }

  func read(_ lines: [String]) async throws -> ChatReading { try await ChatReading(of: model(lines)) }

  func failure(_ model: Ollama) async -> ModelError? {
    do {
      _ = try await ChatReading(of: model)
      return nil
    } catch { return error as? ModelError }
  }

  @Test func `thinking, text and calls are read, in any pieces`() async throws {
    let lines = [
      Self.message(#"{"role":"assistant","content":"","thinking":"Hm"}"#),
      Self.message(#"{"content":"","thinking":"."}"#),
      Self.message(#"{"content":"Grüße "}"#), Self.message(#"{"content":"😀"}"#),
      Self.message(
        #"{"content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}},{"id":"x","function":{"index":1,"name":"g","arguments":{}}}]}"#
      ),
      Self.done,
    ]
    for size in [nil, 1, 7] as [Int?] {
      let got = try await ChatReading(of: model(lines, chunkSize: size))
      #expect(got.thinking == "Hm." && got.text == "Grüße 😀")
      #expect(got.calls == [.init(id: "", name: "f", arguments: ["a": 1]), .init(id: "x", name: "g", arguments: [:])])
      #expect(got.stop == .toolUse)
      #expect(got.usage == Usage(input: 10, output: 5))
    }
  }

  @Test(arguments: [
    (#""stop""#, StopReason.endTurn), (#""length""#, .maxTokens), ("null", .endTurn),
    (#""new""#, StopReason(rawValue: "new")),
  ]) func `reasons to stop are an open set`(word: String, reason: StopReason) async throws {
    let got = try await read([#"{"message":{"content":"A"},"done":true,"done_reason":\#(word)}"#])
    #expect(got.stop == reason && got.text == "A")
  }

  @Test func `speed is told`() async throws {
    var metrics: Metrics?
    for try await event in model([Self.done]).stream(ModelRequest(messages: [.user("Hi")])) {
      if case .metrics(let last) = event { metrics = last }
    }
    #expect(metrics?.tokensPerSecond == 5 && metrics?.ttftMs == 5 && metrics?.contextMax == 16_384)
  }

  @Test func `a stream without its last line is cut off`() async {
    #expect(await failure(model([Self.message(#"{"content":"A"}"#)]))?.code == .truncatedStream)
    #expect(await failure(model([]))?.code == .truncatedStream)
    #expect(await failure(model([#"{"message":{"content":"#]))?.code == .invalidResponse)
  }

  @Test(arguments: [
    (#"{"error":"an error was encountered while running the model"}"#, ModelError.Code.serverError, true),
    (#"{"error":"model requires more system memory (8 GiB) than is available (4 GiB)"}"#, .serverError, false),
  ]) func `an error in the stream is typed`(line: String, code: ModelError.Code, isRetryable: Bool) async {
    let error = await failure(model([Self.message(#"{"content":"A"}"#), line]))
    #expect(error?.code == code && error?.isRetryable == isRetryable)
  }

  @Test(arguments: [
    (404, #"{"error":"model 'x' not found, try pulling it first"}"#, ModelError.Code.modelNotFound, false),
    (400, #"{"error":"registry.ollama.ai/library/x does not support tools"}"#, .unsupported, false),
    (503, #"{"error":"server busy, please try again. maximum pending requests exceeded"}"#, .overloaded, true),
    (500, #"{"error":"llama runner process has terminated"}"#, .serverError, true), (502, "<html>", .serverError, true),
  ]) func `statuses and bodies become typed errors`(status: Int, body: String, code: ModelError.Code, isRetryable: Bool)
    async
  {
    let error = await failure(model([body], status: status, headers: ["content-type": "application/json"]))
    #expect(error?.code == code && error?.isRetryable == isRetryable && error?.status == status)
  }

  @Test func `a page or one document is no stream`() async {
    #expect(await failure(model(["<html>"], headers: ["content-type": "text/html"]))?.code == .invalidResponse)
    let whole = #"{"model":"m","message":{"content":"A"},"done":true}"#
    #expect(await failure(model([whole], headers: ["content-type": "application/json"]))?.code == .invalidResponse)
  }

  func warnings(sent: Int, window: Int, prompt: Int) async throws -> [String] {
    let line = #"{"message":{"content":"A"},"done":true,"prompt_eval_count":\#(prompt),"eval_count":1}"#
    let request = ModelRequest(messages: [.user(String(repeating: "word ", count: sent / 5))])
    var codes: [String] = []
    for try await event in model([line], configuration: .init(contextWindow: window)).stream(request) {
      if case .warning(let code, _) = event { codes.append(code) }
    }
    return codes
  }

  @Test func `input that the server cut is told`() async throws {
    #expect(try await warnings(sent: 100_000, window: 4_096, prompt: 4_000) == ["input_truncated"])
    #expect(try await warnings(sent: 40_000, window: 8_192, prompt: 8_190) == ["input_truncated"])
    // English prose has up to 4.8 bytes a token.
    #expect(try await warnings(sent: 30_000, window: 8_192, prompt: 6_300) == [])
    #expect(try await warnings(sent: 4_000, window: 8_192, prompt: 800) == [])
    // Everything was in the cache: older servers then count nothing.
    #expect(try await warnings(sent: 100_000, window: 4_096, prompt: 0) == [])
  }

  func body(_ request: ModelRequest, configuration: Ollama.Configuration = .init()) throws -> JSONValue {
    guard case .segments(let segments) = model([], configuration: configuration).httpRequest(for: request).body else {
      return .null
    }
    return try JSONValue(parsing: Array(segments.joined()))
  }

  @Test func `the size of the context goes with every request`() throws {
    let json = try body(
      ModelRequest(
        messages: [.user("Hi")], options: ModelOptions(temperature: 0, seed: 3, stopSequences: ["x"], thinking: .high),
        outputSchema: ["type": "object"]),
      configuration: .init(contextWindow: 1_000, keepAlive: "10m"))
    #expect(
      json["options"] == ["num_ctx": 1_000, "num_predict": 4_096, "temperature": 0, "seed": 3, "stop": ["x"]])
    #expect(json["format"] == ["type": "object"] && json["keep_alive"] == "10m" && json["think"] == true)
    #expect(try body(ModelRequest(messages: [.user("Hi")]))["options"]?["num_ctx"] == 16_384)
  }

  @Test func `calls are objects, results name their tool, images are bare`() throws {
    let image = ContentBlock.media(Media(kind: .image, mimeType: "image/png", source: .data(base64: "iVBORw0KGgo=")))
    let json = try body(
      ModelRequest(
        instructions: [.text("Be brief.")],
        messages: [
          .user([.text("See"), image]),
          Message(
            role: .assistant,
            content: [
              ContentBlock(.thinking(Thinking(text: "Hm.")), extra: BlockExtra(provider: "ollama", value: [:])),
              .toolCall(ToolCall(id: "call_1", name: "f", arguments: ["a": 1])),
            ]), .tool(result: "ok", callId: "call_1", name: "f"),
        ]))
    #expect(
      json["messages"] == [
        ["role": "system", "content": "Be brief."], ["role": "user", "content": "See", "images": ["iVBORw0KGgo="]],
        [
          "role": "assistant", "content": "", "thinking": "Hm.",
          "tool_calls": [["id": "call_1", "function": ["name": "f", "arguments": ["a": 1]]]],
        ], ["role": "tool", "content": "ok", "tool_name": "f", "tool_call_id": "call_1"],
      ])
  }

  @Test func `whatever the history is, the request is one that Ollama accepts`() throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = AnyHistory(seed: seed)
      let messages = random.messages()
      let model = model([])
      for cut in 0...messages.count {
        func json(_ prefix: PromptPrefix?) throws -> JSONValue {
          let request = ModelRequest(
            tools: ChatHistoryTests.tools, messages: MessageHistory(messages.prefix(cut)), prefix: prefix)
          guard case .segments(let segments) = model.httpRequest(for: request).body else { return .null }
          return try JSONValue(parsing: Array(segments.joined()))
        }
        let whole = try json(nil)
        #expect(try json(PromptPrefix(session: "s", epoch: 1)) == whole, "seed \(seed), cut \(cut)")
        let faults = OllamaRules.check(request: whole)
        #expect(faults == [], "seed \(seed), cut \(cut)")
        if !faults.isEmpty { return }
      }
    }
  }

  @Test func `models and their limits are read`() async throws {
    func answering(_ body: String) -> Ollama { model([body], headers: ["content-type": "application/json"]) }
    let models = try await answering(#"{"models":[{"name":"a:latest","model":"a:latest","size":1}]}"#).availableModels()
    #expect(models.map(\.id) == ["a:latest"])
    let details = try await answering(
      #"{"capabilities":["completion","tools"],"model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}"#
    ).details()
    #expect(details == Ollama.Details(contextLength: 40_960, capabilities: ["completion", "tools"]))
    let missing = model([#"{"error":"model 'x' not found"}"#], status: 404)
    await #expect(throws: ModelError.self) { try await missing.details() }
  }

  @Test(.enabled(if: Recordings.directory != nil, "skipped: there are no recordings beside the package"))
  func `recorded streams are read to their end`() async throws {
    let streams = try Recordings.all(of: "ollama").filter { $0.api == "api/chat" && $0.isStream && $0.status == 200 }
    var equal = 0
    for recording in streams {
      // There is no client of the vendor's that puts streams together: its lines are joined here.
      let lines = try String(decoding: recording.body, as: UTF8.self).split(separator: "\n").map {
        try JSONValue(parsing: String($0))
      }
      let text = lines.compactMap { $0["message"]?["content"]?.stringValue }.joined()
      let usage = Usage(
        input: lines.last?["prompt_eval_count"]?.intValue ?? 0, output: lines.last?["eval_count"]?.intValue ?? 0)
      var isEqual = true
      for (way, transport) in RecordedWays.transports(for: recording.body, comments: false) {
        var transport = transport
        transport.headers = Self.headers
        let got = try await ChatReading(of: Ollama(recording.model, transport: transport))
        if got.text != text || got.usage != usage || got.stop == nil {
          isEqual = false
          Issue.record("\(recording.id), \(way): \(got)")
        }
      }
      if isEqual { equal += 1 }
    }
    print("ollama: \(equal) of \(streams.count) recorded streams equal")
    #expect(equal == streams.count)
  }

  @Test func `no bytes make it crash`() async {
    let lines = [
      Self.message(#"{"role":"assistant","content":"A\n","thinking":"H"}"#),
      Self.message(#"{"tool_calls":[{"function":{"name":"f","arguments":{"a":[1,{}]}}}]}"#), Self.done,
    ]
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var body = Array(lines.map { $0 + "\n" }.joined().utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<body.count, using: &random)
        if random.chance(0.5) {
          body[place] = UInt8.random(in: 0...255, using: &random)
        } else {
          body.remove(at: place)
        }
      }
      let model = Ollama("m", transport: ReplayTransport(body, headers: Self.headers))
      do { _ = try await ChatReading(of: model) } catch { #expect(error is ModelError, "seed \(seed): \(error)") }
    }
  }
}
