import Martlet
import MartletHTTP
import MartletJSON
import Testing

@testable import MartletProviders

@Suite struct AnthropicRecordedTests {
  /// The reply that our client makes of a stream, in Anthropic's own form.
  func reply(_ transport: ReplayTransport, model: String) async throws -> JSONValue {
    let anthropic = Anthropic(model, key: nil, transport: transport)
    var blocks: [Int: ContentBlock] = [:]
    var stop: StopReason?
    var usage = Usage()
    for try await event in anthropic.stream(ModelRequest(messages: [.user("Hi")])) {
      switch event {
      case .block(let block, let index): blocks[index] = block
      case .finished(let reason, let counts): (stop, usage) = (reason, counts)
      default: break
      }
    }
    var encoder = AnthropicMessageEncoder(model: model)
    var segments: [[UInt8]] = []
    encoder.encode(
      Message(role: .assistant, content: blocks.sorted { $0.key < $1.key }.map(\.value)), next: nil, into: &segments)
    segments += encoder.closing
    let content = try segments.first.map { try JSONValue(parsing: $0)["content"] ?? [] } ?? []
    return [
      "content": content, "stop_reason": stop.map { .string($0.rawValue) } ?? .null,
      "input": .number(JSONNumber(usage.input)), "output": .number(JSONNumber(usage.output)),
    ]
  }

  /// The vendor's result, with what has no meaning left out: absent and null are one, empty text is not sent back.
  func expected(_ final: JSONValue) -> JSONValue {
    let usage = final["usage"]
    let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].reduce(0) {
      $0 + (usage?[$1]?.intValue ?? 0)
    }
    return [
      "content": .array(
        (final["content"]?.arrayValue ?? []).filter { $0["text"]?.stringValue?.allSatisfy(\.isWhitespace) != true }),
      "stop_reason": final["stop_reason"] ?? .null, "input": .number(JSONNumber(input)),
      "output": .number(JSONNumber(usage?["output_tokens"]?.intValue ?? 0)),
    ]
  }

  func pruned(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      var kept = JSONObject()
      for (key, value) in object where !value.isNull && value != .array([]) { kept[key] = pruned(value) }
      return .object(kept)
    case .array(let values): return .array(values.map(pruned))
    default: return value
    }
  }

  @Test(.enabled(if: Recordings.directory != nil, "skipped: there are no recordings beside the package"))
  func `recorded streams assemble to what Anthropic's own client makes of them`() async throws {
    // Recordings of several messages in one are no message.
    let recordings = try Recordings.all(of: "anthropic").filter {
      $0.status == 200 && $0.final?["content"] != nil && !$0.features.contains("concatenated_or_spliced")
    }
    var equal = 0
    for recording in recordings {
      guard let final = recording.final else { continue }
      let wanted = pruned(expected(final))
      var isEqual = true
      let crlf = recording.body.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
      let commented = Array(
        String(decoding: recording.body, as: UTF8.self).replacing("\n\n", with: "\n\n: ping\n\n").utf8)
      let ways: [(String, ReplayTransport)] = [
        ("whole", ReplayTransport(recording.body)), ("bytes", ReplayTransport(recording.body, chunkSize: 1)),
        ("crlf", ReplayTransport(crlf, chunkSize: 7)), ("comments", ReplayTransport(commented)),
      ]
      for (name, transport) in ways {
        do {
          let got = pruned(try await reply(transport, model: final["model"]?.stringValue ?? recording.model))
          if got != wanted {
            isEqual = false
            Issue.record("\(recording.id), \(name):\n got \(got.text())\nwant \(wanted.text())")
            break
          }
        } catch {
          // A reply without a reason to stop is a cut stream, which the vendor's client lets pass.
          if final["stop_reason"]?.isNull != false, (error as? ModelError)?.code == .truncatedStream { continue }
          isEqual = false
          Issue.record("\(recording.id), \(name): \(error)")
          break
        }
      }
      if isEqual { equal += 1 }
    }
    print("anthropic: \(equal) of \(recordings.count) streams equal")
    #expect(equal == recordings.count && equal > 0)
  }

  @Test(.enabled(if: Recordings.directory != nil, "skipped: there are no recordings beside the package"))
  func `recorded errors become typed errors`() throws {
    let recordings = try Recordings.all(of: "anthropic").filter { $0.status >= 400 }
    var right = 0
    for recording in recordings {
      let error = AnthropicErrors().error(
        status: recording.status, headers: ["content-type": "application/json"], body: recording.body, now: 0)
      let mayPass = [408, 409, 429].contains(recording.status) || recording.status >= 500
      let isRight =
        error.status == recording.status && error.providerCode != nil && error.isRetryable == mayPass
        && error.code != .invalidResponse
      #expect(isRight, "\(recording.id): \(error)")
      if isRight { right += 1 }
    }
    print("anthropic: \(right) of \(recordings.count) errors right")
    #expect(right == recordings.count)
  }
}
