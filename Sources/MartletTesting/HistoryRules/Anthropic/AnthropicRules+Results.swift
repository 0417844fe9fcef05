import MartletJSON

extension AnthropicRules {
  static let results = [resultsFollow, resultsHaveCalls, singleResults, uniqueIDs, serverToolOpen]

  private static func callIDs(_ turn: AnthropicRequest.Turn) -> [String] {
    turn.blocks.filter { $0.type == "tool_use" }.compactMap { $0.json.text("id") }
  }

  /// The results a user turn begins with. Those behind other blocks do not count as answers.
  private static func leadingResults(_ turn: AnthropicRequest.Turn) -> [AnthropicRequest.Block] {
    Array(turn.blocks.prefix(while: \.isResult))
  }

  /// The turn that answers the calls of a reply: the next one, if it is the user's.
  private static func answer(after index: Int, in request: AnthropicRequest) -> AnthropicRequest.Turn? {
    guard index + 1 < request.turns.count, request.turns[index + 1].role == "user" else { return nil }
    return request.turns[index + 1]
  }

  /// Every call is answered at the beginning of the next message. Checked after merging neighbours of one role, for
  /// calls may be split over several messages.
  static let resultsFollow = WireRule<AnthropicRequest>(
    "results_follow", source: "Documentation, handling tool use; wording as answered by the API"
  ) { request, rule in
    request.turns.enumerated().compactMap { index, turn in
      guard turn.role == "assistant" else { return nil }
      let answered = answer(after: index, in: request).map(leadingResults) ?? []
      let ids = Set(answered.compactMap { $0.json.text("tool_use_id") })
      let missing = callIDs(turn).filter { !ids.contains($0) }
      guard !missing.isEmpty else { return nil }
      return invalid(
        rule,
        "messages.\(turn.last): `tool_use` ids were found without `tool_result` blocks immediately after: "
          + missing.joined(separator: ", ")
          + ". Each `tool_use` block must have a corresponding `tool_result` block in the next message.")
    }
  }

  static let resultsHaveCalls = WireRule<AnthropicRequest>(
    "results_have_calls", source: "Documentation, handling tool use; wording as answered by the API"
  ) { request, rule in
    request.turns.enumerated().flatMap { index, turn -> [RuleViolation] in
      guard turn.role == "user" else { return [] }
      let before = index > 0 && request.turns[index - 1].role == "assistant" ? callIDs(request.turns[index - 1]) : []
      return turn.blocks.filter { block in
        block.isResult && !before.contains(block.json.text("tool_use_id") ?? "")
      }.map { block in
        invalid(
          rule,
          "\(block.path): unexpected `tool_use_id` found in `tool_result` blocks: "
            + (block.json.text("tool_use_id") ?? "")
            + ". Each `tool_result` block must have a corresponding `tool_use` block in the previous message.")
      }
    }
  }

  static let singleResults = WireRule<AnthropicRequest>(
    "single_results", source: "Messages API; wording as answered by the API"
  ) { request, rule in
    request.turns.flatMap { turn -> [RuleViolation] in
      var seen: Set<String> = []
      return turn.blocks.compactMap { block in
        guard block.isResult, let id = block.json.text("tool_use_id"), !seen.insert(id).inserted else { return nil }
        return invalid(
          rule,
          "\(block.path): each tool_use must have a single result. Found multiple `tool_result` blocks with id: \(id)")
      }
    }
  }

  static let uniqueIDs = WireRule<AnthropicRequest>(
    "unique_ids", source: "Messages API; wording as answered by the API"
  ) { request, rule in
    var seen: Set<String> = []
    return request.blocks.compactMap { block in
      guard block.type == "tool_use", let id = block.json.text("id"), !seen.insert(id).inserted else { return nil }
      return invalid(rule, "\(block.path): `tool_use` ids must be unique")
    }
  }

  /// While a tool of the provider has no result, the answer may hold results only.
  static let serverToolOpen = WireRule<AnthropicRequest>(
    "server_tool_open", source: "Documentation, server tools; the wording is ours"
  ) { request, rule in
    request.turns.enumerated().compactMap { index, turn in
      guard turn.role == "assistant", let answer = answer(after: index, in: request) else { return nil }
      let closed = Set(turn.blocks.compactMap { $0.json.text("tool_use_id") })
      let open = turn.blocks.filter { $0.type == "server_tool_use" && !closed.contains($0.json.text("id") ?? "") }
      guard !open.isEmpty, let other = answer.blocks.first(where: { !$0.isResult }) else { return nil }
      return invalid(
        rule, "\(other.path): only `tool_result` blocks may follow while a `server_tool_use` block has no result")
    }
  }
}
