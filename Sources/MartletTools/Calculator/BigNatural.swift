/// A whole number from zero up, of any size: the digits behind exact results.
///
/// The algorithms are the plain ones; the calculator keeps numbers below a few thousand bits, where they are fast enough.
struct BigNatural: Hashable, Sendable {
  /// Least significant first, no zeros at the end.
  private var limbs: [UInt]

  static let zero = BigNatural(0)
  static let one = BigNatural(1)

  init(_ value: UInt) { limbs = value == 0 ? [] : [value] }

  private init(limbs: [UInt]) {
    self.limbs = limbs
    while self.limbs.last == 0 { self.limbs.removeLast() }
  }

  var isZero: Bool { limbs.isEmpty }
  var isEven: Bool { (limbs.first ?? 0) & 1 == 0 }

  /// How many binary digits it has; 0 for zero.
  var bitWidth: Int { limbs.isEmpty ? 0 : limbs.count * UInt.bitWidth - (limbs.last ?? 0).leadingZeroBitCount }

  var trailingZeroBitCount: Int {
    guard let index = limbs.firstIndex(where: { $0 != 0 }) else { return 0 }
    return index * UInt.bitWidth + limbs[index].trailingZeroBitCount
  }

  /// The value, if it fits.
  var small: UInt? { limbs.count > 1 ? nil : limbs.first ?? 0 }

  static func + (left: Self, right: Self) -> Self {
    var result = left.limbs
    var carry = false
    for index in 0..<max(left.limbs.count, right.limbs.count) {
      if index == result.count { result.append(0) }
      let (first, overflowed) = result[index].addingReportingOverflow(
        index < right.limbs.count ? right.limbs[index] : 0)
      let (second, again) = first.addingReportingOverflow(carry ? 1 : 0)
      result[index] = second
      carry = overflowed || again
    }
    if carry { result.append(1) }
    return BigNatural(limbs: result)
  }

  /// - Precondition: `left` is not smaller than `right`.
  static func - (left: Self, right: Self) -> Self {
    precondition(left >= right)
    var result = left.limbs
    var borrow = false
    for index in result.indices {
      let (first, overflowed) = result[index].subtractingReportingOverflow(
        index < right.limbs.count ? right.limbs[index] : 0)
      let (second, again) = first.subtractingReportingOverflow(borrow ? 1 : 0)
      result[index] = second
      borrow = overflowed || again
      if !borrow && index >= right.limbs.count { break }
    }
    return BigNatural(limbs: result)
  }

  static func * (left: Self, right: Self) -> Self {
    var result = [UInt](repeating: 0, count: left.limbs.count + right.limbs.count)
    for (i, a) in left.limbs.enumerated() {
      var carry: UInt = 0
      for (j, b) in right.limbs.enumerated() {
        let (high, low) = a.multipliedFullWidth(by: b)
        let (first, overflowed) = low.addingReportingOverflow(result[i + j])
        let (second, again) = first.addingReportingOverflow(carry)
        result[i + j] = second
        carry = high &+ (overflowed ? 1 : 0) &+ (again ? 1 : 0)
      }
      result[i + right.limbs.count] = carry
    }
    return BigNatural(limbs: result)
  }

  static func << (value: Self, count: Int) -> Self {
    let (words, bits) = count.quotientAndRemainder(dividingBy: UInt.bitWidth)
    var result = [UInt](repeating: 0, count: words)
    var carry: UInt = 0
    for limb in value.limbs {
      result.append(limb << UInt(bits) | carry)
      carry = bits == 0 ? 0 : limb >> UInt(UInt.bitWidth - bits)
    }
    result.append(carry)
    return BigNatural(limbs: result)
  }

  static func >> (value: Self, count: Int) -> Self {
    let (words, bits) = count.quotientAndRemainder(dividingBy: UInt.bitWidth)
    guard words < value.limbs.count else { return .zero }
    var result = Array(value.limbs[words...])
    guard bits > 0 else { return BigNatural(limbs: result) }
    for index in result.indices {
      let next = index + 1 < result.count ? result[index + 1] : 0
      result[index] = result[index] >> UInt(bits) | next << UInt(UInt.bitWidth - bits)
    }
    return BigNatural(limbs: result)
  }

