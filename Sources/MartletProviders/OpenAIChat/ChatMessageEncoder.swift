import Martlet
import MartletJSON

/// Writes messages as Chat Completions wants them, with what the vendor asks for beyond that.
///
/// Whatever the history is, the request is valid: see `HistoryFlattener` for calls and results; ids and names that the
/// vendor does not allow are replaced, the same everywhere; where a vendor refuses an order of roles, a word of the other
/// side stands between.
struct ChatMessageEncoder: MessageEncoder {
  static let isTotal = true
  private let vendor: ChatVendor
  private let model: String
  private let instructionRole: String?
  private var flattener: HistoryFlattener
  private var ids: WireIds
  private let names = WireNames()
  /// The instructions, until they are written before the first message.
  private var instructions: String?
  private var lastRole: String?

  private static let toolRole = "tool"
  private static let userRole = "user"
  private static let assistantRole = "assistant"

  init(vendor: ChatVendor, model: String, instructions: [ContentBlock] = []) {
    self.vendor = vendor
    self.model = model
    let facts = OpenAIModelFacts(model)
    instructionRole = facts.takesInstructions ? vendor.instructionRole(isReasoning: facts.isReasoning) : nil
    let text = instructions.compactMap(\.text).filter { $0.contains { !$0.isWhitespace } }.joined(separator: "\n\n")
    self.instructions = text.isEmpty ? nil : text
    flattener = HistoryFlattener(media: ChatMedia.rules(of: vendor, facts))
    ids = vendor.callIds
  }

  mutating func encode(_ message: Message, next: Message?, into segments: inout [[UInt8]]) {
    for turn in flattener.take(message) { write(turn, into: &segments) }
  }

  var closing: [[UInt8]] {
    var rest = self
    var segments: [[UInt8]] = []
    for turn in flattener.closing { rest.write(turn, into: &segments) }
    if rest.lastRole == nil { rest.writeInstructions(into: &segments) }
    switch (rest.lastRole, vendor.roleOrder) {
    case (nil, _): rest.writeText("(no message)", role: Self.userRole, into: &segments)
    case (Self.assistantRole, .replyAfterResults), (Self.assistantRole, .alternating):
      rest.writeText("(Continue.)", role: Self.userRole, into: &segments)
    case (Self.userRole, _), (Self.toolRole, _), (Self.assistantRole, _): break
    default:
      if vendor.roleOrder != .free { rest.writeText("(Begin.)", role: Self.userRole, into: &segments) }
    }
    return segments
  }

  // MARK: - Turns

  private mutating func write(_ turn: FlatTurn, into segments: inout [[UInt8]]) {
    writeInstructions(into: &segments)
    switch turn {
    case .system(let text): writeSystem(text, into: &segments)
    case .user(let content):
      bridge(to: Self.userRole, into: &segments)
      append(["role": .string(Self.userRole), "content": parts(content)], role: Self.userRole, into: &segments)
    case .assistant(let reply):
      bridge(to: Self.assistantRole, into: &segments)
      append(message(reply), role: Self.assistantRole, into: &segments)
    case .result(let result):
      guard vendor.takesTools else {
        writeText("[The result of \(result.call.name): \(result.text)]", role: Self.userRole, into: &segments)
        return
      }
      append(
        [
          "role": .string(Self.toolRole), "tool_call_id": .string(ids.wire(result.call.id)),
          "content": .string(result.text),
        ], role: Self.toolRole, into: &segments)
    }
  }

  private mutating func writeInstructions(into segments: inout [[UInt8]]) {
    guard let text = instructions else { return }
    instructions = nil
    if let instructionRole {
      append(["role": .string(instructionRole), "content": .string(text)], role: instructionRole, into: &segments)
    } else {
      writeText("<system>\(text)</system>", role: Self.userRole, into: &segments)
    }
  }

  /// A system message in mid-conversation. Where only the first message may be one, its text goes as the user's, marked.
  private mutating func writeSystem(_ text: String, into segments: inout [[UInt8]]) {
    if let instructionRole, vendor.roleOrder == .free {
      append(["role": .string(instructionRole), "content": .string(text)], role: instructionRole, into: &segments)
    } else {
      writeText("<system>\(text)</system>", role: Self.userRole, into: &segments)
    }
  }

  private mutating func writeText(_ text: String, role: String, into segments: inout [[UInt8]]) {
    bridge(to: role, into: &segments)
    append(["role": .string(role), "content": .string(text)], role: role, into: &segments)
  }

  private mutating func append(_ message: JSONObject, role: String, into segments: inout [[UInt8]]) {
    segments.append(JSONValue.object(message).bytes())
    lastRole = role
  }

