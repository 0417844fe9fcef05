public import MartletJSON

/// The answer to a tool call, as the model sees it.
public struct ToolResult: Sendable, Hashable, JSONConvertible {
  /// The call it answers.
  public var callId: String
  /// The tool's name.
  public var name: String
  /// What the tool said: text, media.
  public var content: [ContentBlock]
  /// Whether the call failed.
  public var isError: Bool
  /// Why it failed, for programs; nil when it did not, or when the tool gave no code.
  public var code: Code?

  /// An answer.
  public init(callId: String, name: String, content: [ContentBlock], isError: Bool = false, code: Code? = nil) {
    self.callId = callId
    self.name = name
    self.content = content
    self.isError = isError
    self.code = code
  }

  /// A failed call, with a text the model can act on.
  public static func failure(_ call: ToolCall, code: Code, _ message: String) -> Self {
    Self(callId: call.id, name: call.name, content: [.text(message)], isError: true, code: code)
  }

  /// The text parts joined.
  public var text: String { content.compactMap(\.text).joined() }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    try self.init(callId: fields.string("call_id"), name: fields.string("name"), outcome: fields)
  }

  init(callId: String, name: String, outcome fields: JSONFields) throws {
    self.init(
      callId: callId, name: name, content: try fields.values("content"),
      isError: try fields.boolIfPresent("is_error") ?? false,
      code: try fields.stringIfPresent("code").map(Code.init(rawValue:)))
  }

  public var json: JSONValue {
    var object: JSONObject = ["call_id": .string(callId), "name": .string(name)]
    writeOutcome(into: &object)
    return .object(object)
  }

  func writeOutcome(into object: inout JSONObject) {
    object["content"] = .array(content.map(\.json))
    object["is_error"] = .bool(isError)
    object["code"] = code.map { .string($0.rawValue) } ?? .null
  }
}

extension ToolResult {
  /// Why a call failed. An open set: tools add their own.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The call was cut off before it ran, or while a repeatable one ran; it had no lasting effect.
    public static let interrupted = Self(rawValue: "interrupted")
    /// The call had begun and may or may not have taken effect.
    public static let outcomeUnknown = Self(rawValue: "outcome_unknown")
    /// The tool took longer than it may.
    public static let timeout = Self(rawValue: "timeout")
    /// The user or a rule said no.
    public static let denied = Self(rawValue: "denied")
    /// The arguments do not fit the tool's parameters.
    public static let invalidArguments = Self(rawValue: "invalid_arguments")
    /// No tool has this name.
    public static let unknownTool = Self(rawValue: "unknown_tool")
    /// The tool did not stop when told to; what it does later is dropped.
    public static let toolAbandoned = Self(rawValue: "tool_abandoned")
    /// The tool threw an error.
    public static let toolFailed = Self(rawValue: "tool_failed")
  }
}
