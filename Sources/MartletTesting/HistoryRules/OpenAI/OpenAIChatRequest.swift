public import MartletJSON

/// A request to Chat Completions as its rules see it.
public struct OpenAIChatRequest: Sendable {
  let json: JSONValue
  let profile: OpenAIModelProfile
  let messages: [JSONValue]

  /// A request. What the model accepts is known from its name unless it is given.
  public init(_ json: JSONValue, profile: OpenAIModelProfile? = nil) {
    self.json = json
    self.profile = profile ?? OpenAIModelProfile(model: json.text("model") ?? "")
    messages = json.elements("messages")
  }

  var isReasoning: Bool { profile.reasons(effort: json.text("reasoning_effort")) }
  var tools: [JSONValue] { json.elements("tools") }

  /// The tool messages that follow a message.
  func answers(after index: Int) -> [JSONValue] {
    Array(messages[(index + 1)...].prefix { $0.text("role") == "tool" })
  }

  /// The calls that a tool message may answer: those of the assistant message before it and its neighbours.
  func calls(before index: Int) -> [JSONValue]? {
    guard let asking = messages[..<index].last(where: { $0.text("role") != "tool" }), asking.text("role") == "assistant"
    else { return nil }
    let calls = asking.elements("tool_calls")
    return calls.isEmpty ? nil : calls
  }
}
