import MartletJSON

extension Message {
  /// About how many bytes the message has on a wire.
  var approximateBytes: Int { content.reduce(8) { $0 + $1.approximateBytes } }
}

extension ContentBlock {
  var approximateBytes: Int {
    switch kind {
    case .text(let text): text.utf8.count + 8
    case .thinking(let thinking): thinking.text.utf8.count + 8
    case .toolCall(let call): call.name.utf8.count + call.arguments.approximateBytes + 24
    case .toolResult(let result): result.content.reduce(24) { $0 + $1.approximateBytes }
    case .media: 4_096
    case .opaque(let opaque): opaque.value.approximateBytes
    case .unknown: 0
    }
  }
}

extension ToolCall.Arguments {
  fileprivate var approximateBytes: Int {
    switch self {
    case .object(let object): JSONValue.object(object).approximateBytes
    case .unparsed(let text, _): text.utf8.count
    }
  }
}

extension ToolDefinition {
  var approximateBytes: Int { name.utf8.count + description.utf8.count + parameters.approximateBytes + 48 }
}

extension PromptContext {
  /// About how many bytes of a request come before its messages.
  var approximateBytes: Int {
    tools.reduce(instructions.reduce(0) { $0 + $1.approximateBytes }) { $0 + $1.approximateBytes }
  }
}

extension JSONValue {
  var approximateBytes: Int {
    switch self {
    case .null, .bool, .number: 5
    case .string(let text): text.utf8.count + 2
    case .array(let values): values.reduce(2) { $0 + $1.approximateBytes + 1 }
    case .object(let object): object.reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.approximateBytes }
    }
  }
}
