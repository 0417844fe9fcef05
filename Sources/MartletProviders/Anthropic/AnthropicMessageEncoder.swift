import Martlet
import MartletJSON

/// Writes messages as the Messages API wants them.
///
/// Results stand first in the user message after their calls, in call order; thinking and opaque blocks go only to the
/// model or provider that made them; nothing is empty; ids that Anthropic's pattern does not allow are replaced, the same
/// in call and result.
struct AnthropicMessageEncoder: MessageEncoder {
  let model: String
  private let names = WireNames()
  private var ids = WireIds(maxLength: 64)
  private var images = AnthropicImages()
  /// The toolsets that calls belong to, by their ids: results name them too.
  private var toolsets: [String: JSONValue] = [:]

  private static let media = MediaRules(
    imageLength: 10 << 20, longestSide: 8_000, imageAddresses: .https, fileTypes: [MediaRules.pdf],
    takesFileAddresses: true)

  init(model: String) { self.model = model }

  /// A reply that a server tool has not finished, and the results after it: whether they can stand depends on what follows.
  private var paused: [Message] = []

  mutating func encode(_ message: Message, next: Message?, into segments: inout [[UInt8]]) {
    if message.role == .tool, paused.count == 1 {
      paused.append(message)
      return
    }
    if !paused.isEmpty {
      // The service goes on with such a reply when nothing new is said; else it refuses the open use of its tool.
      let goesOn =
        message.role == .assistant
        && paused.allSatisfy { Self.openServerTools($0).isSubset(of: Self.serverToolResults(message)) }
      for held in paused { append(goesOn ? held : Self.withoutOpenServerTools(held), into: &segments) }
      paused = []
    }
    if Self.hasOpenServerTools(message) { paused = [message] } else { append(message, into: &segments) }
  }

  var closing: [[UInt8]] {
    guard !paused.isEmpty else { return [] }
    var copy = self
    var segments: [[UInt8]] = []
    for held in paused { copy.append(held, into: &segments) }
    return segments
  }

  private mutating func append(_ message: Message, into segments: inout [[UInt8]]) {
    let role: String
    switch message.role {
    case .assistant: role = "assistant"
    case .user, .tool, .system: role = "user"
    }
    var content: [JSONValue] = []
    for block in message.content {
      if let wire = wire(block, isReply: message.role == .assistant) { content.append(wire) }
    }
    guard !content.isEmpty else { return }
    // A system message in mid-conversation is only taken by some models, so its text goes as the user's, marked.
    if message.role == .system {
      content = [["type": "text", "text": .string("<system>\(message.text)</system>")]]
    }
    segments.append(JSONValue.object(["role": .string(role), "content": .array(content)]).bytes())
  }

  private mutating func wire(_ block: ContentBlock, isReply: Bool) -> JSONValue? {
    let own = block.extra.flatMap { $0.provider == Anthropic.provider ? $0 : nil }
    switch block.kind {
    case .text(let text):
      // Citations belong to the model's own text, and stay also where that is none.
      let citations = isReply ? own?.value["citations"]?.arrayValue ?? [] : []
      guard !text.isBlank || !citations.isEmpty else { return nil }
      var object: JSONObject = ["type": "text", "text": .string(text)]
      if !citations.isEmpty { object["citations"] = .array(citations) }
      return .object(object)
    case .thinking(let thinking):
      guard let own, own.model == nil || own.model == model else { return nil }
      if thinking.redacted { return ["type": "redacted_thinking", "data": own.value["data"] ?? ""] }
      guard let signature = own.value["signature"] else { return nil }
      return ["type": "thinking", "thinking": .string(thinking.text), "signature": signature]
    case .toolCall(let call):
      var object: JSONObject = [
        "type": "tool_use", "id": .string(ids.wire(call.id)), "name": .string(names.wire(call.name)),
      ]
      switch call.arguments {
      case .object(let arguments): object["input"] = .object(arguments)
      case .unparsed(let text, _): object["input"] = ["unreadable_arguments": .string(text)]
      }
      for (key, value) in own?.value.objectValue ?? [:] where object[key] == nil && key != "call_id" {
        object[key] = value
      }
      toolsets[call.id] = object["toolset_name"]
      return .object(object)
    case .toolResult(let result):
      var object: JSONObject = ["type": "tool_result", "tool_use_id": .string(ids.wire(result.callId))]
      if let toolset = toolsets[result.callId] { object["toolset_name"] = toolset }
      object["content"] = .array(resultContent(result))
      if result.isError { object["is_error"] = true }
      return .object(object)
    case .media(let media):
      // A model of another maker may have made an image; Anthropic's replies hold none.
      return isReply ? text(media.placeholder) : wire(media)
    case .opaque(let opaque):
      guard opaque.provider == Anthropic.provider else { return nil }
      return opaque.value
    case .unknown: return nil
    }
  }

