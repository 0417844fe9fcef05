import MartletJSON

extension OpenAIChatRules {
  static let parameters = [tokenLimit, sampling, jsonMode]

  static let tokenLimit = WireRule<OpenAIChatRequest>(
    "token_limit", source: "A recorded answer of a reasoning model"
  ) { request, rule in
    guard request.profile.isReasoning, request.json.present("max_tokens") != nil else { return [] }
    return [OpenAIErrors.unsupportedParameter(rule, "max_tokens", " Use 'max_completion_tokens' instead.")]
  }

  static let sampling = WireRule<OpenAIChatRequest>(
    "sampling", source: "Reasoning guide; wording as answered by the API"
  ) { request, rule in
    guard request.isReasoning else { return [] }
    return ["temperature", "top_p"].compactMap { key in
      guard let value = request.json.present(key), value.doubleValue != 1 else { return nil }
      return OpenAIErrors.invalid(
        rule, code: "unsupported_value", param: key,
        "Unsupported value: '\(key)' does not support \(value.text()) with this model. Only the default (1) value is supported."
      )
    }
  }

  static let jsonMode = WireRule<OpenAIChatRequest>(
    "json_mode", source: "Structured outputs guide, JSON mode; wording as answered by the API"
  ) { request, rule in
    guard request.json["response_format"]?.type == "json_object",
      !request.messages.contains(where: { $0.text().lowercased().contains("json") })
    else { return [] }
    return [
      OpenAIErrors.invalid(
        rule, param: "messages",
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.")
    ]
  }
}
