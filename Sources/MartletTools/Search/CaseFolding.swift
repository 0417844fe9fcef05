import MartletJSON

extension PatternNode {
  /// The same pattern for text in any case: each letter stands for both of its cases.
  var ignoringCase: PatternNode {
    switch self {
    case .empty, .boundary: self
    case .scalar(let scalars): .scalar(scalars.ignoringCase)
    case .concatenation(let parts): .concatenation(parts.map(\.ignoringCase))
    case .alternation(let branches): .alternation(branches.map(\.ignoringCase))
    case .repetition(let body, let min, let max): .repetition(body.ignoringCase, min: min, max: max)
    case .lookaround(let body, let look): .lookaround(body.ignoringCase, look)
    }
  }
}

extension ScalarClass {
  /// Ranges longer than this are folded in ASCII only: they have their letters in both cases, as a rule.
  private static let foldedLength = 512

  fileprivate var ignoringCase: ScalarClass {
    var folded = ranges
    for range in ranges {
      if range.count <= Self.foldedLength {
        for value in range { folded += Self.otherCases(of: value).map { $0...$0 } }
      } else {
        for (letters, distance) in [(UInt32(0x41)...0x5A, UInt32(32)), (UInt32(0x61)...0x7A, 0 &- 32)] {
          let shared = range.clamped(to: letters)
          guard range.overlaps(letters) else { continue }
          folded.append((shared.lowerBound &+ distance)...(shared.upperBound &+ distance))
        }
      }
    }
    return ScalarClass(ranges: folded, properties: properties, isNegated: isNegated)
  }

  /// The other case of a letter where it is one code point.
  private static func otherCases(of value: UInt32) -> [UInt32] {
    guard let properties = Unicode.Scalar(value)?.properties else { return [] }
    return [properties.lowercaseMapping, properties.uppercaseMapping].compactMap { text in
      guard text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first else { return nil }
      return scalar.value == value ? nil : scalar.value
    }
  }
}
