import Martlet
import MartletHTTP
import MartletJSON
import Testing

@testable import MartletProviders

@Suite struct OpenAIResponsesRecordedTests {
  /// A reply in OpenAI's own form: its items, why it stopped, what it used.
  func form(_ reply: ReplayedReply, model: String) -> JSONValue {
    var encoder = OpenAIResponsesMessageEncoder(model: model)
    let items = encoder.items(of: Message(role: .assistant, content: reply.blocks))
    return [
      "output": .array(items.map { .object($0) }), "stop": reply.stopReason.map { .string($0.rawValue) } ?? .null,
      "usage": reply.usage.json,
    ]
  }

  /// The same of the vendor's result.
  func form(_ final: JSONValue) -> JSONValue {
    let output = final["output"]?.arrayValue ?? []
    let stop: String
    switch final["status"]?.stringValue {
    case "incomplete":
      let reason = final["incomplete_details"]?["reason"]?.stringValue ?? ""
      stop = reason == "max_output_tokens" ? "max_tokens" : reason
    default:
      let isRefused = output.contains { $0["content"]?.arrayValue?.contains { $0["type"] == "refusal" } == true }
      // Calls of built-in tools that the client runs count too, unless the service has answered them.
      let items = output.compactMap(\.objectValue)
      let answered = OpenAIClientTools.answered(in: items)
      let calls = items.contains {
        $0["type"] == "function_call" || $0["type"] == "custom_tool_call"
          || OpenAIClientTools.isCall($0, answered: answered)
      }
      stop = isRefused ? "refusal" : calls ? "tool_use" : "end_turn"
    }
    let usage = final["usage"]
    return [
      "output": .array(output), "stop": .string(stop),
      "usage": Usage(
        input: usage?["input_tokens"]?.intValue ?? 0,
        cachedInput: usage?["input_tokens_details"]?["cached_tokens"]?.intValue ?? 0,
        cacheWrite: usage?["input_tokens_details"]?["cache_write_tokens"]?.intValue ?? 0,
        output: usage?["output_tokens"]?.intValue ?? 0,
        reasoning: usage?["output_tokens_details"]?["reasoning_tokens"]?.intValue ?? 0
      ).json,
    ]
  }

  /// Some fixtures hold the responses of a whole run, one after the other: each is a stream of its own.
  func streams(in body: [UInt8]) -> [[UInt8]] {
    let text = String(decoding: body, as: UTF8.self)
    var streams: [String] = []
    for event in text.replacing("\r\n", with: "\n").split(separator: "\n\n") {
      if streams.isEmpty || event.contains(#""type":"response.created""#) { streams.append("") }
      streams[streams.count - 1] += event + "\n\n"
    }
    return streams.count == 1 ? [body] : streams.map { Array($0.utf8) }
  }

  /// The response that a stream's last event holds.
  func ending(_ stream: [UInt8]) throws -> JSONValue? {
    for line in String(decoding: stream, as: UTF8.self).split(separator: "\n") where line.hasPrefix("data:") {
      if line.contains("[DONE]") { continue }
      let data = try JSONValue(parsing: String(line.dropFirst(5)))
      if data["type"] == "response.completed" || data["type"] == "response.incomplete" { return data["response"] }
    }
    return nil
  }

  @Test(.enabled(if: Recordings.directory != nil, "skipped: there are no recordings beside the package"))
  func `recorded streams assemble to what OpenAI's own client makes of them`() async throws {
    let recordings = try Recordings.indexed { api, isStream, status in
      api == "responses" && isStream && status == 200
    }.filter { $0.final?["output"] != nil }
    var equal = 0
    for recording in recordings {
      let streams = streams(in: recording.body)
      var isEqual = true
      for (index, stream) in streams.enumerated() {
        let final = try index == streams.count - 1 ? recording.final : ending(stream)
        guard let final else { continue }
        let wanted = form(final).pruned
        for way in ReplayedReply.Way.allCases {
          let reply = await ReplayedReply(stream, way, errors: OpenAIErrors()) {
            OpenAIResponsesStreamDecoder(model: recording.model)
          }
          let got = form(reply, model: recording.model).pruned
          if got == wanted, reply.error == nil { continue }
          isEqual = false
          Issue.record(
            "\(recording.id), \(way): \(reply.error.map { "\($0)" } ?? "")\n got \(got.text())\nwant \(wanted.text())")
          break
        }
      }
      if isEqual { equal += 1 }
    }
    print("openai-responses: \(equal) of \(recordings.count) streams equal")
    #expect(equal == recordings.count && equal > 0)
  }

  @Test(.enabled(if: Recordings.directory != nil, "skipped: there are no recordings beside the package"))
  func `recorded errors become typed errors`() async throws {
    let recordings = try Recordings.indexed { api, _, status in api == "responses" && status >= 400 }
    var right = 0
    for recording in recordings {
      var headers: [String: String] = [:]
      for (name, value) in recording.headers { headers[name] = value }
      let error = OpenAIErrors().error(
        status: recording.status, headers: ["content-type": headers["content-type"] ?? "application/json"],
        body: recording.body, now: 0)
      let isFinal = error.providerCode == "insufficient_quota"
      let mayPass = ([408, 409, 429].contains(recording.status) || recording.status >= 500) && !isFinal
      let isRight =
        error.status == recording.status && error.isRetryable == mayPass && error.providerCode != nil
        && (error.code == .quotaExceeded) == isFinal && error.code != .invalidResponse
      #expect(isRight, "\(recording.id): \(error)")
      if isRight { right += 1 }
    }
    print("openai-responses: \(right) of \(recordings.count) errors right")
    #expect(right == recordings.count)
  }
}
