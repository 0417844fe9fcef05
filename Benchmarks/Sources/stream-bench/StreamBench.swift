import Foundation
import Martlet
import MartletHTTP
import MartletProviders

/// What a delta costs between the socket and the reader: framing, decoding, the stream itself. The bytes are there already,
/// in chunks as a fast connection brings them.
@main struct StreamBench {
  static let deltas = 20_000
  static let chunk = 16_384

  static func main() async throws {
    print("\nDecoding a stream of \(deltas) deltas of a few words, the best of 15")
    for (name, body, model) in rows {
      let transport = Ready(chunks: chunks(of: body))
      var best = Double.infinity
      for _ in 0..<15 { best = min(best, try await seconds(model(transport))) }
      let perDelta = best / Double(deltas) * 1e6
      let rate = Double(body.utf8.count) / best / 1e6
      print(
        "  \(name.padding(toLength: 18, withPad: " ", startingAt: 0)) "
          + String(format: "%7.3f µs a delta %8.0f MB/s", perDelta, rate))
    }
  }

  static let rows: [(String, String, @Sendable (Ready) -> any LanguageModel)] = [
    (
      "anthropic", anthropic,
      { Anthropic("claude-opus-5", key: nil, transport: $0) }
    ),
    ("openai responses", openAI, { OpenAIResponses("gpt-5.5", key: nil, transport: $0) }),
    ("gemini", gemini, { Gemini("gemini-3-flash", key: nil, transport: $0) }),
  ]

  static func seconds(_ model: any LanguageModel) async throws -> Double {
    var iterator = model.stream(ModelRequest(messages: [.user("Hi")])).makeAsyncIterator()
    let start = cpuSeconds()
    var seen = 0
    while let batch = try await iterator.nextBatch() {
      for case .text in batch { seen += 1 }
    }
    let time = cpuSeconds() - start
    precondition(seen == deltas, "\(seen) of \(deltas) deltas came")
    return time
  }

  static func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static func chunks(of body: String) -> [[UInt8]] {
    let bytes = Array(body.utf8)
    return stride(from: 0, to: bytes.count, by: chunk).map { Array(bytes[$0..<min($0 + chunk, bytes.count)]) }
  }

  struct Ready: HTTPTransport {
    var chunks: [[UInt8]]

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      HTTPResponse(status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(chunks: chunks))
    }
  }

  // MARK: - Streams, in the form of the real ones

  static func event(_ name: String, _ data: String) -> String { "event: \(name)\ndata: \(data)\n\n" }

  static var anthropic: String {
    var body = event(
      "message_start",
      #"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":10,"output_tokens":1}}}"#
    )
    body += event(
      "content_block_start", #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#)
    for number in 0..<deltas {
      body += event(
        "content_block_delta",
        #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" words number \#(number)"}}"#)
    }
    body += event("content_block_stop", #"{"type":"content_block_stop","index":0}"#)
    body += event(
      "message_delta",
      #"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}"#)
    return body + event("message_stop", #"{"type":"message_stop"}"#)
  }

  static var openAI: String {
    var body = event(
      "response.output_item.added",
      #"{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","content":[]}}"#
    )
    for number in 0..<deltas {
      body += event(
        "response.output_text.delta",
        #"{"type":"response.output_text.delta","content_index":0,"delta":" words number \#(number)","item_id":"msg_0fabc13af1ee0049006a691dfebdc881a1","logprobs":[],"obfuscation":"aB3dE5","output_index":0,"sequence_number":\#(number + 2)}"#
      )
    }
    return body
      + event(
        "response.completed",
        #"{"type":"response.completed","response":{"status":"completed","output":[],"usage":{"input_tokens":9,"output_tokens":9}}}"#
      )
  }

  static var gemini: String {
    var body = ""
    for number in 0...deltas {
      let end = number == deltas
      body +=
        "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"\(end ? "" : " words number \(number)")\"}],"
        + "\"role\": \"model\"},\(end ? "\"finishReason\": \"STOP\"," : "")\"index\": 0}],\"usageMetadata\": "
        + "{\"promptTokenCount\": 8,\"candidatesTokenCount\": \(number),\"totalTokenCount\": \(number + 8),"
        + "\"promptTokensDetails\": [{\"modality\": \"TEXT\",\"tokenCount\": 8}]},\"modelVersion\": "
        + "\"gemini-3-flash-preview\",\"responseId\": \"J3dHapyWENS3g8UPyrefuAE\"}\r\n\r\n"
    }
    return body
  }
}
