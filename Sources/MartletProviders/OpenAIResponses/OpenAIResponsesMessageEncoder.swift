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
  /// Wire ids of calls of custom tools: their results have another type.
  private var customCalls: Set<String> = []
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
        if own?["custom"] == true { customCalls.insert(id) }
        items.append(OpenAIItem.call(call, id: id, name: names.wire(call.name), own: own))
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
          if prefix == nil { continue }
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
        // A call that we cannot answer would stand open in every later request.
        if let answer = Self.answers[type],
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

  /// Calls of built-in tools that the client runs, and the items that answer them.
  static let answers = [
    "local_shell_call": "local_shell_call_output", "shell_call": "shell_call_output",
    "computer_call": "computer_call_output", "apply_patch_call": "apply_patch_call_output",
    "tool_search_call": "tool_search_output",
  ]

  /// Whether an item is something that the model said or did.
  private static func mayFollow(_ item: JSONObject) -> Bool {
    guard let type = item["type"]?.stringValue else { return true }
    return ["message", "compaction", "mcp_approval_request", "program"].contains(type) || type.hasSuffix("_call")
  }

  // MARK: - What goes in

  private mutating func output(of result: ToolResult) -> JSONValue {
    let id = ids.wire(result.callId)
    var item: JSONObject = [
      "type": customCalls.contains(id) ? "custom_tool_call_output" : "function_call_output", "call_id": .string(id),
    ]
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

  /// Images and files; what the API does not take is named in a text instead.
  private static func inputPart(_ media: Media) -> JSONValue {
    let placeholder: JSONValue = ["type": "input_text", "text": .string(media.placeholder)]
    switch (media.kind, media.source) {
    case (.audio, _), (_, .blob): return placeholder
    case (.image, .data(let base64)):
      return ["type": "input_image", "detail": "auto", "image_url": .string("data:\(media.mimeType);base64,\(base64)")]
    case (.image, .url(let url)): return ["type": "input_image", "detail": "auto", "image_url": .string(url)]
    case (.image, .fileId(let id)): return ["type": "input_image", "detail": "auto", "file_id": .string(id)]
    case (.file, .data(let base64)):
      return [
        "type": "input_file", "filename": .string(media.name ?? "file"),
        "file_data": .string("data:\(media.mimeType);base64,\(base64)"),
      ]
    case (.file, .url(let url)): return ["type": "input_file", "file_url": .string(url)]
    case (.file, .fileId(let id)): return ["type": "input_file", "file_id": .string(id)]
    }
  }
}
