import MartletHTTP
import MartletJSON
import MartletSimulators

/// A plain client of a simulator, which knows nothing but HTTP and JSON.
struct Raw: Sendable {
  let simulator: ProviderSimulator

  init(_ provider: ProviderSimulator.Provider, _ script: SimulatorScript = .echo) {
    simulator = ProviderSimulator(provider, script: script, clock: HastyClock())
  }

  /// Where replies come from.
  var path: String {
    switch simulator.provider {
    case .anthropic: "/v1/messages"
    case .openAI: "/v1/chat/completions"
    case .openAIResponses: "/v1/responses"
    case .gemini: "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse"
    case .ollama: "/api/chat"
    }
  }

  /// A request of one sentence, streamed.
  var body: JSONValue {
    switch simulator.provider {
    case .anthropic:
      [
        "model": "claude-opus-5", "max_tokens": 100, "stream": true,
        "messages": [["role": "user", "content": "Hello"]],
      ]
    case .openAI:
      [
        "model": "gpt-5.2", "stream": true, "stream_options": ["include_usage": true],
        "messages": [["role": "user", "content": "Hello"]],
      ]
    case .openAIResponses: ["model": "gpt-5.2", "stream": true, "input": "Hello"]
    case .gemini: ["contents": [["role": "user", "parts": [["text": "Hello"]]]]]
    case .ollama: ["model": "qwen3", "messages": [["role": "user", "content": "Hello"]]]
    }
  }

  var headers: HTTPHeaders {
    switch simulator.provider {
    case .anthropic: ["x-api-key": "sk-test", "anthropic-version": "2023-06-01"]
    case .openAI, .openAIResponses: ["authorization": "Bearer sk-test"]
    case .gemini: ["x-goog-api-key": "sk-test"]
    case .ollama: [:]
    }
  }

  struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let text: String
    /// The documents of the stream, or the one there is.
    let documents: [JSONValue]
  }

  func send(
    _ method: HTTPRequest.Method = .post, _ path: String? = nil, headers: HTTPHeaders? = nil, body: [UInt8]? = nil
  ) async throws -> Answer {
    let response = try await simulator.transport.send(
      HTTPRequest(
        method, "http://simulator" + (path ?? self.path), headers: headers ?? self.headers,
        body: .bytes(body ?? self.body.bytes())))
    let bytes = try await response.body.bytes(limit: 1 << 20)
    var documents: [JSONValue] = []
    if response.mediaType == "text/event-stream" {
      var decoder = ServerSentEventDecoder()
      decoder.append(bytes)
      while let event = try decoder.next() {
        if event.text != "[DONE]" { documents.append(try JSONValue(parsing: event.data)) }
      }
    } else {
      documents = try bytes.split(separator: 0x0A).map { try JSONValue(parsing: $0) }
    }
    return Answer(
      status: response.status, headers: response.headers, text: String(decoding: bytes, as: UTF8.self),
      documents: documents)
  }

  func send(_ change: (inout JSONValue) -> Void) async throws -> Answer {
    var body = self.body
    change(&body)
    return try await send(body: body.bytes())
  }
}
