/// Which records a loop's history can be cut back to: those since the view was last replaced (by a compaction or another
/// conversation), except those that a rewind has left behind. What the view was at any other record follows from the log
/// alone; it is not kept in memory, so that a session takes what its view takes and not what its log does.
struct HistoryReach: Sendable, Hashable {
  /// The record that replaced the view; 0 for none.
  private var start = 0
  /// Ranges of records that were taken back, oldest first.
  private var gaps: [ClosedRange<Int>] = []

  func contains(_ seq: Int) -> Bool { seq >= start && !gaps.contains { $0.contains(seq) } }

  mutating func replace(at seq: Int) {
    start = seq
    gaps = []
  }

  /// Takes a rewind to `target`, recorded at `seq`.
  mutating func rewind(to target: Int, at seq: Int) {
    gaps.removeAll { $0.lowerBound > target }
    if target + 1 < seq { gaps.append(target + 1...seq - 1) }
  }
}
