import MartletJSON

extension OpenAIResponsesRules {
  static let tools = [toolNames, toolSchemas]
  static let parameters = [outputLimit, sampling]

  static let toolNames = WireRule<OpenAIResponsesRequest>(
    "tool_names", source: "Responses reference, tools; wording as answered by the API"
  ) { request, rule in
    request.tools.enumerated().compactMap { index, tool in
      guard tool.type == "function" else { return nil }
      return OpenAIErrors.name(rule, "tools[\(index)].name", tool.text("name"))
    }
  }

  /// Functions that say `strict` must keep to its subset. One that says nothing is made strict by the service where it
  /// can be, and not refused (recordings).
  static let toolSchemas = WireRule<OpenAIResponsesRequest>(
    "tool_schemas", source: "Structured outputs guide, supported schemas; wording as answered by the API"
  ) { request, rule in
    request.tools.enumerated().compactMap { index, tool in
      guard tool.type == "function" else { return nil }
      return OpenAISchemaRule.violation(
        rule, function: tool.text("name") ?? "", parameters: tool["parameters"], isStrict: tool["strict"] == true,
        param: "tools[\(index)].parameters")
    }
  }

  private static let outputMinimum = 16

  static let outputLimit = WireRule<OpenAIResponsesRequest>(
    "output_limit", source: "Responses reference, max_output_tokens; wording as answered by the API"
  ) { request, rule in
    guard let limit = request.json["max_output_tokens"]?.intValue, limit < outputMinimum else { return [] }
    return [
      OpenAIErrors.invalid(
        rule, code: "integer_below_min_value", param: "max_output_tokens",
        "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= \(outputMinimum), but got \(limit) instead."
      )
    ]
  }

  static let sampling = WireRule<OpenAIResponsesRequest>(
    "sampling", source: "A recorded answer of a reasoning model"
  ) { request, rule in
    guard request.isReasoning else { return [] }
    return ["temperature", "top_p"].compactMap { key in
      guard let value = request.json.present(key), value.doubleValue != 1 else { return nil }
      return OpenAIErrors.unsupportedParameter(rule, key)
    }
  }
}
