import Foundation
import MartletJSON
import MartletTesting
import Testing

/// Requests that the real services took or refused, from recordings kept outside of the package.
@Suite(.enabled(if: Recordings.directory != nil, "no recordings: set MARTLET_SHARED to the directory that holds them"))
struct RecordedRequestTests {
  @Test(arguments: [
    ("anthropic", "messages"), ("openai-chat", "chat.completions"), ("openai-responses", "responses"),
    ("gemini", "generateContent"), ("ollama", "api/chat"),
  ])
  func `what a service took breaks no rule`(_ provider: String, _ api: String) throws {
    let recordings = try Recordings.all(provider: provider, api: api).filter { $0.status == 200 }
    #expect(recordings.count > 3)
    for recording in recordings {
      let violations = try recording.violations()
      #expect(violations == [], "\(recording.id)")
    }
  }

  @Test(arguments: [
    ("openai-chat/0089", "content_parts"), ("openai-chat/0166", "instruction_roles"),
    ("openai-chat/0167", "instruction_roles"), ("openai-responses/0284", "reasoning_followed"),
  ])
  func `what a service refused is refused in its words`(_ id: String, _ rule: String) throws {
    let recording = try Recordings.recording(id)
    let violation = try #require(try recording.violations().first)
    let error = try #require(recording.response["error"])
    #expect(violation.rule == rule)
    #expect(violation.status == recording.status)
    #expect(violation.message == error["message"]?.stringValue)
    #expect(violation.type == error["type"]?.stringValue)
    #expect(violation.code == error["code"]?.stringValue)
    #expect(violation.param == error["param"]?.stringValue)
  }
}

/// An exchange with a real service.
struct Recording {
  let id: String
  let provider: String
  let status: Int
  let url: String
  let headers: JSONValue
  let body: JSONValue
  let response: JSONValue

  func violations() throws -> [RuleViolation] {
    switch provider {
    case "anthropic":
      AnthropicRules.check(request: body, version: headers["anthropic-version"]?.stringValue ?? "2023-06-01")
    case "openai-chat": OpenAIChatRules.check(request: body)
    case "openai-responses": OpenAIResponsesRules.check(request: body)
    case "gemini":
      GeminiRules.check(
        request: body, model: url.split(separator: "/").last?.split(separator: ":").first.map(String.init) ?? "")
    default: OllamaRules.check(request: body)
    }
  }
}

enum Recordings {
  static let directory: String? = {
    let place = ProcessInfo.processInfo.environment["MARTLET_SHARED"] ?? "../shared"
    let directory = place + "/recorded"
    return FileManager.default.fileExists(atPath: directory + "/INDEX.tsv") ? directory : nil
  }()

  private static func read(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: (directory ?? "") + "/" + file)))
  }

  static func all(provider: String, api: String) throws -> [Recording] {
    let lines = try read("INDEX.tsv").split { $0 == 0x0A || $0 == 0x0D }
    let entries = lines.map { $0.split(separator: 0x09, omittingEmptySubsequences: false) }
    // Other kinds were put together by hand.
    let chosen = entries.filter {
      $0.count > 5 && $0[1].elementsEqual(provider.utf8) && $0[2].elementsEqual(api.utf8)
        && $0[4].elementsEqual("exchange".utf8)
    }
    return try chosen.map { try recording(String(decoding: $0[0], as: UTF8.self)) }
      .filter { $0.body.objectValue != nil }
  }

  static func recording(_ id: String) throws -> Recording {
    let file = try JSONValue(parsing: read(id + ".json"))
    let request = file["request"] ?? .null
    let status = file["response"]?["status"]?.intValue ?? 0
    var response = file["response"]?["body"] ?? .null
    if status >= 400, let text = response.stringValue { response = try JSONValue(parsing: text) }
    var body = request["body"] ?? .null
    if let text = body.stringValue, text.hasPrefix("{") { body = try JSONValue(parsing: text) }
    return Recording(
      id: id, provider: String(id.split(separator: "/")[0]), status: status, url: request["url"]?.stringValue ?? "",
      headers: request["headers"] ?? .null, body: body, response: response)
  }
}
