import MartletJSON

extension AnthropicRules {
  static let tools = [toolNames, uniqueToolNames, toolSchemas, toolChoice, forcedTools]

  private static func isCustom(_ tool: JSONValue) -> Bool { tool.type == "" || tool.type == "custom" }

  static let toolNames = WireRule<AnthropicRequest>(
    "tool_names", source: "Documentation, tool definitions; wording as the API's validator's"
  ) { request, rule in
    request.tools.enumerated().compactMap { index, tool in
      let name = tool.text("name") ?? ""
      guard isCustom(tool), !name.isPlainName || name.count > 64 else { return nil }
      return invalid(rule, "tools.\(index).custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'")
    }
  }

  static let uniqueToolNames = WireRule<AnthropicRequest>(
    "unique_tool_names", source: "Messages API; wording as answered by the API"
  ) { request, rule in
    Set(request.toolNames).count < request.toolNames.count ? [invalid(rule, "tools: Tool names must be unique.")] : []
  }

  static let toolSchemas = WireRule<AnthropicRequest>(
    "tool_schemas", source: "Messages API reference, tools.input_schema; wordings as answered by the API"
  ) { request, rule in
    request.tools.enumerated().compactMap { index, tool in
      guard isCustom(tool) else { return nil }
      guard let schema = tool["input_schema"], schema.objectValue != nil else {
        return invalid(rule, "tools.\(index).custom.input_schema: Field required")
      }
      guard let type = schema["type"] else {
        return invalid(rule, "tools.\(index).custom.input_schema.type: Field required")
      }
      guard type == "object" else {
        return invalid(rule, "tools.\(index).custom.input_schema.type: Input should be 'object'")
      }
      guard ["oneOf", "allOf", "anyOf"].contains(where: { schema[$0] != nil }) else { return nil }
      return invalid(
        rule,
        "tools.\(index).custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level")
    }
  }

  static let toolChoice = WireRule<AnthropicRequest>(
    "tool_choice", source: "Messages API reference, tool_choice; wording as answered by the API"
  ) { request, rule in
    guard let choice = request.json.present("tool_choice") else { return [] }
    if request.tools.isEmpty, request.json.elements("mcp_servers").isEmpty {
      return [invalid(rule, "tool_choice: tool_choice may only be specified while providing tools")]
    }
    guard choice.type == "tool", let name = choice.text("name"), !request.toolNames.contains(name) else { return [] }
    return [invalid(rule, "Tool '\(name)' not found in provided tools")]
  }

  /// A forced call and thinking exclude each other; the newest models, which always think, take no forced call at all.
  static let forcedTools = WireRule<AnthropicRequest>(
    "forced_tools", source: "Documentation, extended thinking with tool use; wording as answered by the API"
  ) { request, rule in
    guard let choice = request.json["tool_choice"]?.type, choice == "any" || choice == "tool" else { return [] }
    let thinks = request.profile.thinking == .manual && request.thinkingType == "enabled"
    guard !request.profile.acceptsForcedTools || thinks else { return [] }
    return [invalid(rule, "Thinking may not be enabled when tool_choice forces tool use.")]
  }
}
