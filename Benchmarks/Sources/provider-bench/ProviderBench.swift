import Foundation
import Martlet
import MartletHTTP
import MartletProviders

/// What the clients cost without a network: a stream from its bytes to the model's events, and a request from a long
/// conversation to its bytes.
@main struct ProviderBench {
  static func main() async throws {
    print("\nDecoding a stream of 20,000 deltas that comes in chunks of 16 KiB")
    print("  wire                     bytes/delta       µs/delta")
    let chat = Array(
      (String(repeating: chatDelta, count: deltas) + chatEnd + "data: [DONE]\n\n").utf8)
    try await measure("Chat Completions", chatDelta.utf8.count) {
      OpenAIChat("gpt-4o", key: nil, transport: Replay(chat, "text/event-stream"))
    }
    let ollama = Array((String(repeating: ollamaDelta, count: deltas) + ollamaEnd).utf8)
    try await measure("Ollama", ollamaDelta.utf8.count) {
      Ollama("qwen3", transport: Replay(ollama, "application/x-ndjson"))
    }
    let anthropic = Array(
      (anthropicStart + String(repeating: anthropicDelta, count: deltas) + anthropicEnd).utf8)
    try await measure("Anthropic", anthropicDelta.utf8.count) {
      Anthropic(key: nil, transport: Replay(anthropic, "text/event-stream"))
    }

    print("\nThe request of a conversation that grew by two messages")
    print("  messages before        µs/request")
    for length in [10, 100, 1_000, 10_000] {
      print("  \(pad(length, 15)) \(pad(String(format: "%.1f", try await secondsPerRequest(length) * 1e6), 17))")
    }
  }

  static let deltas = 20_000
  static let chatDelta =
    #"data: {"id":"chatcmpl-C1KMEUDb1vVwsROQUCZTgG6A6vtWo","object":"chat.completion.chunk","created":1754432618,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_ff25b2783a","choices":[{"index":0,"delta":{"content":" tokens"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x8Kd"}"#
    + "\n\n"
  static let chatEnd = #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\n"
  static let ollamaDelta =
    #"{"model":"qwen3","created_at":"2025-11-30T20:26:46.294874Z","message":{"role":"assistant","content":" tokens"},"done":false}"#
    + "\n"
  static let ollamaEnd = #"{"message":{"content":""},"done":true,"done_reason":"stop"}"# + "\n"
  static let anthropicStart =
    #"data: {"type":"message_start","message":{"content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"# + "\n\n"
    + #"data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"# + "\n\n"
  static let anthropicDelta =
    "event: content_block_delta\n"
    + #"data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" tokens"}}"# + "\n\n"
  static let anthropicEnd =
    #"data: {"type":"content_block_stop","index":0}"# + "\n\n"
    + #"data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"# + "\n\n"
    + #"data: {"type":"message_stop"}"# + "\n\n"

  /// Hands over the same bytes whatever is asked.
  struct Replay: HTTPTransport {
    let chunks: [[UInt8]]
    let type: String

    init(_ body: [UInt8], _ type: String) {
      chunks = stride(from: 0, to: body.count, by: 16_384).map { Array(body[$0..<min($0 + 16_384, body.count)]) }
      self.type = type
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      HTTPResponse(status: 200, headers: ["content-type": type], url: request.url, body: HTTPBody(chunks: chunks))
    }
  }

  static func measure(_ name: String, _ bytes: Int, _ make: () -> some LanguageModel) async throws {
    let clock = ContinuousClock()
    let model = make()
    var best = Double.infinity
    for _ in 0..<15 {
      let start = clock.now
      var count = 0
      var events = model.stream(ModelRequest(messages: [.user("Hi")])).makeAsyncIterator()
      while let batch = try await events.nextBatch() { count += batch.count }
      best = min(best, (clock.now - start) / .seconds(1))
      guard count >= deltas else { fatalError("\(name): only \(count) events came") }
    }
    print(
      "  \(name.padding(toLength: 20, withPad: " ", startingAt: 0)) \(pad(bytes, 14)) \(pad(String(format: "%.3f", best / Double(deltas) * 1e6), 14))"
    )
  }

  /// Takes a request's body and answers nothing.
  struct Sink: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(status: 500) }
  }

  static func secondsPerRequest(_ length: Int) async throws -> Double {
    let model = OpenAIChat("gpt-4o", key: nil, transport: Sink())
    var messages = MessageHistory()
    for index in 0..<length / 2 { grow(&messages, index) }
    let clock = ContinuousClock()
    var best = Double.infinity
    for turn in 0..<200 {
      let request = ModelRequest(messages: messages, prefix: PromptPrefix(session: "s", epoch: 1))
      let start = clock.now
      do { for try await _ in model.stream(request) {} } catch is ModelError {}
      // The first one encodes the whole conversation.
      if turn > 0 { best = min(best, (clock.now - start) / .seconds(1)) }
      grow(&messages, length + turn)
    }
    return best
  }

  static func grow(_ messages: inout MessageHistory, _ index: Int) {
    messages.append(.user("Question \(index) about something of ordinary length."))
    messages.append(.assistant(text: "Answer \(index), which is about as long as the question was."))
  }

  static func pad(_ value: some CustomStringConvertible, _ width: Int) -> String {
    let text = "\(value)"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
