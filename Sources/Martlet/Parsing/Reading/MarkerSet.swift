/// Markers to look for at once. No literal is a prefix of another.
struct MarkerSet: Sendable {
  enum Match {
    case none
    /// A marker may stand here once more bytes have come.
    case partial
    case full(Marker)
  }

  /// Markers by their first two bytes, which keeps comparisons few: most begin with `<`.
  private var buckets: [[(second: UInt8, markers: [Marker])]]
  private var firsts: [Bool]

  init(_ markers: [Marker]) {
    buckets = Array(repeating: [], count: 256)
    firsts = Array(repeating: false, count: 256)
    for marker in markers { insert(marker) }
  }

  /// Adds a marker unless its literal is there already. Literals have two bytes or more.
  private mutating func insert(_ marker: Marker) {
    precondition(marker.literal.count > 1, "a marker needs two bytes")
    let first = Int(marker.literal[0])
    let second = marker.literal[1]
    firsts[first] = true
    guard let index = buckets[first].firstIndex(where: { $0.second == second }) else {
      buckets[first].append((second, [marker]))
      return
    }
    if !buckets[first][index].markers.contains(where: { $0.literal == marker.literal }) {
      buckets[first][index].markers.append(marker)
    }
  }

  var all: [Marker] { buckets.flatMap { $0.flatMap(\.markers) } }

  func isFirst(_ byte: UInt8) -> Bool { firsts[Int(byte)] }

  func match(_ window: ByteWindow, at offset: Int, where isPossible: (Marker) -> Bool) -> Match {
    let bucket = buckets[Int(window[offset])]
    guard offset + 1 < window.end else {
      return bucket.contains { $0.markers.contains(where: isPossible) } ? .partial : .none
    }
    let second = window[offset + 1]
    guard let markers = bucket.first(where: { $0.second == second })?.markers else { return .none }
    var result = Match.none
    for marker in markers {
      switch window.matches(marker.literal, at: offset) {
      case true? where isPossible(marker): return .full(marker)
      case nil where isPossible(marker): result = .partial
      default: break
      }
    }
    return result
  }
}
