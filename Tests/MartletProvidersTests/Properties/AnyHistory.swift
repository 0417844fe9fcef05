import Foundation
import Martlet
import MartletJSON
import MartletTesting

@testable import MartletProviders

/// Conversations of every sort, valid or not: what any maker may have left in a log, cut and assigned by anybody. Calls
/// without results, results without calls, in any order and under any id, empty texts, media of every sort anywhere.
struct AnyHistory {
  private var random: SeededGenerator
  private let models: [(provider: String, model: String)] = [
    ("openai", "gpt-5.5"), ("gemini", "gemini-3-flash"), ("anthropic", "claude-opus-5"), ("openai-chat", "m"),
    ("openai", "gpt-4o"), ("gemini", "gemini-2.5-pro"), ("mistral", "mistral-large-latest"),
    ("deepseek", "deepseek-chat"), ("openrouter", "m"), ("ollama", "qwen3"),
  ]
  /// Names of tools that were offered, and of some that never were.
  static let tools = [
    "echo", "echo", "", "files/read", "9lives", "a b", "mcp__server.example/tool:with spaces",
    String(repeating: "n", count: 80), String(repeating: "very_long_", count: 12) + "a",
    String(repeating: "very_long_", count: 12) + "b",
  ]
  private var open: [ToolCall] = []
  private var ids: [String] = []
  private var count = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A conversation.
  mutating func messages() -> [Message] {
    (0..<random.pick([0, 1, 2, 4, 8, 16])).map { _ in message() }
  }

  private mutating func message() -> Message {
    // Mostly in the order that makes sense.
    if !open.isEmpty, random.chance(0.8) { return results() }
    switch random.pick([0, 0, 1, 1, 1, 2, 3]) {
    case 0:
      var content = blocks(random.pick([0, 1, 1, 2]))
      if random.chance(0.1) { content += results().content }
      return Message(role: .user, content: content)
    case 1: return reply()
    case 2: return results()
    default: return Message(role: .system, content: [.text(text())])
    }
  }

  private mutating func text() -> String {
    random.pick([
      "Hello.", "", "  \n", "Grüße, 世界 👋", "{\"a\": 1}", "line\u{2028}separator", "\u{0}\u{1F}", "Error: no",
    ])
  }

  private mutating func blocks(_ count: Int) -> [ContentBlock] {
    (0..<count).map { _ in
      random.chance(0.7) ? .text(text()) : .media(media())
    }
  }

  private mutating func media() -> Media {
    let source: Media.Source = random.pick([
      .data(base64: Self.image("image/png", 9, 9)), .url("https://example.com/a.png"), .fileId("file_1"),
      .blob(id: "b", size: 9), .url("http://example.com/a.png"), .data(base64: ""), .data(base64: "JVBERi0xLjc="),
      .data(base64: "no base64 {}"), .data(base64: "aGVsbG8="), .url("data:image/png;base64,iVBORw0KGgo="),
    ])
    let image = random.pick(["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml", "image/bmp", ""])
    return random.pick([
      Media(kind: .image, mimeType: image, source: source),
      Media(
        kind: .image, mimeType: image,
        source: .data(
          base64: Self.image(
            random.pick(["image/png", "image/jpeg", "image/gif"]), random.pick([1, 1_500, 3_000, 9_000]), 70))),
      Media(kind: .file, mimeType: MediaRules.pdf, name: "a.pdf", source: source),
      Media(kind: .file, mimeType: random.pick(["text/csv", "application/json"]), name: "a.txt", source: source),
      Media(kind: .file, mimeType: "application/zip", source: source),
      Media(kind: .audio, mimeType: random.pick(["audio/wav", "audio/mpeg", "audio/x-odd"]), source: source),
    ])
  }

