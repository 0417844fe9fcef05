public import MartletJSON

/// One entry of a conversation, in the form that all providers share.
///
/// A `tool` message carries *all* results of one turn, in the order of the calls they answer. Identity is not part of a
/// message: ids belong to the event records that carry it.
public struct Message: Sendable, Hashable, JSONConvertible {
  /// Who speaks.
  public enum Role: String, Sendable, Hashable, CaseIterable {
    /// The app: instructions.
    case system
    /// The person, or what stands for one.
    case user
    /// The model.
    case assistant
    /// The tools: all results of one turn.
    case tool
  }

  /// Who speaks.
  public var role: Role
  /// What is said, in order.
  public var content: [ContentBlock]

  /// A message of blocks.
  public init(role: Role, content: [ContentBlock]) {
    self.role = role
    self.content = content
  }

  /// Instructions to the model.
  public static func system(_ text: String) -> Self { Self(role: .system, content: [.text(text)]) }
  /// Something the user says.
  public static func user(_ text: String) -> Self { Self(role: .user, content: [.text(text)]) }
  /// Something the user says, with images or files.
  public static func user(_ content: [ContentBlock]) -> Self { Self(role: .user, content: content) }
  /// A reply: its text, if not empty, then its tool calls.
  public static func assistant(text: String, toolCalls: [ToolCall] = []) -> Self {
    Self(role: .assistant, content: (text.isEmpty ? [] : [.text(text)]) + toolCalls.map { .toolCall($0) })
  }
  /// The result of one call.
  public static func tool(result: String, callId: String, name: String) -> Self {
    Self(role: .tool, content: [.toolResult(ToolResult(callId: callId, name: name, content: [.text(result)]))])
  }
  /// The results of all calls of a turn, in call order.
  public static func tool(_ results: [ToolResult]) -> Self {
    Self(role: .tool, content: results.map { .toolResult($0) })
  }

  /// The text blocks joined; for a `tool` message, the text of its results.
  public var text: String {
    var text = ""
    for block in content {
      switch block.kind {
      case .text(let part): text += part
      case .toolResult(let result): text += result.text
      default: break
      }
    }
    return text
  }

  /// The calls an assistant message asks for, in order.
  public var toolCalls: [ToolCall] {
    content.compactMap { if case .toolCall(let call) = $0.kind { call } else { nil } }
  }

  /// The results a `tool` message carries, in order.
  public var toolResults: [ToolResult] {
    content.compactMap { if case .toolResult(let result) = $0.kind { result } else { nil } }
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    let name = try fields.string("role")
    guard let role = Role(rawValue: name) else {
      throw JSONFormError(path: "role", message: "one of system, user, assistant, tool is expected")
    }
    self.init(role: role, content: try fields.values("content"))
  }

  public var json: JSONValue {
    ["role": .string(role.rawValue), "content": .array(content.map(\.json))]
  }
}
