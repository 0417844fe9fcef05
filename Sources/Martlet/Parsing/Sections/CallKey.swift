/// What a key of a JSON object means when the object is a tool call.
///
/// `name` and `arguments` or `parameters` are Hermes', Llama's and OpenAI's; `tool_name` and `parameters` Cohere's;
/// `tool`, `function` and `args` are what small models write instead.
enum CallKey: Sendable {
  case name
  case arguments
  /// The name, or an object that holds name and arguments.
  case function
  /// A list of calls.
  case calls
  /// An object that is the call.
  case call
  case id
  /// Says nothing about the call but belongs to one.
  case neutral

  init?(_ key: String) {
    switch key {
    case "name", "tool_name", "tool": self = .name
    case "arguments", "parameters", "args", "params", "input": self = .arguments
    case "function": self = .function
    case "tool_calls", "function_calls": self = .calls
    case "tool_call", "function_call": self = .call
    case "id", "call_id", "tool_call_id": self = .id
    case "type", "index": self = .neutral
    default: return nil
    }
  }

  static let maximumLength = 16
}
