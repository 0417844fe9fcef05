import MartletJSON

extension GeminiRules {
  static let calls = [responseCount, responseOrder, callOrder, responseNames, callForm, signatures]

  /// All results of a turn stand in the content that follows it, as many as there were calls.
  static let responseCount = WireRule<GeminiRequest>(
    "response_count", source: "Function calling guide; wording as answered by the API"
  ) { request, rule in
    request.turns.enumerated().compactMap { index, turn in
      guard turn.isModel, !turn.calls.isEmpty else { return nil }
      let answered = index + 1 < request.turns.count ? request.turns[index + 1].responses.count : 0
      guard answered != turn.calls.count else { return nil }
      return invalid(
        rule,
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
      )
    }
  }

  static let responseOrder = WireRule<GeminiRequest>(
    "response_order", source: "Function calling guide; wording as answered by the API"
  ) { request, rule in
    request.turns.enumerated().compactMap { index, turn in
      guard !turn.responses.isEmpty, index == 0 || request.turns[index - 1].calls.isEmpty else { return nil }
      return invalid(
        rule, "Please ensure that function response turn comes immediately after a function call turn.")
    }
  }

  static let callOrder = WireRule<GeminiRequest>(
    "call_order", source: "Function calling guide; wording as answered by the API"
  ) { request, rule in
    request.turns.enumerated().compactMap { index, turn in
      guard turn.isModel, !turn.calls.isEmpty, index == 0 else { return nil }
      return invalid(
        rule,
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.")
    }
  }

  static let responseNames = WireRule<GeminiRequest>(
    "response_names", source: "Function calling guide; wording as answered by the API"
  ) { request, rule in
    request.contents.enumerated().flatMap { index, content in
      content.elements("parts").enumerated().compactMap { number, part in
        guard let response = part["functionResponse"] ?? part["function_response"],
          (response.text("name") ?? "").isEmpty
        else { return nil }
        return invalid(
          rule,
          "* GenerateContentRequest.contents[\(index)].parts[\(number)].function_response.name: Name cannot be empty.\n"
        )
      }
    }
  }

  /// Arguments and results are objects.
  static let callForm = WireRule<GeminiRequest>(
    "call_form", source: "generateContent reference, FunctionCall and FunctionResponse; wording as answered by the API"
  ) { request, rule in
    request.contents.enumerated().flatMap { index, content in
      content.elements("parts").enumerated().compactMap { number, part in
        let fields = [("functionCall", "function_call", "args"), ("functionResponse", "function_response", "response")]
        for (name, path, key) in fields {
          guard let value = (part[name] ?? part[path])?.present(key), value.objectValue == nil else { continue }
          return invalid(
            rule,
            "Invalid value at 'contents[\(index)].parts[\(number)].\(path).\(key)' (type.googleapis.com/google.protobuf.Struct), \(value.text())"
          )
        }
        return nil
      }
    }
  }

  /// In the turn at hand, the first call of each reply needs the signature it came with.
  static let signatures = WireRule<GeminiRequest>(
    "signatures", source: "Thought signatures guide; wording as answered by the API"
  ) { request, rule in
    guard request.needsSignatures else { return [] }
    let said = request.turns.lastIndex { !$0.isModel && $0.responses.isEmpty } ?? -1
    return request.turns.enumerated().compactMap { index, turn in
      guard index > said, turn.isModel,
        let part = turn.parts.first(where: { $0["functionCall"] ?? $0["function_call"] != nil }),
        part.present("thoughtSignature") ?? part.present("thought_signature") == nil
      else { return nil }
      let name = (part["functionCall"] ?? part["function_call"])?.text("name") ?? ""
      return invalid(
        rule,
        "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:\(name)` , position \(turn.first + 1). Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details."
      )
    }
  }
}
