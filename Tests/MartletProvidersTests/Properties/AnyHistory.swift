import Martlet
import MartletJSON
import MartletTesting

/// Conversations of every sort, valid or not: what any maker may have left in a log, cut and assigned by anybody.
struct AnyHistory {
  private var random: SeededGenerator
  private let models: [(provider: String, model: String)] = [
    ("openai", "gpt-5.5"), ("gemini", "gemini-3-flash"), ("anthropic", "claude-opus-5"), ("openai-chat", "m"),
    ("openai", "gpt-4o"), ("gemini", "gemini-2.5-pro"),
  ]
  private var open: [ToolCall] = []
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
    case 0: return Message(role: .user, content: blocks(random.pick([0, 1, 1, 2])))
    case 1: return reply()
    case 2: return results()
    default: return Message(role: .system, content: [.text(text())])
    }
  }

  private mutating func text() -> String {
    random.pick(["Hello.", "", "  \n", "Grüße, 世界 👋", "{\"a\": 1}", "line\u{2028}separator", "\u{0}\u{1F}"])
  }

  private mutating func blocks(_ count: Int) -> [ContentBlock] {
    (0..<count).map { _ in
      random.chance(0.7) ? .text(text()) : .media(media())
    }
  }

  private mutating func media() -> Media {
    let source: Media.Source = random.pick([
      .data(base64: "iVBORw0KGgo="), .url("https://example.com/a.png"), .fileId("file_1"), .blob(id: "b", size: 9),
    ])
    return random.pick([
      Media(kind: .image, mimeType: "image/png", source: source),
      Media(kind: .file, mimeType: "application/pdf", name: "a.pdf", source: source),
      Media(kind: .file, mimeType: "application/zip", source: source),
      Media(kind: .audio, mimeType: "audio/wav", source: source),
    ])
  }

  private mutating func id() -> String {
    count += 1
    return random.pick([
      "call_\(count)", "call_\(count)", "toolu_\(count)", "", "call_1", "functions.echo:\(count)",
      String(repeating: "x", count: 70) + "\(count)", "é\(count)",
    ])
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
    let name = random.pick(["echo", "echo", "", "files/read", String(repeating: "n", count: 80), "9lives", "a b"])
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
    default: value = ["signature": "c2ln"]
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
          ["item": [:], "custom": true],
        ]))
    case "gemini":
      BlockExtra(
        provider: provider, model: model,
        value: random.pick([["part": ["thoughtSignature": "c2ln"]], ["call": ["id": "g1"]], [:]]))
    default: nil
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
