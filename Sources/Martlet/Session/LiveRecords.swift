/// Which records of a log still count: all but those that a rewind took back.
///
/// After a rewind to record n counts what counted at n, and what follows the rewind. So a rewind to a record that was taken
/// back itself brings it back.
package struct LiveRecords: Sendable, Hashable {
  private var rewinds: [Rewind] = []

  private struct Rewind: Sendable, Hashable {
    var seq: Int
    var target: Int
  }

  /// A log without rewinds.
  package init() {}

  package init(folding records: some Sequence<EventRecord>) { for record in records { take(record) } }

  /// Takes the next record.
  package mutating func take(_ record: EventRecord) {
    guard case .rewound(let rewound) = record.event, let seq = record.seq else { return }
    rewinds.append(Rewind(seq: seq, target: rewound.toSeq))
  }

  /// The ranges that do not count, oldest first.
  package var gaps: [ClosedRange<Int>] {
    var gaps: [ClosedRange<Int>] = []
    var end = Int.max
    for rewind in rewinds.reversed() where rewind.seq <= end {
      if rewind.target + 1 < rewind.seq { gaps.append(rewind.target + 1...rewind.seq - 1) }
      end = rewind.target
    }
    return gaps.reversed()
  }

  /// Whether a record counts.
  package func contains(_ seq: Int) -> Bool { !gaps.contains { $0.contains(seq) } }
}