  /// Puts a word of the other side in between where the vendor refuses two roles next to each other. Nothing that was
  /// sent changes by it, as it would if the text were added to the message before.
  private mutating func bridge(to role: String, into segments: inout [[UInt8]]) {
    let between: (String, String)? =
      switch (vendor.roleOrder, lastRole, role) {
      case (.replyAfterResults, Self.toolRole, Self.userRole), (.alternating, Self.toolRole, Self.userRole):
        (Self.assistantRole, "(The user goes on before I reply.)")
      case (.alternating, Self.userRole, Self.userRole): (Self.assistantRole, "(no reply)")
      case (.alternating, Self.assistantRole, Self.assistantRole): (Self.userRole, "(Continue.)")
      case (.alternating, _, Self.assistantRole) where lastRole != Self.userRole && lastRole != Self.toolRole:
        (Self.userRole, "(Begin.)")
      default: nil
      }
    guard let (role, text) = between else { return }
    append(["role": .string(role), "content": .string(text)], role: role, into: &segments)
  }

  // MARK: - Contents

  /// Text alone is a string, which every server takes.
  private func parts(_ content: [ContentBlock]) -> JSONValue {
    if content.allSatisfy({ $0.text != nil }) {
      return .string(content.compactMap(\.text).joined(separator: "\n\n"))
    }
    return .array(
      content.compactMap { block in
        switch block.kind {
        case .text(let text): ["type": "text", "text": .string(text)]
        case .media(let media): ChatMedia.part(media)
        default: nil
        }
      })
  }

  private mutating func message(_ reply: FlatReply) -> JSONObject {
    var message: JSONObject = ["role": .string(Self.assistantRole), "content": content(of: reply)]
    let refusals = reply.texts.filter(isOwnRefusal)
    if !refusals.isEmpty {
      message["refusal"] = .string(refusals.compactMap(\.text).joined())
    }
    writeReasoning(of: reply, into: &message)
    if !reply.calls.isEmpty, vendor.takesTools {
      message["tool_calls"] = .array(reply.calls.map { wire($0.call, $0.extra) })
    }
    return message
  }

  private func isOwnRefusal(_ block: ContentBlock) -> Bool {
    block.extra?.provider == vendor.name && block.extra?.value["refusal"] == true
  }

  private func content(of reply: FlatReply) -> JSONValue {
    var texts = reply.texts.filter { !isOwnRefusal($0) }.compactMap(\.text)
    if !vendor.takesTools {
      texts += reply.calls.map { "[I called \($0.call.name) with \(Self.arguments(of: $0.call))]" }
    }
    let text = texts.joined(separator: "\n\n")
    if vendor.reasoningReplay == .contentParts {
      let thoughts = reply.thinking.filter(isOwn).compactMap(\.thinkingText).filter { !$0.isEmpty }
      if !thoughts.isEmpty {
        let thinking = thoughts.map { thought -> JSONValue in
          ["type": "thinking", "thinking": [["type": "text", "text": .string(thought)]]]
        }
        return .array(thinking + (text.isEmpty ? [] : [["type": "text", "text": .string(text)]]))
      }
    }
    return text.isEmpty ? .null : .string(text)
  }

  /// Whether thinking came from this vendor, and from this model where it is bound to one.
  private func isOwn(_ block: ContentBlock) -> Bool {
    guard let extra = block.extra, extra.provider == vendor.name else { return false }
    return extra.model == nil || extra.model == model
  }

  private func writeReasoning(of reply: FlatReply, into message: inout JSONObject) {
    guard vendor.reasoningReplay == .sameField else { return }
    let own = reply.thinking.filter(isOwn)
    let details = own.flatMap { $0.extra?.value["reasoning_details"]?.arrayValue ?? [] }
    if !details.isEmpty {
      message["reasoning_details"] = .array(details)
    } else if let field = own.lazy.compactMap({ $0.extra?.value["field"]?.stringValue }).first {
      message[field] = .string(own.compactMap(\.thinkingText).joined())
    }
  }

  private mutating func wire(_ call: ToolCall, _ extra: BlockExtra?) -> JSONValue {
    var object: JSONObject = [
      "id": .string(ids.wire(call.id)), "type": "function",
      "function": [
        "name": .string(names.wire(call.name)),
        "arguments": .string(Self.arguments(of: call)),
      ],
    ]
    if let extra, extra.provider == vendor.name {
      for (key, value) in extra.value.objectValue ?? [:] where object[key] == nil && key != "call_id" {
        object[key] = value
      }
    }
    return .object(object)
  }

  /// Servers parse the text, so it is JSON also when the model's was not.
  private static func arguments(of call: ToolCall) -> String {
    switch call.arguments {
    case .object(let object): JSONValue.object(object).text()
    case .unparsed(let text, _): (["unreadable_arguments": .string(text)] as JSONValue).text()
    }
  }
}

extension ContentBlock {
  var thinkingText: String? { if case .thinking(let thinking) = kind { thinking.text } else { nil } }
}
