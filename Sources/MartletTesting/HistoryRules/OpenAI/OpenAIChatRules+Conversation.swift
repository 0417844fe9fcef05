import MartletJSON

extension OpenAIChatRules {
  static let conversation = [requiredFields, roles, contentPresent, contentParts, imagePlaces, instructionRoles]

  static let requiredFields = WireRule<OpenAIChatRequest>(
    "required_fields", source: "Chat Completions reference; wording as answered by the API"
  ) { request, rule in
    if request.json.text("model") == nil {
      return [OpenAIErrors.invalid(rule, param: nil, "you must provide a model parameter")]
    }
    guard request.json["messages"] != nil else { return [OpenAIErrors.missing(rule, "messages")] }
    return request.messages.isEmpty ? [OpenAIErrors.emptyArray(rule, "messages")] : []
  }

  private static let known: Set<String> = ["system", "developer", "user", "assistant", "tool", "function"]

  static let roles = WireRule<OpenAIChatRequest>(
    "roles", source: "Chat Completions reference, messages.role; wording as answered by the API"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      guard let role = message.text("role") else { return OpenAIErrors.missing(rule, "messages[\(index)].role") }
      guard !known.contains(role) else { return nil }
      return OpenAIErrors.wrongValue(
        rule, "messages[\(index)].role", role,
        supported: "'system', 'assistant', 'user', 'function', 'tool', and 'developer'")
    }
  }

  /// Only an assistant message with calls, a refusal or audio may have no content.
  static let contentPresent = WireRule<OpenAIChatRequest>(
    "content_present", source: "Chat Completions reference, messages.content; wording as answered by the API"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      if message["content"]?.arrayValue?.isEmpty ?? false {
        return OpenAIErrors.emptyArray(rule, "messages[\(index)].content")
      }
      guard message.present("content") == nil else { return nil }
      let isOther = ["tool_calls", "function_call", "refusal", "audio"].contains { message.present($0) != nil }
      if message.text("role") == "assistant", isOther { return nil }
      return OpenAIErrors.invalid(
        rule, param: "messages.[\(index)].content", "Invalid value for 'content': expected a string, got null.")
    }
  }

  private static func partTypes(_ role: String, _ profile: OpenAIModelProfile) -> Set<String> {
    switch role {
    case "user": Set(["text", "image_url", "file"] + (profile.acceptsAudio ? ["input_audio"] : []))
    case "assistant": ["text", "refusal"]
    default: ["text"]
    }
  }

  static let contentParts = WireRule<OpenAIChatRequest>(
    "content_parts", source: "Chat Completions reference, content parts; a recorded answer"
  ) { request, rule in
    request.messages.enumerated().flatMap { index, message -> [RuleViolation] in
      let role = message.text("role") ?? ""
      return message.elements("content").compactMap { content in
        guard !partTypes(role, request.profile).contains(content.type), content.type != "image_url" else { return nil }
        return OpenAIErrors.invalid(
          rule, code: "invalid_value", param: "messages[\(index)]",
          "Invalid 'messages[\(index)]'. Content blocks are expected to be either text or image_url type.")
      }
    }
  }

  static let imagePlaces = WireRule<OpenAIChatRequest>(
    "image_places", source: "Chat Completions; wording as answered by the API"
  ) { request, rule in
    request.messages.enumerated().compactMap { index, message in
      let role = message.text("role") ?? ""
      guard role != "user", message.elements("content").contains(where: { $0.type == "image_url" }) else { return nil }
      return OpenAIErrors.invalid(
        rule, param: "messages.[\(index)].content",
        "Image URLs are only allowed for messages with role 'user', but this message with role '\(role)' contains an image URL."
      )
    }
  }

  /// The first reasoning models take no instructions.
  static let instructionRoles = WireRule<OpenAIChatRequest>(
    "instruction_roles", source: "A recorded answer of o1-mini"
  ) { request, rule in
    guard !request.profile.acceptsInstructions else { return [] }
    return request.messages.enumerated().compactMap { index, message in
      guard let role = message.text("role"), role == "system" || role == "developer" else { return nil }
      return OpenAIErrors.invalid(
        rule, code: "unsupported_value", param: "messages[\(index)].role",
        "Unsupported value: 'messages[\(index)].role' does not support '\(role)' with this model.")
    }
  }
}
