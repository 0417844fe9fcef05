import MartletJSON

extension AnthropicRules {
  static let conversation = [
    someMessage, messageLimit, roles, nonEmptyContent, prefill, trailingWhitespace, systemPlace,
  ]

  static let someMessage = WireRule<AnthropicRequest>(
    "some_message", source: "Messages API reference; wording as reported publicly"
  ) { request, rule in
    request.json["messages"] != nil && request.messages.isEmpty
      ? [invalid(rule, "messages: at least one message is required")] : []
  }

  static let messageLimit = WireRule<AnthropicRequest>(
    "message_limit", source: "Messages API reference: at most 100,000 messages; the wording is ours"
  ) { request, rule in
    request.messages.count > 100_000 ? [invalid(rule, "messages: at most 100000 messages are allowed")] : []
  }

  static let roles = WireRule<AnthropicRequest>(
    "roles", source: "Messages API reference, messages.role; wording as the API's validator's"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      switch message.text("role") {
      case "user", "assistant", "system": nil
      case nil: invalid(rule, "messages.\(index).role: Field required")
      default: invalid(rule, "messages.\(index).role: Input should be 'user', 'assistant' or 'system'")
      }
    }
  }

  /// Only the last assistant message may be empty.
  static let nonEmptyContent = WireRule<AnthropicRequest>(
    "non_empty_content", source: "Messages API; wording as reported publicly"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      let isLastReply = index == request.messages.count - 1 && message.text("role") == "assistant"
      let isEmpty: Bool
      switch message["content"] {
      case .string(let text)?: isEmpty = text.isEmpty
      case .array(let blocks)?: isEmpty = blocks.isEmpty
      default: return invalid(rule, "messages.\(index).content: Field required")
      }
      guard isEmpty, !isLastReply else { return nil }
      return invalid(
        rule,
        "messages.\(index): all messages must have non-empty content except for the optional final assistant message")
    }
  }

  /// From Claude 4.6 on the last message may not be the beginning of the reply. A paused reply, which ends in a tool the
  /// provider runs itself, is sent back to be continued.
  static let prefill = WireRule<AnthropicRequest>(
    "prefill", source: "Documentation, prefilled responses and pause_turn; wording as reported publicly"
  ) { request, rule in
    guard !request.profile.acceptsPrefill, let last = request.turns.last, last.role == "assistant",
      !(last.blocks.last?.isServerTool ?? false)
    else { return [] }
    return [
      invalid(
        rule, "This model does not support assistant message prefill. The conversation must end with a user message.")
    ]
  }

  static let trailingWhitespace = WireRule<AnthropicRequest>(
    "trailing_whitespace", source: "Documentation, prefilled responses; wording as reported publicly"
  ) { request, rule in
    guard request.profile.acceptsPrefill, let last = request.turns.last, last.role == "assistant",
      let text = last.blocks.last?.json.text("text"), text.last?.isWhitespace ?? false
    else { return [] }
    return [invalid(rule, "messages: final assistant content cannot end with trailing whitespace")]
  }

  /// A system message stands after a user message or after a reply that ends in the result of a server tool, and before
  /// a reply or at the end; never between calls and results.
  static let systemPlace = WireRule<AnthropicRequest>(
    "system_place", source: "Documentation, mid-conversation system messages; the wording is ours"
  ) { request, rule in
    request.turns.enumerated().compactMap { index, turn in
      guard turn.role == "system" else { return nil }
      guard index > 0 else { return invalid(rule, "messages.\(turn.first): a system message cannot be first") }
      let before = request.turns[index - 1]
      let mayFollow =
        before.role == "user"
        || (before.blocks.last.map { $0.isServerTool && $0.type.hasSuffix("_tool_result") } ?? false)
      guard mayFollow else {
        return invalid(
          rule,
          "messages.\(turn.first): a system message must follow a user message or the result of a server tool")
      }
      guard index == request.turns.count - 1 || request.turns[index + 1].role == "assistant" else {
        return invalid(
          rule, "messages.\(turn.first): a system message must be last or followed by an assistant message")
      }
      return nil
    }
  }
}
