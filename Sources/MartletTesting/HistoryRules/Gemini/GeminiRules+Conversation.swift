import MartletJSON

extension GeminiRules {
  static let conversation = [someContent, roles, someParts, partData]

  static let someContent = WireRule<GeminiRequest>(
    "some_content", source: "generateContent reference, contents; wording as answered by the API"
  ) { request, rule in
    request.contents.isEmpty ? [invalid(rule, "* GenerateContentRequest.contents: contents is not specified\n")] : []
  }

  static let roles = WireRule<GeminiRequest>(
    "roles", source: "generateContent reference, Content.role; wording as answered by the API"
  ) { request, rule in
    request.contents.compactMap { content in
      guard let role = content.text("role"), !["user", "model", "function"].contains(role) else { return nil }
      return invalid(rule, "Please use a valid role: user, model.")
    }
  }

  static let someParts = WireRule<GeminiRequest>(
    "some_parts", source: "generateContent reference, Content.parts; wording as answered by the API"
  ) { request, rule in
    request.contents.enumerated().compactMap { index, content in
      guard content.elements("parts").isEmpty else { return nil }
      return invalid(
        rule, "* GenerateContentRequest.contents[\(index)].parts: contents.parts must not be empty.\n")
    }
  }

  private static let data = [
    "text", "functionCall", "functionResponse", "inlineData", "fileData", "executableCode", "codeExecutionResult",
    "toolCall", "toolResponse", "function_call", "function_response", "inline_data", "file_data", "executable_code",
    "code_execution_result", "tool_call", "tool_response",
  ]

  static let partData = WireRule<GeminiRequest>(
    "part_data", source: "generateContent reference, Part; wording as answered by the API"
  ) { request, rule in
    request.contents.enumerated().flatMap { index, content in
      content.elements("parts").enumerated().compactMap { number, part in
        guard !data.contains(where: { part[$0] != nil }) else { return nil }
        return invalid(
          rule,
          "* GenerateContentRequest.contents[\(index)].parts[\(number)].data: required oneof field 'data' must have one initialized field\n"
        )
      }
    }
  }
}