  private mutating func resultContent(_ result: ToolResult) -> [JSONValue] {
    var content: [JSONValue] = []
    for block in result.content {
      switch block.kind {
      case .text(let text): if !text.isBlank { content.append(["type": "text", "text": .string(text)]) }
      case .media(let media):
        // A failure is told in words.
        content.append(result.isError ? text(media.placeholder) : wire(media))
      default: break
      }
    }
    return content.isEmpty ? [text("(no output)")] : content
  }

  /// Images, PDF files and texts; what Anthropic does not take is named in a text instead.
  private mutating func wire(_ media: Media) -> JSONValue {
    switch Self.media.form(of: media) {
    case .image(let media, let facts):
      guard images.admit(side: facts?.longestSide ?? 0) else {
        return text("[image \(media.name ?? media.mimeType), not shown: there are as many images before as fit]")
      }
      return ["type": "image", "source": source(media)]
    case .file(let media): return document(source(media), name: media.name)
    case .document(let text, let name):
      return document(["type": "text", "media_type": "text/plain", "data": .string(text)], name: name)
    case .sound(let media): return text(media.placeholder)
    case .words(let words): return text(words)
    }
  }

  private func text(_ text: String) -> JSONValue { ["type": "text", "text": .string(text)] }

  private func source(_ media: Media) -> JSONValue {
    switch media.source {
    case .data(let base64): ["type": "base64", "media_type": .string(media.mimeType), "data": .string(base64)]
    case .url(let url): ["type": "url", "url": .string(url)]
    case .fileId(let id), .blob(let id, _): ["type": "file", "file_id": .string(id)]
    }
  }

  private func document(_ source: JSONValue, name: String?) -> JSONValue {
    var object: JSONObject = ["type": "document", "source": source]
    if let name, !name.isBlank { object["title"] = .string(name) }
    return .object(object)
  }

  /// Whether the turn at hand began with a reply that calls tools and has no thinking of this model before: where thinking
  /// has a budget, such a turn cannot go on with it.
  static func beginsWithoutThinking(_ messages: MessageHistory, model: String) -> Bool {
    var first: Message?
    for message in messages.reversed() {
      if message.role == .user || message.role == .system { break }
      if message.role == .assistant { first = message }
    }
    guard let first, !first.toolCalls.isEmpty else { return false }
    guard let block = first.content.first, case .thinking = block.kind, let extra = block.extra else { return true }
    return extra.provider != Anthropic.provider || (extra.model ?? model) != model
  }

  // MARK: - Server tools

  private static func hasOpenServerTools(_ message: Message) -> Bool {
    message.role == .assistant && !openServerTools(message).isEmpty
  }

  private static func withoutOpenServerTools(_ message: Message) -> Message {
    let open = openServerTools(message)
    return Message(
      role: message.role,
      content: message.content.filter { block in
        guard case .opaque(let opaque) = block.kind, let id = opaque.value["id"]?.stringValue else { return true }
        return !open.contains(id)
      })
  }

  private static func serverToolResults(_ message: Message) -> Set<String> {
    Set(
      message.content.compactMap { block in
        if case .opaque(let opaque) = block.kind { opaque.value["tool_use_id"]?.stringValue } else { nil }
      })
  }

  /// Uses of the service's own tools that have no result in the same reply.
  private static func openServerTools(_ message: Message) -> Set<String> {
    var open: Set<String> = []
    for case .opaque(let opaque) in message.content.lazy.map(\.kind) where opaque.provider == Anthropic.provider {
      if let id = opaque.value["tool_use_id"]?.stringValue { open.remove(id) }
      switch opaque.value["type"]?.stringValue {
      case "server_tool_use", "mcp_tool_use": if let id = opaque.value["id"]?.stringValue { open.insert(id) }
      default: break
      }
    }
    return open
  }
}
