/// Makes any list of messages a valid history (invariant I1): each call has exactly one result, in call order, in the
/// one message after it; no result stands without its call; nothing is empty.
///
/// One pure, total function for histories that come from outside (assigned by the app, imported, cut by a rewind). The
/// loop's own histories are valid without it, because missing results are appended as events.
public enum HistoryRepair {
  /// The repaired messages. A valid history comes back unchanged.
  ///
  /// Missing results become `interrupted` ones; results without a call, second results of a call, empty text and empty
  /// messages go; a second call with an id already used gets a new id, derived from the old one.
  public static func repaired(_ messages: [Message]) -> [Message] {
    var repaired: [Message] = []
    repaired.reserveCapacity(messages.count)
    var usedIds: Set<String> = []
    var position = 0
    while position < messages.count {
      let message = messages[position]
      position += 1
      switch message.role {
      case .tool:
        // Results that belong to a call were taken with it.
        continue
      case .assistant:
        let (reply, calls) = uniqueCalls(of: message, usedIds: &usedIds)
        guard !reply.content.isEmpty else { continue }
        repaired.append(reply)
        guard !calls.isEmpty else { continue }
        let results = results(in: messages[position...])
        repaired.append(
          Message(
            role: .tool,
            content: calls.map { original, call in
              var block =
                results[original] ?? .toolResult(.failure(call, code: .interrupted, "No result was recorded."))
              if case .toolResult(var result) = block.kind {
                result.callId = call.id
                if result.content.isEmpty { result.content = [.text("(no output)")] }
                block.kind = .toolResult(result)
              }
              return block
            }))
      case .user, .system:
        let kept = Message(role: message.role, content: message.content.filter(isSayable))
        if !kept.content.isEmpty { repaired.append(kept) }
      }
    }
    return repaired
  }

  /// The message with empty blocks dropped and ids made unique, and its calls with the ids they had.
  private static func uniqueCalls(
    of message: Message, usedIds: inout Set<String>
  ) -> (message: Message, calls: [(original: String, call: ToolCall)]) {
    var calls: [(String, ToolCall)] = []
    var content: [ContentBlock] = []
    for var block in message.content {
      if case .toolCall(var call) = block.kind {
        let original = call.id
        var suffix = 1
        while call.id.isEmpty || usedIds.contains(call.id) {
          suffix += 1
          call.id = "\(original.isEmpty ? "call" : original)_\(suffix)"
        }
        usedIds.insert(call.id)
        block.kind = .toolCall(call)
        calls.append((original, call))
        content.append(block)
      } else if isSayable(block) {
        content.append(block)
      }
    }
    return (Message(role: .assistant, content: content), calls)
  }

  /// The first result of each call in the messages up to the next reply.
  private static func results(in messages: ArraySlice<Message>) -> [String: ContentBlock] {
    var results: [String: ContentBlock] = [:]
    for message in messages {
      if message.role == .assistant { break }
      guard message.role == .tool else { continue }
      for block in message.content {
        if case .toolResult(let result) = block.kind, results[result.callId] == nil { results[result.callId] = block }
      }
    }
    return results
  }

  /// Whether a block of a reply may be sent back.
  static func isSayableInReply(_ block: ContentBlock) -> Bool {
    if case .toolCall = block.kind { return true }
    return isSayable(block)
  }

  /// Whether a block may stand in a message by itself: no empty text, no stray call or result.
  private static func isSayable(_ block: ContentBlock) -> Bool {
    switch block.kind {
    case .text(let text): block.extra != nil || text.contains { !$0.isWhitespace }
    case .toolResult, .toolCall: false
    case .thinking, .media, .opaque, .unknown: true
    }
  }
}
