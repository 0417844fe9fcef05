import Martlet
import MartletJSON

/// Writes messages as the input items of the Responses API.
///
/// Nothing refers to what the service may have stored: items of this API go back whole, reasoning with its encrypted content
/// and only to its model, and only before the item that followed it.
struct OpenAIResponsesMessageEncoder: MessageEncoder {
  let model: String
  private let names = WireNames()
  private var ids = WireIds(maxLength: 64)
  /// Types of the results of calls that are no functions', by their wire ids.
  private var answers: [String: String] = [:]
  private var usedItemIds: Set<String> = []

  init(model: String) { self.model = model }

  mutating func encode(_ message: Message, next: Message?, into segments: inout [[UInt8]]) {
    switch message.role {
    case .assistant:
      for item in acceptable(items(of: message)) { segments.append(JSONValue.object(item).bytes()) }
    case .tool:
      for result in message.toolResults { segments.append(output(of: result).bytes()) }
    case .user, .system:
      let content = message.content.compactMap(inputPart)
      guard !content.isEmpty else { return }
      segments.append(
        JSONValue.object(["role": message.role == .system ? "system" : "user", "content": .array(content)]).bytes())
    }
  }

  // MARK: - Replies

  /// The items of a reply, as they came.
  mutating func items(of message: Message) -> [JSONObject] {
    var items: [JSONObject] = []
    for block in message.content {
      let own = OpenAIItem.own(block)
      switch block.kind {
      case .text(let text):
        if let own, let item = OpenAIItem.message(text, own) {
          if own["index"] != nil, let last = items.indices.last, items[last]["id"] == item["id"],
            items[last]["type"] == "message", let parts = items[last]["content"]?.arrayValue, let part = own["part"]
          {
            items[last]["content"] = .array(parts + [OpenAIItem.part(text, part)])
          } else {
            items.append(item)
          }
        } else if text.contains(where: { !$0.isWhitespace }) {
          items.append(["role": "assistant", "content": .string(text)])
        }
      case .thinking:
        if let own, block.extra?.model == model, let item = OpenAIItem.reasoning(own) { items.append(item) }
      case .toolCall(let call):
        let id = ids.wire(call.id)
        let item = OpenAIItem.call(call, id: id, name: names.wire(call.name), own: own)
        let type = item["type"]?.stringValue ?? ""
        answers[id] = type == "custom_tool_call" ? "custom_tool_call_output" : OpenAIClientTools.answers[type]
        items.append(item)
      case .opaque(let opaque):
        if opaque.provider == OpenAIResponses.provider, let item = opaque.value.objectValue { items.append(item) }
      case .media(let media): items.append(["role": "assistant", "content": .string(media.placeholder)])
      case .toolResult, .unknown: break
      }
    }
    return items
  }

  /// Of a reply's items those that the service takes back.
  private mutating func acceptable(_ items: [JSONObject]) -> [JSONObject] {
    var accepted: [JSONObject] = []
    for var item in items {
      let type = item["type"]?.stringValue ?? "message"
      if let id = item["id"]?.stringValue {
        // Ids of other makers, and ones used before, are refused; messages, reasoning and calls need none.
        let prefix = Self.idPrefixes[type]
        if !usedItemIds.insert(id).inserted || !(prefix.map(id.hasPrefix) ?? true) {
          if prefix == nil, answers[item["call_id"]?.stringValue ?? ""] == nil { continue }
          item.removeValue(forKey: "id")
        }
      }
      switch type {
      case "message": if item["content"] == .array([]) { continue }
      case "reasoning":
        if item["encrypted_content"] == nil {
          if item["content"]?.arrayValue?.isEmpty ?? true { continue }
          // Without its encrypted content the service would look for a stored item of this id.
          item.removeValue(forKey: "id")
        }
      default:
        // A call that nothing answers would stand open in every later request.
        if let answer = OpenAIClientTools.answers[type] ?? OpenAIClientTools.unanswerable[type],
          answers[item["call_id"]?.stringValue ?? ""] == nil,
          !items.contains(where: { $0["type"]?.stringValue == answer && $0["call_id"] == item["call_id"] })
        {
          continue
        }
      }
      accepted.append(item)
    }
    // Reasoning goes back only before what came of it.
    var kept: [JSONObject] = []
    var isFollowed = false
    for item in accepted.reversed() {
      let isReasoning = item["type"] == "reasoning"
      if isReasoning, !isFollowed { continue }
      if !isReasoning { isFollowed = Self.mayFollow(item) }
      kept.append(item)
    }
    return kept.reversed()
  }

  private static let idPrefixes = ["message": "msg", "reasoning": "rs", "function_call": "fc"]

  /// Whether an item is something that the model said or did.
  private static func mayFollow(_ item: JSONObject) -> Bool {
    guard let type = item["type"]?.stringValue else { return true }
    return ["message", "compaction", "mcp_approval_request", "program"].contains(type) || type.hasSuffix("_call")
  }

  // MARK: - What goes in

  private mutating func output(of result: ToolResult) -> JSONValue {
    let id = ids.wire(result.callId)
    let type = answers[id] ?? "function_call_output"
    var item: JSONObject = ["type": .string(type), "call_id": .string(id)]
    if OpenAIClientTools.answers.values.contains(type) {
      OpenAIClientTools.write(result, of: type, into: &item)
      return .object(item)
    }
    let parts = result.content.compactMap(inputPart)
    if parts.contains(where: { $0["type"] != "input_text" }) {
      item["output"] = .array(parts)
    } else {
      let text = result.text
      item["output"] = .string(text.isEmpty ? "(no output)" : text)
    }
    return .object(item)
  }

  private func inputPart(_ block: ContentBlock) -> JSONValue? {
    switch block.kind {
    case .text(let text):
      guard text.contains(where: { !$0.isWhitespace }) else { return nil }
      return ["type": "input_text", "text": .string(text)]
    case .media(let media): return Self.inputPart(media)
    default: return nil
    }
  }

  /// Types of files, by OpenAI's guide to file inputs; texts go as text.
  private static let media = MediaRules(
    fileTypes: [
      MediaRules.pdf, "application/msword", "application/rtf", "application/vnd.oasis.opendocument.text",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.ms-powerpoint",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation", "application/vnd.ms-excel",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ], takesFileAddresses: true)

  /// Images and files; what the API does not take is named in a text instead.
  private static func inputPart(_ media: Media) -> JSONValue {
    func text(_ text: String) -> JSONValue { ["type": "input_text", "text": .string(text)] }
    switch Self.media.form(of: media) {
    case .image(let media, _):
      var part: JSONObject = ["type": "input_image", "detail": "auto"]
      switch media.source {
      case .data(let base64): part["image_url"] = .string("data:\(media.mimeType);base64,\(base64)")
      case .url(let url): part["image_url"] = .string(url)
      case .fileId(let id), .blob(let id, _): part["file_id"] = .string(id)
      }
      return .object(part)
    case .file(let media):
      switch media.source {
      case .data(let base64):
        return [
          "type": "input_file", "filename": .string(media.name ?? "file"),
          "file_data": .string("data:\(media.mimeType);base64,\(base64)"),
        ]
      case .url(let url): return ["type": "input_file", "file_url": .string(url)]
      case .fileId(let id), .blob(let id, _): return ["type": "input_file", "file_id": .string(id)]
      }
    case .document(let words, let name): return text(MediaRules.quoted(words, name: name))
    case .sound(let media): return text(media.placeholder)
    case .words(let words): return text(words)
    }
  }
}