  /// Quotient and remainder, or nil for a divisor of zero.
  func divided(by divisor: Self) -> (quotient: Self, remainder: Self)? {
    guard !divisor.isZero else { return nil }
    if let small = divisor.small {
      let (quotient, remainder) = divided(by: small)
      return (quotient, BigNatural(remainder))
    }
    guard self >= divisor else { return (.zero, self) }
    // Bit by bit, from the highest at which the divisor fits.
    var remainder = self
    let shift = bitWidth - divisor.bitWidth
    var part = divisor << shift
    var quotient = [UInt](repeating: 0, count: shift / UInt.bitWidth + 1)
    for bit in stride(from: shift, through: 0, by: -1) {
      if remainder >= part {
        remainder = remainder - part
        quotient[bit / UInt.bitWidth] |= 1 << UInt(bit % UInt.bitWidth)
      }
      part = part >> 1
    }
    return (BigNatural(limbs: quotient), remainder)
  }

  /// - Precondition: `divisor` is not zero.
  private func divided(by divisor: UInt) -> (quotient: Self, remainder: UInt) {
    var result = limbs
    var remainder: UInt = 0
    for index in result.indices.reversed() {
      (result[index], remainder) = divisor.dividingFullWidth((remainder, result[index]))
    }
    return (BigNatural(limbs: result), remainder)
  }

  /// The greatest common divisor (binary algorithm; Stein 1967).
  static func greatestCommonDivisor(_ first: Self, _ second: Self) -> Self {
    if first.isZero { return second }
    if second.isZero { return first }
    let shared = min(first.trailingZeroBitCount, second.trailingZeroBitCount)
    var (a, b) = (first >> first.trailingZeroBitCount, second >> second.trailingZeroBitCount)
    while a != b {
      if a < b { swap(&a, &b) }
      a = a - b
      a = a >> a.trailingZeroBitCount
    }
    return a << shared
  }

  func power(_ exponent: Int) -> Self {
    var (result, base, rest) = (Self.one, self, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = result * base }
      rest >>= 1
      if rest > 0 { base = base * base }
    }
    return result
  }

  /// The largest number whose square is not larger than this.
  var squareRoot: Self {
    guard !isZero else { return .zero }
    // Newton's method from above falls until it is there.
    var guess = Self.one << ((bitWidth + 1) / 2)
    while let (quotient, _) = divided(by: guess) {
      let next = (guess + quotient) >> 1
      if next >= guess { return guess }
      guess = next
    }
    return guess
  }

  /// Reads decimal digits; nil if there is anything else.
  init?(digits: some Sequence<UInt8>) {
    var result = Self.zero
    // Nineteen digits fit a limb.
    var (chunk, scale): (UInt, UInt) = (0, 1)
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      chunk = chunk * 10 + UInt(byte - UInt8(ascii: "0"))
      scale *= 10
      if scale == 1_000_000_000_000_000_000 {
        result = result * BigNatural(scale) + BigNatural(chunk)
        (chunk, scale) = (0, 1)
      }
    }
    self = result * BigNatural(scale) + BigNatural(chunk)
  }

  /// The decimal digits; "0" for zero.
  var digits: String {
    var parts: [String] = []
    var rest = self
    while !rest.isZero {
      let (quotient, remainder) = rest.divided(by: 1_000_000_000_000_000_000)
      let text = String(remainder)
      parts.append(quotient.isZero ? text : String(repeating: "0", count: 18 - text.count) + text)
      rest = quotient
    }
    return parts.isEmpty ? "0" : parts.reversed().joined()
  }

  /// About the value, as `significand` × 2^`exponent`.
  var scaled: (significand: Double, exponent: Int) {
    let shift = max(0, bitWidth - 64)
    return (Double((self >> shift).small ?? 0), shift)
  }
}

extension BigNatural: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if left.limbs.count != right.limbs.count { return left.limbs.count < right.limbs.count }
    for index in left.limbs.indices.reversed() where left.limbs[index] != right.limbs[index] {
      return left.limbs[index] < right.limbs[index]
    }
    return false
  }
}
