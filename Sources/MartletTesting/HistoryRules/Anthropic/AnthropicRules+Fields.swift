import MartletJSON

extension AnthropicRules {
  static let fields = [requiredFields, knownFields]

  /// `model`, `max_tokens` and `messages` are required.
  static let requiredFields = WireRule<AnthropicRequest>(
    "required_fields", source: "Messages API reference, body parameters"
  ) { request, rule in
    ["model", "max_tokens", "messages"].filter { request.json.present($0) == nil }.map {
      invalid(rule, "\($0): Field required")
    }
  }

  private static let known: Set<String> = [
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "output_config", "stop_sequences",
    "cache_control", "metadata", "service_tier", "speed", "inference_geo", "container", "diagnostics", "stream",
    "temperature", "top_p", "top_k", "context_management", "compaction", "mcp_servers", "fallbacks",
    "fallback_credit_token", "thread", "billing_policy", "output_format",
  ]

  /// Unknown fields are refused.
  static let knownFields = WireRule<AnthropicRequest>(
    "known_fields", source: "Messages API reference, body parameters; wording as the API's validator's"
  ) { request, rule in
    (request.json.objectValue?.keys.filter { !known.contains($0) } ?? []).map {
      invalid(rule, "\($0): Extra inputs are not permitted")
    }
  }
}
