/// The messages of a conversation as the model sees them, each with the record that completed it. What one message of the
/// view is made of after a compaction (a summary, the request, what followed) is apart here.
struct ContextView: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    var message: Message
    var seq: Int
    var isSummary = false
  }

  /// A part of the first message: the blocks that came from one record.
  struct Part: Sendable, Hashable {
    var blocks: Int
    var seq: Int
    var isSummary: Bool
  }

  var entries: [Entry]

  /// The view of a history whose first message is made of these parts; no parts where it is a message like the others.
  init(_ history: MessageHistory, seqs: [Int], head: [Part]) {
    entries = zip(history, seqs).map { Entry(message: $0, seq: $1) }
    guard !head.isEmpty, let first = entries.first else { return }
    var blocks = first.message.content[...]
    let parts = head.map { part in
      defer { blocks = blocks.dropFirst(part.blocks) }
      return Entry(
        message: Message(role: .user, content: Array(blocks.prefix(part.blocks))), seq: part.seq,
        isSummary: part.isSummary)
    }
    entries.replaceSubrange(0..<1, with: parts)
  }

  /// The messages with what the user's voice says at the beginning as one, and what that one is made of.
  var merged: (messages: [Message], seqs: [Int], head: [Part]) {
    guard entries.contains(where: \.isSummary) else { return (entries.map(\.message), entries.map(\.seq), []) }
    let said = entries.prefix { $0.message.role == .user }
    guard let last = said.last else { return (entries.map(\.message), entries.map(\.seq), []) }
    let rest = entries.dropFirst(said.count)
    let first = Message(role: .user, content: said.flatMap(\.message.content))
    return (
      [first] + rest.map(\.message), [last.seq] + rest.map(\.seq),
      said.map { Part(blocks: $0.message.content.count, seq: $0.seq, isSummary: $0.isSummary) }
    )
  }

  /// Carries out a compaction.
  ///
  /// Thinking that a model has signed goes, because newer models bind it to all that stood before it, and so do replies
  /// that were nothing else.
  mutating func apply(_ compacted: Compacted) {
    let kept = Set(compacted.keep)
    let cleared = Set(compacted.cleared)
    let offloaded = Dictionary(compacted.offloaded.map { ($0.callId, $0) }) { first, _ in first }
    var result: [Entry] = []
    var summary =
      compacted.summary.isEmpty
      ? nil : Entry(message: Message(role: .user, content: compacted.summary), seq: compacted.fromSeq, isSummary: true)
    for var entry in entries {
      // A summary has the number of the first record that it stands for, which may be one that stays.
      let isReplaced =
        entry.seq >= compacted.fromSeq && entry.seq <= compacted.toSeq && (entry.isSummary || !kept.contains(entry.seq))
      if entry.seq >= compacted.fromSeq, let new = summary {
        result.append(new)
        summary = nil
      }
      if isReplaced { continue }
      entry.message.content = entry.message.content.filter { !$0.isBoundThinking }.map { block in
        guard case .toolResult(var answer) = block.kind else { return block }
        if let offloaded = offloaded[answer.callId] {
          answer.content = offloaded.rest(of: answer)
        } else if cleared.contains(answer.callId) {
          answer.content = [.text("(result cleared to save space)")]
        }
        return ContentBlock(.toolResult(answer), extra: block.extra)
      }
      if !entry.message.content.isEmpty { result.append(entry) }
    }
    if let summary { result.append(summary) }
    entries = result
  }
}

extension ContentBlock {
  /// Thinking that goes back to the model that made it, or to none.
  fileprivate var isBoundThinking: Bool {
    guard case .thinking(let thinking) = kind else { return false }
    return thinking.redacted || extra?.model != nil
  }
}
