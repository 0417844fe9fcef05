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
    var repair = IncrementalRepair()
    var repaired: [Message] = []
    repaired.reserveCapacity(messages.count)
    for message in messages { repaired += repair.take(message) }
    return repaired + repair.rest
  }

  /// Whether a block of a reply may be sent back.
  static func isSayableInReply(_ block: ContentBlock) -> Bool {
    if case .toolCall = block.kind { return true }
    return isSayable(block)
  }

  /// Whether a block may stand in a message by itself: no empty text, no stray call or result.
  static func isSayable(_ block: ContentBlock) -> Bool {
    switch block.kind {
    case .text(let text): block.extra != nil || text.contains { !$0.isWhitespace }
    case .toolResult, .toolCall: false
    case .thinking, .media, .opaque, .unknown: true
    }
  }
}
