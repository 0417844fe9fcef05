import MartletJSON

extension OpenAIChatRules {
  static let calls = [answersFollow, answersHaveCalls, answerIDs, singleAnswers, callForm, callIDs]

  /// Every call is answered before any other message.
  static let answersFollow = WireRule<OpenAIChatRequest>(
    "answers_follow", source: "Function calling guide; wording as answered by the API"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      guard message.text("role") == "assistant" else { return nil }
      let answers = request.answers(after: index)
      let ids = Set(answers.compactMap { $0.text("tool_call_id") })
      let missing = message.elements("tool_calls").compactMap { $0.text("id") }.filter { !ids.contains($0) }
      guard !missing.isEmpty else { return nil }
      return OpenAIErrors.invalid(
        rule, param: "messages.[\(index + answers.count + 1)].role",
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
          + missing.joined(separator: ", "))
    }
  }

  static let answersHaveCalls = WireRule<OpenAIChatRequest>(
    "answers_have_calls", source: "Function calling guide; wording as answered by the API"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      guard message.text("role") == "tool", request.calls(before: index) == nil else { return nil }
      return OpenAIErrors.invalid(
        rule, param: "messages.[\(index)].role",
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.")
    }
  }

  static let answerIDs = WireRule<OpenAIChatRequest>(
    "answer_ids", source: "Chat Completions reference, tool_call_id; wording as answered by the API"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      guard message.text("role") == "tool" else { return nil }
      guard let id = message.text("tool_call_id") else {
        return OpenAIErrors.missing(rule, "messages[\(index)].tool_call_id")
      }
      guard let calls = request.calls(before: index), !calls.contains(where: { $0.text("id") == id }) else {
        return nil
      }
      return OpenAIErrors.invalid(
        rule, param: "messages.[\(index)].tool_call_id",
        "Invalid parameter: 'tool_call_id' of '\(id)' not found in 'tool_calls' of previous message.")
    }
  }

  static let singleAnswers = WireRule<OpenAIChatRequest>(
    "single_answers", source: "Chat Completions; wording as reported publicly"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      guard message.text("role") == "tool", let id = message.text("tool_call_id") else { return nil }
      let before = request.messages[..<index].reversed().prefix { $0.text("role") == "tool" }
      guard before.contains(where: { $0.text("tool_call_id") == id }) else { return nil }
      return OpenAIErrors.invalid(
        rule, param: "messages.[\(index)].tool_call_id",
        "Invalid parameter: Duplicate value for 'tool_call_id' of '\(id)' in message[\(index)]")
    }
  }

  static let callForm = WireRule<OpenAIChatRequest>(
    "call_form", source: "Chat Completions reference, tool_calls; wording as answered by the API"
  ) { request, rule in
    request.messages.enumerated().flatMap { index, message -> [RuleViolation] in
      guard let calls = message.present("tool_calls") else { return [] }
      let path = "messages[\(index)].tool_calls"
      guard let calls = calls.arrayValue else {
        return [OpenAIErrors.wrongType(rule, path, expected: "an array", calls)]
      }
      if calls.isEmpty { return [OpenAIErrors.emptyArray(rule, path)] }
      return calls.enumerated().compactMap { number, call in
        let path = "\(path)[\(number)]"
        if call.text("type") == "custom" { return nil }
        guard let function = call["function"] else { return OpenAIErrors.missing(rule, "\(path).function") }
        if let fault = OpenAIErrors.name(rule, "\(path).function.name", function.text("name")) { return fault }
        guard let arguments = function["arguments"] else {
          return OpenAIErrors.missing(rule, "\(path).function.arguments")
        }
        guard arguments.stringValue == nil else { return nil }
        return OpenAIErrors.wrongType(rule, "\(path).function.arguments", expected: "a string", arguments)
      }
    }
  }

  private static let idLimit = 40

  static let callIDs = WireRule<OpenAIChatRequest>(
    "call_ids", source: "Chat Completions; wording as answered by the API"
  ) { request, rule in
    request.messages.enumerated().flatMap { index, message in
      message.elements("tool_calls").enumerated().compactMap { number, call in
        let path = "messages[\(index)].tool_calls[\(number)].id"
        guard let id = call.text("id") else { return OpenAIErrors.missing(rule, path) }
        if id.isEmpty { return OpenAIErrors.emptyString(rule, path) }
        return id.count > idLimit ? OpenAIErrors.longString(rule, path, limit: idLimit, id) : nil
      }
    }
  }
}
