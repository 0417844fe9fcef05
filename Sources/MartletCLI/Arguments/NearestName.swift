/// Finds what somebody probably meant.
enum NearestName {
  /// The closest of `names`; nil when none is close: more than a third of the letters differ.
  static func of(_ written: String, among names: some Sequence<String>) -> String? {
    let word = Array(written.lowercased().unicodeScalars.prefix(64))
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(word, Array(name.lowercased().unicodeScalars))
      if distance < best?.distance ?? .max { best = (name, distance) }
    }
    guard let best, best.distance <= max(1, word.count / 3) else { return nil }
    return best.name
  }

  /// Letters to add, drop, change or swap with their neighbour (restricted Damerau–Levenshtein).
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, before[j - 2] + 1) }
        row.append(cost)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
