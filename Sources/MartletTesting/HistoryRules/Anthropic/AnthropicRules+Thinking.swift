import MartletJSON

extension AnthropicRules {
  static let thinking = [
    thinkingSetting, thinkingBudget, thinkingFields, thinkingFirst, thinkingUnmodified, thinkingBound,
  ]

  static let thinkingSetting = WireRule<AnthropicRequest>(
    "thinking_setting", source: "Documentation, thinking by model; wording as reported publicly"
  ) { request, rule in
    switch (request.profile.thinking, request.thinkingType) {
    case (.manual, "adaptive"): [invalid(rule, "adaptive thinking is not supported on this model")]
    case (.adaptive, "enabled"), (.always, "enabled"):
      [
        invalid(
          rule,
          "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior."
        )
      ]
    case (.always, "disabled"): [invalid(rule, "\"thinking.type.disabled\" is not supported for this model.")]
    default: []
    }
  }

  static let thinkingBudget = WireRule<AnthropicRequest>(
    "thinking_budget", source: "Messages API reference, thinking.budget_tokens; wording as answered by the API"
  ) { request, rule in
    guard request.thinkingType == "enabled" else { return [] }
    let budget = request.json["thinking"]?["budget_tokens"]?.intValue ?? 0
    if budget < 1024 {
      return [
        invalid(rule, "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
      ]
    }
    guard let limit = request.json["max_tokens"]?.intValue, limit <= budget else { return [] }
    return [invalid(rule, "`max_tokens` must be greater than `thinking.budget_tokens`.")]
  }

  static let thinkingFields = WireRule<AnthropicRequest>(
    "thinking_fields", source: "Messages API reference, thinking blocks; wording as the API's validator's"
  ) { request, rule in
    request.blocks.compactMap { block in
      let keys =
        block.type == "thinking" ? ["thinking", "signature"] : block.type == "redacted_thinking" ? ["data"] : []
      guard let missing = keys.first(where: { block.json.text($0) == nil }) else { return nil }
      return invalid(rule, "\(block.path).\(block.type).\(missing): Field required")
    }
  }

  /// The replies since the user last said something: the turn that is still being worked on.
  private static func openReplies(_ request: AnthropicRequest) -> ArraySlice<AnthropicRequest.Turn> {
    let said = request.turns.lastIndex { turn in
      turn.role == "user" && turn.blocks.contains { !$0.isResult }
    }
    return request.turns[(said.map { $0 + 1 } ?? 0)...].filter { $0.role == "assistant" }[...]
  }

  /// With manual thinking a reply that calls tools must begin with its thinking while its turn goes on.
  static let thinkingFirst = WireRule<AnthropicRequest>(
    "thinking_first", source: "Documentation, extended thinking with tool use; wording as answered by the API"
  ) { request, rule in
    guard request.profile.thinking == .manual, request.thinkingType == "enabled",
      let reply = openReplies(request).first, reply.blocks.contains(where: { $0.type == "tool_use" }),
      let first = reply.blocks.first, !first.isThinking
    else { return [] }
    return [
      invalid(
        rule,
        "\(first.path).type: Expected `thinking` or `redacted_thinking`, but found `\(first.type)`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`."
      )
    ]
  }

  /// Thinking of the latest turn goes back as it came, in order, empty blocks too.
  static let thinkingUnmodified = WireRule<AnthropicRequest>(
    "thinking_unmodified", source: "Documentation, preserving thinking blocks; wording as answered by the API"
  ) { request, rule in
    guard !request.issued.isEmpty, request.thinkingType != "disabled" else { return [] }
    func thoughts(_ content: [JSONValue]) -> [JSONValue] {
      content.filter { $0.type == "thinking" || $0.type == "redacted_thinking" }
    }
    return openReplies(request).compactMap { reply in
      let ids = Set(reply.blocks.compactMap { $0.json.text("id") })
      let origins = request.issued.filter { content in
        content.contains { ids.contains($0.text("id") ?? "") }
      }
      guard !origins.isEmpty else { return nil }
      let sent = reply.blocks.map { $0.json.removing("cache_control") }
      guard thoughts(sent) != origins.flatMap(thoughts) else { return nil }
      let place = reply.blocks.first(where: \.isThinking) ?? reply.blocks[0]
      return invalid(
        rule,
        "\(place.path): `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response."
      )
    }
  }

  /// Newer models bind thinking to everything before it.
  static let thinkingBound = WireRule<AnthropicRequest>(
    "thinking_bound", source: "Documentation, preserved thinking; wording as answered by the API"
  ) { request, rule in
    guard request.profile.bindsThinking,
      request.json["thinking"]?["block_binding"]?.text("prefix_mismatch_behavior") != "drop_block"
    else { return [] }
    return request.blocks.compactMap { block in
      guard let signature = block.json.text("signature"), AnthropicSignature.isBound(signature),
        signature != AnthropicSignature.bound(to: request, before: block.message)
      else { return nil }
      return invalid(
        rule,
        "\(block.path): Invalid signature in thinking block. The block is bound to a different conversation.")
    }
  }
}
