public import Martlet

/// What every provider asks of a conversation, said once for the neutral messages (invariant I1). The rules of single
/// providers are in their own files and look at what goes over the wire.
public enum MessageRules {
  /// What is wrong with a conversation about to be sent, each as one sentence; empty when nothing is.
  ///
  /// - Parameter continuesReply: whether the last reply ended with `pause_turn`, and is sent back to be continued.
  public static func violations(
    in messages: some Sequence<Message>, continuesReply: Bool = false
  ) -> [String] {
    var violations: [String] = []
    var open: [ToolCall] = []
    var usedIds: Set<String> = []
    var last: Message?
    for (index, message) in messages.enumerated() {
      if message.content.isEmpty { violations.append("message \(index) is empty") }
      for block in message.content {
        if let text = block.text, text.allSatisfy(\.isWhitespace), block.extra == nil {
          violations.append("message \(index) has an empty text block")
        }
      }
      if !open.isEmpty, message.role != .tool {
        violations.append("message \(index) stands between calls and their results")
        open = []
      }
      switch message.role {
      case .tool:
        let results = message.toolResults
        if results.count != message.content.count {
          violations.append("message \(index) mixes results with other blocks")
        }
        if results.map(\.callId) != open.map(\.id) {
          violations.append(
            "message \(index) answers \(results.map(\.callId)), but \(open.map(\.id)) were called, in this order")
        }
        for result in results where result.content.isEmpty {
          violations.append("the result of \(result.callId) is empty")
        }
        open = []
      case .assistant:
        for call in message.toolCalls {
          if call.id.isEmpty || !usedIds.insert(call.id).inserted {
            violations.append("message \(index) uses call id \"\(call.id)\" again")
          }
        }
        if message.content.contains(where: { if case .toolResult = $0.kind { true } else { false } }) {
          violations.append("message \(index) is a reply with a tool result in it")
        }
        open = message.toolCalls
      case .user, .system:
        if !message.toolCalls.isEmpty || !message.toolResults.isEmpty {
          violations.append("message \(index) of role \(message.role.rawValue) has calls or results in it")
        }
      }
      last = message
    }
    if !open.isEmpty { violations.append("the last calls have no results") }
    if let last, last.role == .assistant, !continuesReply {
      violations.append("the last message is the model's own: there is nothing to answer")
    }
    if last == nil { violations.append("there are no messages") }
    return violations
  }
}
