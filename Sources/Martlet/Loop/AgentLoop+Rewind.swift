extension AgentLoop {
  /// Cuts the conversation back to what it was after a record. A new epoch must be declared before the next request: what
  /// it sends is a beginning of what was sent before, and no longer a continuation of it.
  ///
  /// The settings of the session stay as they are now, and so do the sums of what was used, messages that wait, and the
  /// ids of calls, none of which may come twice. Where the view cannot be cut (`canRewind`), a `history_replaced` follows
  /// in the log.
  mutating func rewind(to seq: Int) {
    let kept = messageSeqs.prefix { $0 <= seq }.count
    let (first, head) = (history.first, head)
    setHistory(HistoryRepair.repaired(Array(history.prefix(kept))), seqs: Array(messageSeqs.prefix(kept)))
    // What of the first message is a summary stays one, and is nothing that the user said.
    if kept > 0, history.first == first { self.head = head }
    reach.rewind(to: seq, at: lastSeq)
    run = nil
    pendingInputs = []
    phase = .idle
    lastEnd = nil
  }

  /// Whether the conversation as it was after a record is a beginning of the one now. Not so where the view was replaced
  /// since, where that record was itself taken back, and within a turn of tools, whose results so far stand in no message
  /// yet.
  func canRewind(to seq: Int) -> Bool {
    guard reach.contains(seq) else { return false }
    let kept = messageSeqs.prefix { $0 <= seq }.count
    return kept == 0 || history[kept - 1].toolCalls.isEmpty
  }

  /// What is recorded when something new is said although a run is open; what then is pending settles the run.
  static let superseding: [AgentEvent] = [
    .runResumed(RunResumed(reason: CancelRequested.superseded)),
    .cancelRequested(CancelRequested(by: CancelRequested.superseded)),
  ]

  /// The conversation if the open run ended here: calls that were running have an unknown outcome or were interrupted.
  var settledHistory: MessageHistory {
    guard run != nil else { return history }
    var loop = self
    for event in Self.superseding { loop.apply(event) }
    while case .record(let events) = loop.pendingEffects.first { for event in events { loop.apply(event) } }
    return loop.history
  }
}
