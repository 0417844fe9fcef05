public import MartletJSON

/// A part of a message, with what its provider wants back.
public struct ContentBlock: Sendable, Hashable, JSONConvertible {
  /// What a block holds. New kinds may come: keep a `default` when switching.
  public enum Kind: Sendable, Hashable {
    /// Text.
    case text(String)
    /// The model's reasoning.
    case thinking(Thinking)
    /// A call the model asks for.
    case toolCall(ToolCall)
    /// The result of a call.
    case toolResult(ToolResult)
    /// An image, a sound or a file.
    case media(Media)
    /// Something only its provider understands (server tool use and the like), replayed verbatim to that provider alone.
    case opaque(OpaqueBlock)
    /// A block of a later format: kept whole, shown to no model.
    case unknown(JSONValue)
  }

  /// What the block holds.
  public var kind: Kind
  /// Signatures, item ids, citations and the like, kept value-exact and replayed only to the provider that made them.
  public var extra: BlockExtra?

  /// A block.
  public init(_ kind: Kind, extra: BlockExtra? = nil) {
    self.kind = kind
    self.extra = extra
  }

  /// Text.
  public static func text(_ text: String) -> Self { Self(.text(text)) }
  /// The model's reasoning.
  public static func thinking(_ thinking: Thinking) -> Self { Self(.thinking(thinking)) }
  /// A call the model asks for.
  public static func toolCall(_ call: ToolCall) -> Self { Self(.toolCall(call)) }
  /// The answer to a call.
  public static func toolResult(_ result: ToolResult) -> Self { Self(.toolResult(result)) }
  /// An image, a sound or a file.
  public static func media(_ media: Media) -> Self { Self(.media(media)) }

  /// The text of a text block, else nil.
  public var text: String? { if case .text(let text) = kind { text } else { nil } }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    switch try fields.string("type") {
    case "text": kind = .text(try fields.string("text"))
    case "thinking": kind = .thinking(try Thinking(fields))
    case "tool_call": kind = .toolCall(try ToolCall(fields))
    case "tool_result": kind = .toolResult(try ToolResult(json: json))
    case "media": kind = .media(try Media(fields))
    case "opaque": kind = .opaque(try OpaqueBlock(fields))
    default:
      kind = .unknown(json)
      return
    }
    extra = try fields.valueIfPresent("extra")
  }

  public var json: JSONValue {
    var object: JSONObject
    switch kind {
    case .text(let text): object = ["type": "text", "text": .string(text)]
    case .thinking(let thinking): object = thinking.object
    case .toolCall(let call):
      object = ["type": "tool_call"]
      call.write(into: &object)
    case .toolResult(let result):
      object = ["type": "tool_result", "call_id": .string(result.callId), "name": .string(result.name)]
      result.writeOutcome(into: &object)
    case .media(let media): object = media.object
    case .opaque(let opaque): object = opaque.object
    case .unknown(let value): return value
    }
    object.set("extra", extra?.json)
    return .object(object)
  }
}
