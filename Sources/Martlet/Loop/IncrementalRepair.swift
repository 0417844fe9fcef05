/// Repairs a conversation message by message, as `HistoryRepair` repairs a whole one: what has come out does not change
/// when more goes in, so that what was made of it (a provider's encoding) can be kept.
package struct IncrementalRepair: Sendable {
  private struct Call: Sendable {
    /// The id that the call came with; results name it.
    var original: String
    var call: ToolCall
  }

  private var usedIds: Set<String> = []
  /// The calls of the last reply, while results are missing.
  private var open: [Call] = []
  private var results: [String: ContentBlock] = [:]
  /// What was said while calls were open: it goes after their results.
  private var held: [Message] = []

  package init() {}

  /// Takes the next message; returns what is settled by it, in order.
  package mutating func take(_ message: Message) -> [Message] {
    switch message.role {
    case .assistant:
      var settled = open.isEmpty ? [] : rest
      close()
      let (reply, calls) = uniqueCalls(of: message)
      if !reply.content.isEmpty { settled.append(reply) }
      open = calls
      return settled
    case .tool:
      if answersInOrder(message) {
        close()
        return [message]
      }
      for block in message.content {
        guard case .toolResult(let result) = block.kind, results[result.callId] == nil else { continue }
        results[result.callId] = block
      }
      guard !open.isEmpty, open.allSatisfy({ results[$0.original] != nil }) else { return [] }
      let settled = rest
      close()
      return settled
    case .user, .system:
      let kept =
        message.content.allSatisfy(HistoryRepair.isSayable)
        ? message : Message(role: message.role, content: message.content.filter(HistoryRepair.isSayable))
      guard !kept.content.isEmpty else { return [] }
      if open.isEmpty { return [kept] }
      held.append(kept)
      return []
    }
  }

  /// What follows if the conversation ends here: results for open calls, and what was said since.
  package var rest: [Message] {
    guard !open.isEmpty else { return held }
    let answers = open.map { open in
      var block =
        results[open.original] ?? .toolResult(.failure(open.call, code: .interrupted, "No result was recorded."))
      if case .toolResult(var result) = block.kind {
        result.callId = open.call.id
        if result.content.isEmpty { result.content = [.text("(no output)")] }
        block.kind = .toolResult(result)
      }
      return block
    }
    return [Message(role: .tool, content: answers)] + held
  }

  private mutating func close() {
    open = []
    held = []
    results = [:]
  }

  /// Whether the message is exactly the results of the open calls: what a valid history has.
  private func answersInOrder(_ message: Message) -> Bool {
    guard held.isEmpty, results.isEmpty, !open.isEmpty, message.content.count == open.count else { return false }
    return zip(message.content, open).allSatisfy { block, open in
      guard case .toolResult(let result) = block.kind else { return false }
      return result.callId == open.call.id && open.original == open.call.id && !result.content.isEmpty
    }
  }

  /// The message with empty blocks dropped and ids made unique, and its calls with the ids they had.
  private mutating func uniqueCalls(of message: Message) -> (message: Message, calls: [Call]) {
    var calls: [Call] = []
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
        calls.append(Call(original: original, call: call))
        content.append(block)
      } else if HistoryRepair.isSayable(block) {
        content.append(block)
      }
    }
    return (Message(role: .assistant, content: content), calls)
  }
}
