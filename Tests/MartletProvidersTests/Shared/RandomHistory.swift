import Martlet
import MartletJSON
import MartletTesting

/// Conversations as no loop would make them: calls without results, results without calls, in any order, empty texts,
/// media anywhere, ids of any form, blocks of other providers.
struct RandomHistory {
  private var random: SeededGenerator
  private var ids: [String] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let tools = [
    "echo", "mcp__server.example/tool:with spaces", String(repeating: "very_long_", count: 12) + "a",
    String(repeating: "very_long_", count: 12) + "b", "",
  ]

  /// Some messages.
  mutating func messages() -> [Message] {
    (0..<Int.random(in: 0...10, using: &random)).map { _ in message() }
  }

  private mutating func message() -> Message {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return Message(role: .system, content: blocks(0...2) { $0.text() })
    case 1...3: return Message(role: .user, content: blocks(0...3) { $0.userBlock() })
    case 4...6: return Message(role: .assistant, content: blocks(0...5) { $0.replyBlock() })
    default: return Message(role: .tool, content: blocks(0...4) { $0.resultBlock() })
    }
  }

  private mutating func blocks(
    _ count: ClosedRange<Int>, _ make: (inout Self) -> ContentBlock
  ) -> [ContentBlock] {
    (0..<Int.random(in: count, using: &random)).map { _ in make(&self) }
  }

  private mutating func text() -> ContentBlock {
    .text(random.pick(["Hello", "", "  \n", "a \"quoted\" \u{2028} text", "Grüße 😀", "Error: no"]))
  }

  private mutating func media() -> ContentBlock {
    .media(
      random.pick([
        Media(kind: .image, mimeType: "image/png", source: .data(base64: "iVBORw0KGgo=")),
        Media(kind: .image, mimeType: "image/png", name: "a.png", source: .url("https://example.com/a.png")),
        Media(kind: .audio, mimeType: "audio/wav", source: .data(base64: "UklGRg==")),
        Media(kind: .file, mimeType: "application/pdf", name: "a.pdf", source: .data(base64: "JVBERi0=")),
        Media(kind: .file, mimeType: "application/zip", source: .fileId("file-1")),
        Media(kind: .image, mimeType: "image/png", source: .blob(id: "b", size: 1)),
      ]))
  }

  private mutating func userBlock() -> ContentBlock {
    switch Int.random(in: 0..<8, using: &random) {
    case 0...1: media()
    case 2: resultBlock()
    default: text()
    }
  }

  private mutating func replyBlock() -> ContentBlock {
    let provider = random.pick(["openai", "mistral", "deepseek", "openrouter", "ollama", "anthropic"])
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      return ContentBlock(
        .thinking(Thinking(text: random.pick(["", "Hm."]))),
        extra: random.chance(0.8)
          ? BlockExtra(provider: provider, value: ["field": "reasoning_content", "signature": "c2ln"]) : nil)
    case 1: return ContentBlock(.opaque(OpaqueBlock(provider: provider, value: ["type": "server_tool_use"])))
    case 2: return random.chance(0.3) ? media() : text()
    case 3...5: return text()
    default: return call()
    }
  }

  private mutating func call() -> ContentBlock {
    let id =
      random.chance(0.2) && !ids.isEmpty
      ? random.pick(ids)
      : random.pick(["call_", "", "functions.a:", "tooluse_é", String(repeating: "x", count: 60)])
        + "\(Int.random(in: 0..<1_000, using: &random))"
    ids.append(id)
    let arguments: ToolCall.Arguments =
      random.chance(0.2) ? .unparsed(text: #"{"a":"#, reason: "cut") : .object(["a": [1, "b"]])
    return ContentBlock(
      .toolCall(ToolCall(id: id, name: random.pick(Self.tools), arguments: arguments)),
      extra: random.chance(0.2) ? BlockExtra(provider: "openai", value: ["call_id": "x", "id": "y"]) : nil)
  }

  private mutating func resultBlock() -> ContentBlock {
    if random.chance(0.1) { return text() }
    let id = random.chance(0.85) && !ids.isEmpty ? random.pick(Array(ids.suffix(4))) : "nobody"
    return .toolResult(
      ToolResult(
        callId: id, name: random.pick(Self.tools),
        content: blocks(0...2) { $0.random.chance(0.3) ? $0.media() : $0.text() },
        isError: random.chance(0.2)))
  }
}
