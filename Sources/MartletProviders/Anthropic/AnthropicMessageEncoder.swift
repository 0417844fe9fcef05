import Martlet
import MartletJSON

/// Writes messages as the Messages API wants them.
///
/// Results stand first in the user message after their calls, in call order; thinking and opaque blocks go only to the
/// model or provider that made them; nothing is empty; ids that Anthropic's pattern does not allow are replaced, the same
/// in call and result.
struct AnthropicMessageEncoder: MessageEncoder {
  let model: String
  private var ids = WireIds(
    isAllowed: { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }, maxLength: 64)

  init(model: String) { self.model = model }

  mutating func encode(_ message: Message, next: Message?, into segments: inout [[UInt8]]) {
    let role: String
    switch message.role {
    case .assistant: role = "assistant"
    case .user, .tool, .system: role = "user"
    }
    var content: [JSONValue] = []
    for block in message.content { if let wire = wire(block) { content.append(wire) } }
    guard !content.isEmpty else { return }
    // A system message in mid-conversation is only taken by some models, so its text goes as the user's, marked.
    if message.role == .system {
      content = [["type": "text", "text": .string("<system>\(message.text)</system>")]]
    }
    segments.append(JSONValue.object(["role": .string(role), "content": .array(content)]).bytes())
  }

  private mutating func wire(_ block: ContentBlock) -> JSONValue? {
    let own = block.extra.flatMap { $0.provider == Anthropic.provider ? $0 : nil }
    switch block.kind {
    case .text(let text):
      guard text.contains(where: { !$0.isWhitespace }) else { return nil }
      var object: JSONObject = ["type": "text", "text": .string(text)]
      if let citations = own?.value["citations"] { object["citations"] = citations }
      return .object(object)
    case .thinking(let thinking):
      guard let own, own.model == nil || own.model == model else { return nil }
      if thinking.redacted { return ["type": "redacted_thinking", "data": own.value["data"] ?? ""] }
      guard let signature = own.value["signature"] else { return nil }
      return ["type": "thinking", "thinking": .string(thinking.text), "signature": signature]
    case .toolCall(let call):
      var object: JSONObject = ["type": "tool_use", "id": .string(ids.wire(call.id)), "name": .string(call.name)]
      switch call.arguments {
      case .object(let arguments): object["input"] = .object(arguments)
      case .unparsed(let text, _): object["input"] = ["unreadable_arguments": .string(text)]
      }
      for (key, value) in own?.value.objectValue ?? [:] where object[key] == nil && key != "call_id" {
        object[key] = value
      }
      return .object(object)
    case .toolResult(let result):
      var object: JSONObject = ["type": "tool_result", "tool_use_id": .string(ids.wire(result.callId))]
      object["content"] = .array(resultContent(result))
      if result.isError { object["is_error"] = true }
      return .object(object)
    case .media(let media): return Self.wire(media)
    case .opaque(let opaque): return opaque.provider == Anthropic.provider ? opaque.value : nil
    case .unknown: return nil
    }
  }

  private func resultContent(_ result: ToolResult) -> [JSONValue] {
    let content = result.content.compactMap { block -> JSONValue? in
      switch block.kind {
      case .text(let text): text.contains { !$0.isWhitespace } ? ["type": "text", "text": .string(text)] : nil
      case .media(let media): Self.wire(media)
      default: nil
      }
    }
    return content.isEmpty ? [["type": "text", "text": "(no output)"]] : content
  }

  /// Images and PDF files; what Anthropic does not take is named in a text instead.
  private static func wire(_ media: Media) -> JSONValue {
    let source: JSONValue
    switch media.source {
    case .data(let base64): source = ["type": "base64", "media_type": .string(media.mimeType), "data": .string(base64)]
    case .url(let url): source = ["type": "url", "url": .string(url)]
    case .fileId(let id): source = ["type": "file", "file_id": .string(id)]
    case .blob(let id, let size):
      return [
        "type": "text", "text": .string("[\(media.kind.rawValue) \(media.name ?? id), \(size) bytes, not loaded]"),
      ]
    }
    switch media.kind {
    case .image: return ["type": "image", "source": source]
    case .file where media.mimeType == "application/pdf" || media.mimeType.hasPrefix("text/"):
      var object: JSONObject = ["type": "document", "source": source]
      if let name = media.name { object["title"] = .string(name) }
      return .object(object)
    case .file, .audio:
      return [
        "type": "text",
        "text": .string("[\(media.kind.rawValue) \(media.name ?? media.mimeType): this model cannot read it]"),
      ]
    }
  }
}
