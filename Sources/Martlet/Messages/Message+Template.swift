import MartletJSON

extension Message {
  /// The message as chat templates want it (the OpenAI shape that `applyChatTemplate` of swift-transformers reads):
  /// `role`, `content`, `tool_calls` on an assistant turn, `tool_call_id` and `name` on a result.
  ///
  /// A `tool` message with several results needs several dictionaries: use `templateDictionaries`; this one holds the first.
  /// Lost here: thinking, media, opaque blocks, block extras, error marks, and arguments that could not be parsed (their
  /// text is passed instead of an object).
  public var templateDictionary: [String: any Sendable] {
    templateDictionaries.first ?? ["role": role.rawValue, "content": ""]
  }

  /// One dictionary for each message a chat template should see: one, or one for each result of a `tool` message.
  public var templateDictionaries: [[String: any Sendable]] {
    if role == .tool, !toolResults.isEmpty {
      return toolResults.map {
        ["role": "tool", "content": $0.text, "tool_call_id": $0.callId, "name": $0.name]
      }
    }
    var dictionary: [String: any Sendable] = ["role": role.rawValue, "content": text]
    let calls = toolCalls
    if !calls.isEmpty {
      dictionary["tool_calls"] = calls.map { call -> [String: any Sendable] in
        ["id": call.id, "type": "function", "function": call.templateFunction]
      }
    }
    return [dictionary]
  }
}

extension ToolCall {
  fileprivate var templateFunction: [String: any Sendable] {
    switch arguments {
    case .object(let object): ["name": name, "arguments": JSONValue.object(object).templateValue]
    case .unparsed(let text, _): ["name": name, "arguments": text]
    }
  }
}

extension JSONValue {
  /// The value as plain Swift types: what template engines take. Null becomes an optional without a value.
  fileprivate var templateValue: any Sendable {
    switch self {
    case .null: Optional<String>.none as any Sendable
    case .bool(let value): value
    case .number(let number): if let int = number.int { int } else { number.double }
    case .string(let text): text
    case .array(let values): values.map(\.templateValue)
    case .object(let object):
      Dictionary(object.map { ($0.key, $0.value.templateValue) }, uniquingKeysWith: { _, last in last })
    }
  }
}
