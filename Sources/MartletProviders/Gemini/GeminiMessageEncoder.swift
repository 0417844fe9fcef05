import Martlet
import MartletJSON

/// Writes messages as Gemini's contents.
///
/// The results of a turn stand in one content, in the order of the calls, media after them. Signatures go back where they
/// were, and to their model only; calls of other makers get the placeholder that Gemini 3 accepts in place of one.
struct GeminiMessageEncoder: MessageEncoder {
  private let parts: GeminiPart
  private let needsSignatures: Bool
  private let names = WireNames(.dotted)
  /// Ids that Gemini gave, by ours: its calls and their results carry them, others carry none.
  private var givenIds: [String: JSONValue] = [:]
  private var isFirst = true

  /// What the documentation names for histories that were not made by the model ("Thought signatures", FAQ).
  static let foreignSignature = "skip_thought_signature_validator"

  init(model: String) {
    parts = GeminiPart(model: model)
    needsSignatures = GeminiModelFacts(model).needsSignatures
  }

  mutating func encode(_ message: Message, next: Message?, into segments: inout [[UInt8]]) {
    var content: [JSONObject]
    switch message.role {
    case .assistant: content = signed(sendable(items(of: message)))
    case .tool: content = results(message.toolResults)
    case .user: content = message.content.compactMap(inputPart)
    case .system:
      let text = message.text
      content = text.isBlank ? [] : [["text": .string("<system>\(text)</system>")]]
    }
    guard !content.isEmpty else { return }
    if isFirst, message.role == .assistant {
      // A conversation begins with the user.
      segments.append(Array(#"{"role":"user","parts":[{"text":"(the conversation begins)"}]}"#.utf8))
    }
    isFirst = false
    segments.append(
      JSONValue.object([
        "role": message.role == .assistant ? "model" : "user", "parts": .array(content.map { .object($0) }),
      ]).bytes())
  }

  // MARK: - Replies

  /// The parts of a reply, as they came.
  mutating func items(of message: Message) -> [JSONObject] {
    var items: [JSONObject] = []
    for block in message.content {
      let own = parts.own(block)
      switch block.kind {
      case .text(let text): items.append(GeminiPart.part(["text": .string(text)], own))
      case .thinking(let thinking):
        if block.extra == nil || own != nil {
          items.append(GeminiPart.part(["text": .string(thinking.text), "thought": true], own))
        }
      case .toolCall(let call):
        var wire: JSONObject = ["name": .string(names.wire(call.name))]
        switch call.arguments {
        case .object(let arguments): wire["args"] = .object(arguments)
        case .unparsed(let text, _): wire["args"] = ["unreadable_arguments": .string(text)]
        }
        for (key, value) in own?["call"]?.objectValue ?? [:] { wire[key] = value }
        if let id = wire["id"] { givenIds[call.id] = id }
        items.append(GeminiPart.part(["functionCall": .object(wire)], own))
      case .media(let media):
        if case .data(let base64) = media.source, own != nil {
          items.append(
            GeminiPart.part(
              ["inlineData": ["mimeType": .string(media.mimeType), "data": .string(base64)]], own))
        } else {
          items.append(["text": .string(media.placeholder)])
        }
      case .opaque(let opaque):
        let isOwn = opaque.provider == Gemini.provider && (block.extra?.model ?? parts.model) == parts.model
        if isOwn, let part = opaque.value.objectValue { items.append(part) }
      case .toolResult, .unknown: break
      }
    }
    return items
  }

  /// Without empty text, and without thoughts: those are for people, only their signatures are for the model.
  private func sendable(_ items: [JSONObject]) -> [JSONObject] {
    items.filter { part in
      guard let text = part["text"]?.stringValue else { return true }
      return part["thoughtSignature"] != nil || (part["thought"] != true && !text.isBlank)
    }
  }

  private func signed(_ items: [JSONObject]) -> [JSONObject] {
    guard needsSignatures, let first = items.firstIndex(where: { $0["functionCall"] != nil }),
      items[first]["thoughtSignature"] == nil
    else { return items }
    var items = items
    items[first]["thoughtSignature"] = .string(Self.foreignSignature)
    return items
  }

  // MARK: - What goes in

  private func results(_ results: [ToolResult]) -> [JSONObject] {
    var responses: [JSONObject] = []
    var media: [JSONObject] = []
    for result in results {
      let text = result.text
      var response: JSONObject = ["name": .string(names.wire(result.name))]
      if let id = givenIds[result.callId] { response["id"] = id }
      response["response"] = [result.isError ? "error" : "output": .string(text.isEmpty ? "(no output)" : text)]
      responses.append(["functionResponse": .object(response)])
      let files = result.content.filter { if case .media = $0.kind { true } else { false } }.compactMap(inputPart)
      if !files.isEmpty { media += [["text": .string("What \(result.name) gave:")]] + files }
    }
    return responses + media
  }

  private func inputPart(_ block: ContentBlock) -> JSONObject? {
    switch block.kind {
    case .text(let text): return text.isBlank ? nil : ["text": .string(text)]
    case .media(let media): return Self.part(Self.media.form(of: media))
    default: return nil
    }
  }

  /// Google's lists of image, document and sound types; `.audio` media of other types are refused too.
  private static let media = MediaRules(
    imageTypes: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
    fileTypes: [MediaRules.pdf, "video/mp4", "video/mpeg", "video/webm", "video/quicktime", "video/3gpp"],
    takesFileAddresses: true, soundTypes: ["wav", "mp3", "aiff", "aac", "ogg", "flac", "m4a", "opus", "webm", "pcm"])

  private static func part(_ form: MediaRules.Form) -> JSONObject {
    switch form {
    case .image(let media, _), .file(let media), .sound(let media):
      switch media.source {
      case .data(let base64): ["inlineData": ["mimeType": .string(media.mimeType), "data": .string(base64)]]
      case .url(let uri), .fileId(let uri), .blob(let uri, _):
        ["fileData": ["mimeType": .string(media.mimeType), "fileUri": .string(uri)]]
      }
    case .document(let text, let name): ["text": .string(MediaRules.quoted(text, name: name))]
    case .words(let words): ["text": .string(words)]
    }
  }
}

extension String {
  /// Whether there is nothing in it but white space.
  var isBlank: Bool { !contains { !$0.isWhitespace } }
}
