import MartletJSON

extension OpenAIResponsesRules {
  static let reasoning = [reasoningFollowed, reasoningForm, reasoningKept]

  /// What a reasoning item may stand before: something the model said or called. What it said must be the item it came
  /// with, known by its id: another text in its place is refused.
  private static func isOutput(_ item: JSONValue, isStored: Bool) -> Bool {
    switch OpenAIResponsesRequest.kind(item) {
    case "message": item.text("role") == "assistant" && (item.text("id") != nil || !isStored)
    case "item_reference", "compaction": true
    case let kind: kind.hasSuffix("_call") || kind == "reasoning" || kind == "mcp_approval_request" || kind == "program"
    }
  }

  static let reasoningFollowed = WireRule<OpenAIResponsesRequest>(
    "reasoning_followed", source: "A recorded answer"
  ) { request, rule in
    request.items.enumerated().compactMap { index, item in
      guard item.type == "reasoning" else { return nil }
      let next = request.items[(index + 1)...].first { $0.type != "reasoning" }
      guard !(next.map { isOutput($0, isStored: request.json["store"] != false) } ?? false) else { return nil }
      return OpenAIErrors.invalid(
        rule, param: "input",
        "Item '\(item.text("id") ?? "")' of type 'reasoning' was provided without its required following item.")
    }
  }

  static let reasoningForm = WireRule<OpenAIResponsesRequest>(
    "reasoning_form", source: "Responses reference, reasoning items; wording as answered by the API"
  ) { request, rule in
    request.items.enumerated().compactMap { index, item in
      guard item.type == "reasoning", item["summary"]?.arrayValue == nil else { return nil }
      return OpenAIErrors.missing(rule, "input[\(index)].summary")
    }
  }

  /// Without `store` the service knows no items: reasoning must come with its encrypted content.
  static let reasoningKept = WireRule<OpenAIResponsesRequest>(
    "reasoning_kept", source: "Responses, stateless use; wording as answered by the API"
  ) { request, rule in
    guard request.json["store"] == false else { return [] }
    return request.items.compactMap { item in
      guard item.type == "reasoning", let id = item.text("id"), item.present("encrypted_content") == nil else {
        return nil
      }
      return OpenAIErrors.invalid(
        rule, param: "input",
        "Item with id '\(id)' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
        status: 404)
    }
  }
}
