/// Markers to look for at once. No literal is a prefix of another.
struct MarkerSet: Sendable {
  enum Match {
    case none
    /// A marker may stand here once more bytes have come.
    case partial
    case full(Marker)
  }

  /// Markers by their first byte.
  private var byFirst: [[Marker]]
  private var firsts: [Bool]

  init(_ markers: [Marker]) {
    byFirst = Array(repeating: [], count: 256)
    firsts = Array(repeating: false, count: 256)
    for marker in markers { insert(marker) }
  }

  /// Adds a marker unless its literal is there already.
  mutating func insert(_ marker: Marker) {
    guard let first = marker.literal.first else { return }
    let bucket = byFirst[Int(first)]
    guard !bucket.contains(where: { $0.literal == marker.literal }) else { return }
    byFirst[Int(first)].append(marker)
    firsts[Int(first)] = true
  }

  var all: [Marker] { byFirst.flatMap { $0 } }

  func isFirst(_ byte: UInt8) -> Bool { firsts[Int(byte)] }

  func match(_ window: ByteWindow, at offset: Int, where isPossible: (Marker) -> Bool) -> Match {
    var result = Match.none
    for marker in byFirst[Int(window[offset])] where isPossible(marker) {
      switch window.matches(marker.literal, at: offset) {
      case true?: return .full(marker)
      case nil: result = .partial
      case false?: break
      }
    }
    return result
  }
}
