import Martlet
import MartletHTTP
import MartletJSON
import Testing

@testable import MartletProviders

@Suite struct GeminiRecordedTests {
  /// A reply as parts.
  func parts(_ reply: ReplayedReply) -> JSONValue {
    var encoder = GeminiMessageEncoder(model: "gemini")
    return .array(encoder.items(of: Message(role: .assistant, content: reply.blocks)).map { .object($0) }).pruned
  }

  /// The parts of all chunks, with plain texts of one kind joined, empty ones left out, and calls in pieces put together.
  func joined(_ parts: [JSONValue]) -> JSONValue {
    var joined: [JSONObject] = []
    var isOpen = false
    for part in parts {
      guard var part = part.objectValue else { continue }
      if var call = part["functionCall"]?.objectValue {
        if call["name"] == nil {
          // Arguments are at the first level in all recordings.
          guard isOpen, var last = joined.last?["functionCall"]?.objectValue else { continue }
          var arguments = last["args"]?.objectValue ?? [:]
          for piece in call["partialArgs"]?.arrayValue ?? [] {
            let key = String(piece["jsonPath"]?.stringValue?.dropFirst(2) ?? "")
            let text = piece["stringValue"]?.stringValue ?? ""
            arguments[key] = .string((arguments[key]?.stringValue ?? "") + text)
          }
          last["args"] = .object(arguments)
          joined[joined.count - 1]["functionCall"] = .object(last)
          isOpen = call["willContinue"] == true
          continue
        }
        isOpen = call.removeValue(forKey: "willContinue") == true
        if call["args"] == nil { call["args"] = [:] }
        part["functionCall"] = .object(call)
      }
      let isPlain = part.allSatisfy { $0.key == "text" || $0.key == "thought" }
      if isPlain, let text = part["text"]?.stringValue {
        if text.isEmpty { continue }
        if let last = joined.last, last.allSatisfy({ $0.key == "text" || $0.key == "thought" }),
          last["thought"] == part["thought"], let before = last["text"]?.stringValue
        {
          joined[joined.count - 1]["text"] = .string(before + text)
          continue
        }
      }
      joined.append(part)
    }
    return JSONValue.array(joined.map { .object($0) }).pruned
  }

  func stopReason(_ final: JSONValue) -> String? {
    guard let word = final["last"]?["candidates"]?[0]?["finishReason"]?.stringValue else { return nil }
    let calls = (final["parts_in_order"]?.arrayValue ?? []).contains { $0["functionCall"] != nil }
    switch word {
    case "STOP": return calls ? "tool_use" : "end_turn"
    case "MAX_TOKENS": return "max_tokens"
    case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII": return "content_filter"
    default: return word.lowercased()
    }
  }

  /// A stream up to its last blank line: the vendor's result was made by the standard, which drops an event without one.
  /// (Our client takes it, as a test of its own says.)
  func ended(_ body: [UInt8]) -> [UInt8] {
    let text = String(decoding: body, as: UTF8.self).replacing("\r\n", with: "\n")
    guard text.hasPrefix("data:"), !text.hasSuffix("\n\n") else { return body }
    guard let end = text.ranges(of: "\n\n").last?.upperBound else { return [] }
    return Array(text[..<end].utf8)
  }

  /// What is wrong with a reply, next to the vendor's result.
  func difference(_ reply: ReplayedReply, _ recording: Recordings.Recording, _ final: JSONValue) -> String? {
    let wanted = joined(final["parts_in_order"]?.arrayValue ?? [])
    let got = parts(reply)
    if got != wanted { return "\n got \(got.text())\nwant \(wanted.text())" }
    let body = String(decoding: recording.body, as: UTF8.self)
    guard let stop = stopReason(final) else {
      if body.contains("\"blockReason\"") { return reply.stopReason == .refusal ? nil : "not a refusal" }
      // The vendor's client lets cut streams and errors pass as replies.
      guard let error = reply.error else { return "neither finished nor failed" }
      return (error.code == .truncatedStream) != body.contains("\"error\"") ? nil : "\(error)"
    }
    if let error = reply.error { return "\(error)" }
    if reply.stopReason?.rawValue != stop {
      return "stopped for \(reply.stopReason?.rawValue ?? "nothing"), not \(stop)"
    }
    guard let counts = final["last"]?["usageMetadata"], counts["promptTokenCount"] != nil else { return nil }
    func count(_ key: String) -> Int { counts[key]?.intValue ?? 0 }
    let usage = Usage(
      input: count("promptTokenCount") + count("toolUsePromptTokenCount"),
      cachedInput: count("cachedContentTokenCount"),
      output: count("candidatesTokenCount") + count("thoughtsTokenCount"), reasoning: count("thoughtsTokenCount"))
    return usage == reply.usage ? nil : "used \(reply.usage), not \(usage)"
  }

  @Test(.enabled(if: Recordings.directory != nil, "skipped: there are no recordings beside the package"))
  func `recorded streams assemble to what came in them`() async throws {
    let recordings = try Recordings.indexed { api, isStream, status in
      (api == "streamGenerateContent" || api == "generateContent") && isStream && status == 200
    }.filter { $0.final?["parts_in_order"] != nil }
    var equal = 0
    for var recording in recordings {
      guard let final = recording.final else { continue }
      recording.body = ended(recording.body)
      var isEqual = true
      for way in ReplayedReply.Way.allCases {
        let reply = await ReplayedReply(recording.body, way, errors: GeminiErrors()) {
          GeminiStreamDecoder(model: "gemini")
        }
        guard let difference = difference(reply, recording, final) else { continue }
        isEqual = false
        Issue.record("\(recording.id), \(way): \(difference)")
        break
      }
      if isEqual { equal += 1 }
    }
    print("gemini: \(equal) of \(recordings.count) streams equal")
    #expect(equal == recordings.count && equal > 0)
  }

  @Test(.enabled(if: Recordings.directory != nil, "skipped: there are no recordings beside the package"))
  func `recorded errors become typed errors`() async throws {
    let recordings = try Recordings.indexed { api, _, status in
      (api == "streamGenerateContent" || api == "generateContent") && status >= 400
    }
    var right = 0
    for recording in recordings {
      let error = GeminiErrors().error(
        status: recording.status, headers: ["content-type": "application/json"], body: recording.body, now: 0)
      let mayPass = [408, 409, 429].contains(recording.status) || recording.status >= 500
      let isRight =
        error.status == recording.status && error.providerCode != nil
        && error.isRetryable == (mayPass && error.code != .quotaExceeded) && error.code != .invalidResponse
      #expect(isRight, "\(recording.id): \(error)")
      if isRight { right += 1 }
    }
    print("gemini: \(right) of \(recordings.count) errors right")
    #expect(right == recordings.count)
  }
}
