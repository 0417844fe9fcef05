/// Times as people write them: `90` and `90s` are seconds; `500ms`, `5m`, `2h`, `1d` and sums such as `1h30m`.
enum DurationText {
  static func parse(_ text: String) -> Duration? {
    if let seconds = Int(text) { return seconds > 0 ? .seconds(seconds) : nil }
    var total = Duration.zero
    var rest = Substring(text)
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let number = Double(digits), number.isFinite, number < 1e9 else { return nil }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let seconds = units[String(unit)] else { return nil }
      total += .seconds(number * seconds)
    }
    return total > .zero ? total : nil
  }

  private static let units: [String: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400]

  /// How long something took, short: `3 ms`, `1.2 s`, `2 m 5 s`.
  static func short(milliseconds: Double) -> String {
    switch milliseconds {
    case ..<0.95: "<1 ms"
    case ..<999.5: "\(Int(milliseconds.rounded())) ms"
    case ..<59_950: "\((milliseconds / 100).rounded() / 10) s"
    default: "\(Int(milliseconds / 60_000)) m \(Int(milliseconds / 1000) % 60) s"
    }
  }
}
