import MartletJSON

extension OpenAIResponsesRules {
  static let conversation = [requiredInput, oneThread, messageRoles, contentParts, itemIDs, uniqueItems]

  static let requiredInput = WireRule<OpenAIResponsesRequest>(
    "required_input", source: "Responses reference, input; wording as answered by the API"
  ) { request, rule in
    guard !request.continuesStored, request.json.present("prompt") == nil else { return [] }
    guard let input = request.json.present("input") else { return [OpenAIErrors.missing(rule, "input")] }
    return input.arrayValue?.isEmpty ?? false ? [OpenAIErrors.emptyArray(rule, "input")] : []
  }

  static let oneThread = WireRule<OpenAIResponsesRequest>(
    "one_thread", source: "Responses reference, conversation; the wording is ours"
  ) { request, rule in
    guard request.json.present("previous_response_id") != nil, request.json.present("conversation") != nil else {
      return []
    }
    return [
      OpenAIErrors.invalid(
        rule, code: "mutually_exclusive_parameters", param: "previous_response_id",
        "'previous_response_id' and 'conversation' cannot be used together.")
    ]
  }

  static let messageRoles = WireRule<OpenAIResponsesRequest>(
    "message_roles", source: "Responses reference, input messages; wording as answered by the API"
  ) { request, rule in
    request.items.enumerated().compactMap { index, item in
      guard OpenAIResponsesRequest.kind(item) == "message" else { return nil }
      guard let role = item.text("role") else { return OpenAIErrors.missing(rule, "input[\(index)].role") }
      guard !["user", "assistant", "system", "developer"].contains(role) else { return nil }
      return OpenAIErrors.wrongValue(
        rule, "input[\(index)].role", role, supported: "'assistant', 'system', 'developer', and 'user'")
    }
  }

  /// What a user says is input, what the model said is output.
  static let contentParts = WireRule<OpenAIResponsesRequest>(
    "content_parts", source: "Responses reference, content parts; wording as answered by the API"
  ) { request, rule in
    request.items.enumerated().flatMap { index, item -> [RuleViolation] in
      guard OpenAIResponsesRequest.kind(item) == "message" else { return [] }
      let isReply = item.text("role") == "assistant"
      return item.elements("content").enumerated().compactMap { part, content in
        let isOutput = content.type == "output_text" || content.type == "refusal"
        guard isOutput != isReply else { return nil }
        return OpenAIErrors.wrongValue(
          rule, "input[\(index)].content[\(part)]", content.type,
          supported: isReply ? "'output_text' and 'refusal'" : "'input_text', 'input_image', and 'input_file'")
      }
    }
  }

  private static let prefixes = ["message": "msg", "reasoning": "rs", "function_call": "fc"]

  static let itemIDs = WireRule<OpenAIResponsesRequest>(
    "item_ids", source: "Responses reference, item ids; wording as answered by the API"
  ) { request, rule in
    request.items.enumerated().compactMap { index, item in
      guard let id = item.text("id"), let prefix = prefixes[OpenAIResponsesRequest.kind(item)], !id.hasPrefix(prefix)
      else { return nil }
      return OpenAIErrors.invalid(
        rule, code: "invalid_value", param: "input[\(index)].id",
        "Invalid 'input[\(index)].id': '\(id)'. Expected an ID that begins with '\(prefix)'.")
    }
  }

  static let uniqueItems = WireRule<OpenAIResponsesRequest>(
    "unique_items", source: "Responses; wording as answered by the API"
  ) { request, rule in
    var seen: Set<String> = []
    return request.items.compactMap { item in
      guard let id = item.text("id"), !id.isEmpty, !seen.insert(id).inserted else { return nil }
      return OpenAIErrors.invalid(
        rule, param: "input",
        "Duplicate item found with id \(id). Remove duplicate items from your input and try again.")
    }
  }
}
