/// A set of code points: ranges, Unicode properties, or the complement of both.
package struct ScalarClass: Hashable, Sendable {
  package static let maximum: UInt32 = 0x10FFFF

  /// Sorted, disjoint and not adjacent.
  package private(set) var ranges: [ClosedRange<UInt32>]
  package private(set) var properties: [ScalarProperty]
  package private(set) var isNegated: Bool
  /// One bit per ASCII code point, with negation already applied.
  private var ascii: (low: UInt64, high: UInt64) = (0, 0)

  package init(ranges: [ClosedRange<UInt32>], properties: [ScalarProperty] = [], isNegated: Bool = false) {
    self.ranges = Self.merged(ranges)
    self.properties = properties
    self.isNegated = isNegated
    for value in UInt32(0)..<128 where containsSlowly(value) {
      if value < 64 { ascii.low |= 1 << UInt64(value) } else { ascii.high |= 1 << UInt64(value - 64) }
    }
  }

  package init(_ scalar: UInt32) { self.init(ranges: [scalar...scalar]) }

  package func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return ascii.low >> UInt64(scalar) & 1 == 1 }
    if scalar < 128 { return ascii.high >> UInt64(scalar - 64) & 1 == 1 }
    return containsSlowly(scalar)
  }

  /// The only code point of this class, if there is exactly one.
  package var single: UInt32? {
    guard !isNegated, properties.isEmpty, ranges.count == 1, let range = ranges.first, range.count == 1 else {
      return nil
    }
    return range.lowerBound
  }

  private func containsSlowly(_ scalar: UInt32) -> Bool {
    (inRanges(scalar) || properties.contains { $0.contains(scalar) }) != isNegated
  }

  private func inRanges(_ scalar: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= scalar
  }

  private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound &+ 1 {
        result[result.count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// What `ranges` leaves out of all code points.
  package static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in merged(ranges) {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    if next <= maximum { result.append(next...maximum) }
    return result
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.ranges == right.ranges && left.properties == right.properties && left.isNegated == right.isNegated
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ranges)
    hasher.combine(properties)
    hasher.combine(isNegated)
  }
}

/// The classes ECMA-262 gives names to.
extension ScalarClass {
  static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
  static let word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
  /// WhiteSpace and LineTerminator of ECMA-262 (clauses 12.2 and 12.3).
  static let space: [ClosedRange<UInt32>] = [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ]
  static let lineEnds: [ClosedRange<UInt32>] = [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]
  /// What `.` stands for: everything but a line end.
  static let dot = ScalarClass(ranges: lineEnds, isNegated: true)
}
