import MartletJSON

extension OpenAIChatRules {
  /// Rules of Mistral's service, and of servers that use its chat templates, beyond those of the protocol.
  public static let strictOrder = [roleOrder, lastRole, answerCount, shortIDs]

  private static func mistral(_ rule: String, code: String, _ message: String) -> RuleViolation {
    RuleViolation(rule: rule, type: "invalid_request_message_order", code: code, message: message)
  }

  /// After a result the model speaks, before anyone else does.
  static let roleOrder = WireRule<OpenAIChatRequest>(
    "role_order", source: "Mistral's service, error 3230; wording as reported publicly"
  ) { request, rule in
    zip(request.messages, request.messages.dropFirst()).compactMap { before, after in
      guard before.text("role") == "tool", let role = after.text("role"), role == "user" || role == "system" else {
        return nil
      }
      return mistral(rule, code: "3230", "Unexpected role '\(role)' after role 'tool'")
    }
  }

  static let lastRole = WireRule<OpenAIChatRequest>(
    "last_role", source: "Mistral's service, error 3230; wording as reported publicly"
  ) { request, rule in
    guard let last = request.messages.last, let role = last.text("role"), role != "user", role != "tool",
      last["prefix"] != true
    else { return [] }
    return [
      mistral(
        rule, code: "3230",
        "Expected last role User or Tool (or Assistant with prefix True) for serving but got \(role)")
    ]
  }

  static let answerCount = WireRule<OpenAIChatRequest>(
    "answer_count", source: "Mistral's service, error 3230; wording as reported publicly"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      let calls = message.elements("tool_calls")
      guard !calls.isEmpty, request.answers(after: index).count != calls.count else { return nil }
      return mistral(rule, code: "3230", "Not the same number of function calls and responses")
    }
  }

  static let shortIDs = WireRule<OpenAIChatRequest>(
    "short_ids", source: "Mistral's service, error 3280; wording as reported publicly"
  ) { request, rule in
    request.messages.flatMap { $0.elements("tool_calls") }.compactMap { call in
      guard let id = call.text("id"), id.count != 9 || !id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
      else { return nil }
      return mistral(
        rule, code: "3280", "Tool call id was \(id) but must be a-z, A-Z, 0-9, with a length of 9.")
    }
  }
}
