public import Martlet

/// What every provider asks of a conversation, said once for the neutral messages (invariant I1). The rules of single
/// providers are in their own files and look at what goes over the wire.
public enum MessageRules {
  /// Every rule about the messages alone.
  public static let all = [
    someMessage, someContent, wordsInText, resultsFollow, resultsAlone, resultContent, uniqueIDs, callNames,
    rolesOfBlocks,
  ]

  /// What is wrong with a conversation about to be sent, each as one sentence; empty when nothing is.
  ///
  /// - Parameter continuesReply: whether the last reply ended with `pause_turn`, and is sent back to be continued.
  public static func violations(
    in messages: some Sequence<Message>, continuesReply: Bool = false
  ) -> [String] {
    let messages = Array(messages)
    return all.flatMap { $0.violations(in: messages) }
      + (continuesReply ? [] : somethingToAnswer.violations(in: messages))
  }

  static let someMessage = MessageRule("some_message", source: "Anthropic and Gemini: some message is required") {
    $0.isEmpty ? ["there are no messages"] : []
  }

  static let someContent = MessageRule("some_content", source: "Anthropic non_empty_content, Gemini some_parts") {
    $0.enumerated().filter { $0.element.content.isEmpty }.map { "message \($0.offset) is empty" }
  }

  /// Empty text that a provider marked, such as a cited or signed block, goes back to it as it came.
  static let wordsInText = MessageRule("words_in_text", source: "Anthropic non_empty_text and text_with_words") {
    $0.enumerated().filter { _, message in
      message.content.contains { $0.extra == nil && ($0.text?.allSatisfy(\.isWhitespace) ?? false) }
    }.map { "message \($0.offset) has an empty text block" }
  }

  /// Every call, readable or not, has exactly one result, in call order, in the next message.
  static let resultsFollow = MessageRule(
    "results_follow",
    source: "Anthropic results_follow, OpenAI answers_follow and calls_have_outputs, Gemini response_count"
  ) { messages in
    var violations: [String] = []
    var open: [String] = []
    for (index, message) in messages.enumerated() {
      if message.role == .tool {
        let answered = message.toolResults.map(\.callId)
        if answered != open {
          violations.append("message \(index) answers \(answered), but \(open) were called, in this order")
        }
      } else if !open.isEmpty {
        violations.append("message \(index) stands between calls and their results")
      }
      open = message.role == .assistant ? message.toolCalls.map(\.id) : []
    }
    return open.isEmpty ? violations : violations + ["the last calls have no results"]
  }

  static let resultsAlone = MessageRule("results_alone", source: "Anthropic results_follow: results come first") {
    $0.enumerated().filter { $0.element.role == .tool && $0.element.toolResults.count != $0.element.content.count }
      .map { "message \($0.offset) mixes results with other blocks" }
  }

  static let resultContent = MessageRule("result_content", source: "Anthropic non_empty_text inside of results") {
    $0.flatMap(\.toolResults).filter(\.content.isEmpty).map { "the result of \($0.callId) is empty" }
  }

  static let uniqueIDs = MessageRule("unique_ids", source: "Anthropic unique_ids, OpenAI call_ids and unique_items") {
    messages in
    var used: Set<String> = []
    return messages.enumerated().flatMap { index, message in
      message.toolCalls.filter { $0.id.isEmpty || !used.insert($0.id).inserted }.map {
        "message \(index) uses call id \"\($0.id)\" again"
      }
    }
  }

  static let callNames = MessageRule(
    "call_names", source: "Anthropic call_name, OpenAI call_form, Gemini response_names"
  ) {
    $0.enumerated().flatMap { index, message in
      message.toolCalls.filter(\.name.isEmpty).map { "message \(index) has a call \"\($0.id)\" without a name" }
    }
  }

  /// Calls are the model's, results are the tools'.
  static let rolesOfBlocks = MessageRule(
    "roles_of_blocks", source: "Anthropic and OpenAI: which blocks a role may have"
  ) {
    $0.enumerated().compactMap { index, message in
      switch message.role {
      case .assistant where !message.toolResults.isEmpty: "message \(index) is a reply with a tool result in it"
      case .user where !message.toolCalls.isEmpty || !message.toolResults.isEmpty,
        .system where !message.toolCalls.isEmpty || !message.toolResults.isEmpty:
        "message \(index) of role \(message.role.rawValue) has calls or results in it"
      case .tool where !message.toolCalls.isEmpty: "message \(index) of role tool has calls in it"
      default: nil
      }
    }
  }

  static let somethingToAnswer = MessageRule("something_to_answer", source: "Anthropic prefill") {
    $0.last?.role == .assistant ? ["the last message is the model's own: there is nothing to answer"] : []
  }

  /// What changed of a conversation that may only have grown (invariant I2): newer models bind their thinking to all
  /// that stands before it (Anthropic `thinking_bound`), and every provider's cache needs the same beginning.
  public static func changes(from earlier: some Sequence<Message>, to later: some Sequence<Message>) -> [String] {
    let earlier = Array(earlier)
    let later = Array(later)
    var changes: [String] = []
    if later.count < earlier.count { changes.append("\(earlier.count - later.count) messages are gone") }
    for (index, (before, after)) in zip(earlier, later).enumerated() where before != after {
      let isThinking = thoughts(before) != thoughts(after)
      changes.append("\(isThinking ? "the thinking of " : "")message \(index) changed")
    }
    return changes
  }

  private static func thoughts(_ message: Message) -> [ContentBlock] {
    message.content.filter { if case .thinking = $0.kind { true } else { false } }
  }
}
