import Martlet
import MartletJSON

/// Writes messages as Ollama's chat endpoint wants them: content is text, images are bare base64 beside it, arguments are
/// objects, results name their tool.
struct OllamaMessageEncoder: MessageEncoder {
  static let isTotal = true
  private var flattener = HistoryFlattener(
    media: MediaRules(
      imageTypes: ["image/png", "image/jpeg", "image/webp"], imageAddresses: .none, takesFileIds: false))
  private let names = WireNames()
  /// The instructions, until they are written before the first message.
  private var instructions: String?
  private var isEmpty = true

  init(instructions: [ContentBlock] = []) {
    let text = instructions.compactMap(\.text).filter { $0.contains { !$0.isWhitespace } }.joined(separator: "\n\n")
    self.instructions = text.isEmpty ? nil : text
  }

  mutating func encode(_ message: Message, next: Message?, into segments: inout [[UInt8]]) {
    for turn in flattener.take(message) { write(turn, into: &segments) }
  }

  var closing: [[UInt8]] {
    var rest = self
    var segments: [[UInt8]] = []
    for turn in flattener.closing { rest.write(turn, into: &segments) }
    if rest.isEmpty { rest.write(.user([.text("(no message)")]), into: &segments) }
    return segments
  }

  private mutating func write(_ turn: FlatTurn, into segments: inout [[UInt8]]) {
    if let text = instructions {
      instructions = nil
      segments.append((["role": "system", "content": .string(text)] as JSONValue).bytes())
    }
    isEmpty = false
    segments.append(JSONValue.object(object(turn)).bytes())
  }

  private mutating func object(_ turn: FlatTurn) -> JSONObject {
    switch turn {
    case .system(let text): return ["role": "system", "content": .string(text)]
    case .user(let content):
      var object: JSONObject = [
        "role": "user", "content": .string(content.compactMap(\.text).joined(separator: "\n\n")),
      ]
      let images = content.compactMap(Self.image)
      if !images.isEmpty { object["images"] = .array(images) }
      return object
    case .assistant(let reply):
      var object: JSONObject = ["role": "assistant", "content": .string(reply.text)]
      guard !reply.calls.isEmpty else { return object }
      // Models that think between calls want to see what they thought.
      let thinking = reply.thinking.filter { $0.extra?.provider == Ollama.provider }.compactMap(\.thinkingText).joined()
      if !thinking.isEmpty { object["thinking"] = .string(thinking) }
      object["tool_calls"] = .array(reply.calls.map { wire($0.call) })
      return object
    case .result(let result):
      return [
        "role": "tool", "content": .string(result.text), "tool_name": .string(names.wire(result.call.name)),
        "tool_call_id": .string(result.call.id),
      ]
    }
  }

  private static func image(_ block: ContentBlock) -> JSONValue? {
    guard case .media(let media) = block.kind, case .data(let base64) = media.source else { return nil }
    return .string(base64)
  }

  private mutating func wire(_ call: ToolCall) -> JSONValue {
    let arguments: JSONObject =
      switch call.arguments {
      case .object(let object): object
      case .unparsed(let text, _): ["unreadable_arguments": .string(text)]
      }
    return [
      "id": .string(call.id), "function": ["name": .string(names.wire(call.name)), "arguments": .object(arguments)],
    ]
  }
}