  /// The beginning of an image of a size, as base64.
  static func image(_ type: String, _ width: Int, _ height: Int) -> String {
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    let bytes: [UInt8] =
      switch type {
      case "image/png":
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + big(width, 4)
          + big(height, 4) + [8, 6, 0, 0, 0]
      case "image/jpeg":
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 17, 8] + big(height, 2) + big(width, 2) + [3, 1, 2]
      default: Array("GIF89a".utf8) + big(width, 2).reversed() + big(height, 2).reversed() + [0, 0]
      }
    return Data(bytes).base64EncodedString()
  }

  private mutating func id() -> String {
    count += 1
    if random.chance(0.1), !ids.isEmpty { return random.pick(ids) }
    let id = random.pick([
      "call_\(count)", "call_\(count)", "toolu_\(count)", "", "call_1", "functions.echo:\(count)",
      String(repeating: "x", count: 70) + "\(count)", "é\(count)",
    ])
    ids.append(id)
    return id
  }

  /// A reply of one maker.
  private mutating func reply() -> Message {
    let (provider, model) = random.pick(models)
    var content: [ContentBlock] = []
    open = []
    for _ in 0..<random.pick([0, 1, 2, 3, 4]) {
      count += 1
      switch random.pick([0, 0, 1, 1, 2, 3, 4]) {
      case 0: content.append(random.chance(0.3) ? .text(text()) : said(provider, model))
      case 1:
        let call = call()
        open.append(call)
        content.append(ContentBlock(.toolCall(call), extra: callExtra(provider, model)))
      case 2: content.append(thought(provider, model))
      case 3: content.append(opaque(provider, model))
      default: content.append(random.chance(0.5) ? .media(media()) : ContentBlock(.unknown(["type": "later"])))
      }
    }
    return Message(role: .assistant, content: content)
  }

  private mutating func call() -> ToolCall {
    let name = random.pick(Self.tools)
    if random.chance(0.2) { return ToolCall(id: id(), name: name, argumentsText: "{\"cut") }
    return ToolCall(id: id(), name: name, arguments: random.pick([[:], ["text": "hi"], ["n": 1, "deep": ["a": []]]]))
  }

  private mutating func results() -> Message {
    var answered = open
    open = []
    if random.chance(0.2) { answered.reverse() }
    if random.chance(0.2), !answered.isEmpty { answered.removeLast() }
    if random.chance(0.1) { answered.append(ToolCall(id: "stray", name: "echo")) }
    if random.chance(0.1) { answered += answered }
    var content = answered.map { call in
      ContentBlock.toolResult(
        ToolResult(
          callId: call.id, name: call.name, content: blocks(random.pick([0, 1, 1, 1, 2])), isError: random.chance(0.2)))
    }
    if random.chance(0.1) { content.append(.text("steering")) }
    return Message(role: .tool, content: content)
  }

  // MARK: - What makers attach

  private mutating func said(_ provider: String, _ model: String) -> ContentBlock {
    let text = text()
    switch provider {
    case "openai":
      let id = random.pick(["msg_\(count)", "msg_\(count)", "msg_1", "tmp-7"])
      return ContentBlock(
        .text(text),
        extra: BlockExtra(
          provider: provider,
          value: [
            "item": ["id": .string(id), "status": "completed"], "part": random.pick([[:], ["type": "refusal"]]),
          ]))
    case "gemini":
      return ContentBlock(
        .text(text), extra: BlockExtra(provider: provider, model: model, value: ["part": ["thoughtSignature": "c2ln"]]))
    case "anthropic":
      return ContentBlock(
        .text(text), extra: BlockExtra(provider: provider, value: ["citations": [["type": "page_location"]]]))
    case "openai-chat", "deepseek":
      return ContentBlock(
        .text(text), extra: random.chance(0.2) ? BlockExtra(provider: provider, value: ["refusal": true]) : nil)
    default: return .text(text)
    }
  }

  private mutating func thought(_ provider: String, _ model: String) -> ContentBlock {
    let value: JSONValue
    switch provider {
    case "openai":
      value = random.pick([
        ["item": ["id": .string("rs_\(count)"), "summary": [], "encrypted_content": "gAAA"]],
        ["item": ["id": "rs_1", "summary": [], "encrypted_content": "gAAA"]],
        ["item": ["id": .string("rs_\(count)"), "summary": [["type": "summary_text", "text": "Hm."]]]],
        ["item": ["summary": [], "content": [["type": "reasoning_text", "text": "Hm."]]]],
      ])
    case "gemini": value = random.pick([["part": ["thoughtSignature": "c2ln"]], [:]])
    case "anthropic": value = ["signature": "c2ln"]
    default:
      value = random.pick([
        ["field": "reasoning_content"], ["field": "reasoning"],
        ["reasoning_details": [["type": "reasoning.text", "text": "Hm."]]],
      ])
    }
    return ContentBlock(
      .thinking(Thinking(text: random.pick(["", "Hm."]))),
      extra: random.chance(0.9) ? BlockExtra(provider: provider, model: model, value: value) : nil)
  }

  private mutating func callExtra(_ provider: String, _ model: String) -> BlockExtra? {
    switch provider {
    case "openai":
      BlockExtra(
        provider: provider,
        value: random.pick([
          ["item": ["id": .string("fc_\(count)")]], ["item": ["id": "fc_1"]], ["item": ["id": "call-1"]],
          ["item": [:], "custom": true], ["item": ["id": "sh_1"], "builtin": "shell_call"],
          ["item": ["id": .string("lsh_\(count)")], "builtin": "local_shell_call"],
        ]))
    case "gemini":
      BlockExtra(
        provider: provider, model: model,
        value: random.pick([["part": ["thoughtSignature": "c2ln"]], ["call": ["id": "g1"]], [:]]))
    case "anthropic": BlockExtra(provider: provider, value: ["toolset_name": "browser"])
    default: random.chance(0.2) ? BlockExtra(provider: provider, value: ["call_id": "x", "id": "y"]) : nil
    }
  }

  private mutating func opaque(_ provider: String, _ model: String) -> ContentBlock {
    let value: JSONValue
    switch provider {
    case "openai":
      value = random.pick([
        ["type": "web_search_call", "id": .string("ws_\(count)"), "status": "completed"],
        ["type": "web_search_call", "id": "ws_1", "status": "completed"],
        ["type": "shell_call", "id": .string("sh_\(count)"), "call_id": "c1"],
        ["type": "tool_search_output", "call_id": "c2", "tools": []],
      ])
    case "gemini": value = random.pick([["executableCode": ["code": "1"]], ["toolCall": ["id": "t"]]])
    default:
      value = ["type": "server_tool_use", "id": .string("srvtoolu_\(count)"), "name": "web_search", "input": [:]]
    }
    return ContentBlock(.opaque(OpaqueBlock(provider: provider, value: value)))
  }
}
