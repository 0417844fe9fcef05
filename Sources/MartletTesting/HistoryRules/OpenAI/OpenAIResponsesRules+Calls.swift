import MartletJSON

extension OpenAIResponsesRules {
  static let calls = [callForm, outputForm, callsHaveOutputs, outputsHaveCalls, singleOutputs]

  private static let pairs = ["function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"]
  private static let idLimit = 64

  private static func idFault(_ rule: String, _ path: String, _ item: JSONValue) -> RuleViolation? {
    guard let id = item.text("call_id") else { return OpenAIErrors.missing(rule, "\(path).call_id") }
    if id.isEmpty { return OpenAIErrors.emptyString(rule, "\(path).call_id") }
    return id.count > idLimit ? OpenAIErrors.longString(rule, "\(path).call_id", limit: idLimit, id) : nil
  }

  static let callForm = WireRule<OpenAIResponsesRequest>(
    "call_form", source: "Responses reference, function_call; wording as answered by the API"
  ) { request, rule in
    request.items.enumerated().compactMap { index, item in
      guard OpenAIResponsesRequest.kind(item) == "function_call" else { return nil }
      let path = "input[\(index)]"
      if let fault = idFault(rule, path, item) { return fault }
      if let fault = OpenAIErrors.name(rule, "\(path).name", item.text("name")) { return fault }
      guard let arguments = item["arguments"] else { return OpenAIErrors.missing(rule, "\(path).arguments") }
      guard arguments.stringValue == nil else { return nil }
      return OpenAIErrors.wrongType(rule, "\(path).arguments", expected: "a string", arguments)
    }
  }

  static let outputForm = WireRule<OpenAIResponsesRequest>(
    "output_form", source: "Responses reference, function_call_output; wording as answered by the API"
  ) { request, rule in
    request.items.enumerated().compactMap { index, item in
      guard OpenAIResponsesRequest.kind(item) == "function_call_output" else { return nil }
      let path = "input[\(index)]"
      if let fault = idFault(rule, path, item) { return fault }
      guard let output = item.present("output") else { return OpenAIErrors.missing(rule, "\(path).output") }
      guard output.stringValue == nil, output.arrayValue == nil else { return nil }
      return OpenAIErrors.wrongType(rule, "\(path).output", expected: "one of an array of objects or string", output)
    }
  }

  static let callsHaveOutputs = WireRule<OpenAIResponsesRequest>(
    "calls_have_outputs", source: "Responses; wording as answered by the API"
  ) { request, rule in
    request.items.enumerated().compactMap { index, item in
      guard let output = pairs[OpenAIResponsesRequest.kind(item)], let id = item.text("call_id") else { return nil }
      let isAnswered = request.items[index...].contains { $0.type == output && $0.text("call_id") == id }
      guard !isAnswered else { return nil }
      return OpenAIErrors.invalid(rule, param: "input", "No tool output found for function call \(id).")
    }
  }

  static let outputsHaveCalls = WireRule<OpenAIResponsesRequest>(
    "outputs_have_calls", source: "Responses; wording as answered by the API"
  ) { request, rule in
    // The call may be in the part of the conversation that the service holds.
    guard !request.continuesStored else { return [] }
    return request.items.enumerated().compactMap { index, item in
      guard let call = pairs.first(where: { $0.value == item.type })?.key, let id = item.text("call_id") else {
        return nil
      }
      let isReference: (JSONValue) -> Bool = { $0.type == "item_reference" }
      guard
        !request.items[..<index].contains(where: { ($0.type == call && $0.text("call_id") == id) || isReference($0) })
      else { return nil }
      return OpenAIErrors.invalid(
        rule, param: "input", "No tool call found for function call output with call_id \(id).")
    }
  }

  static let singleOutputs = WireRule<OpenAIResponsesRequest>(
    "single_outputs", source: "Responses; the wording is ours"
  ) { request, rule in
    var seen: Set<String> = []
    return request.items.compactMap { item in
      guard pairs.values.contains(item.type), let id = item.text("call_id"), !seen.insert(id).inserted else {
        return nil
      }
      return OpenAIErrors.invalid(rule, param: "input", "Multiple tool outputs found for function call \(id).")
    }
  }
}
