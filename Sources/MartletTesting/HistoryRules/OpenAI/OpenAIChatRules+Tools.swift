import MartletJSON

extension OpenAIChatRules {
  static let tools = [toolCount, toolNames, toolSchemas, toolChoice]

  private static let toolLimit = 128

  static let toolCount = WireRule<OpenAIChatRequest>(
    "tool_count", source: "Chat Completions reference, tools; wording as answered by the API"
  ) { request, rule in
    guard let tools = request.json.present("tools")?.arrayValue else { return [] }
    if tools.isEmpty { return [OpenAIErrors.emptyArray(rule, "tools")] }
    return tools.count > toolLimit ? [OpenAIErrors.longArray(rule, "tools", limit: toolLimit, tools.count)] : []
  }

  static let toolNames = WireRule<OpenAIChatRequest>(
    "tool_names", source: "Chat Completions reference, function.name; wording as answered by the API"
  ) { request, rule in
    request.tools.enumerated().compactMap { index, tool in
      guard tool.type == "function" else { return nil }
      return OpenAIErrors.name(rule, "tools[\(index)].function.name", tool["function"]?.text("name"))
    }
  }

  static let toolSchemas = WireRule<OpenAIChatRequest>(
    "tool_schemas", source: "Structured outputs guide, supported schemas; wording as answered by the API"
  ) { request, rule in
    request.tools.enumerated().compactMap { index, tool in
      guard let function = tool["function"] else { return nil }
      return OpenAISchemaRule.violation(
        rule, function: function.text("name") ?? "", parameters: function["parameters"],
        isStrict: function["strict"] == true, param: "tools[\(index)].function.parameters")
    }
  }

  static let toolChoice = WireRule<OpenAIChatRequest>(
    "tool_choice", source: "Chat Completions; wording as answered by the API"
  ) { request, rule in
    guard request.tools.isEmpty else { return [] }
    if request.json.present("tool_choice") != nil {
      return [
        OpenAIErrors.invalid(
          rule, param: "tool_choice",
          "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.")
      ]
    }
    guard request.json.present("parallel_tool_calls") != nil else { return [] }
    return [
      OpenAIErrors.invalid(
        rule, param: "parallel_tool_calls",
        "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.")
    ]
  }
}
