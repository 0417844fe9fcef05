extension JSONDecimal {
  static func < (left: Self, right: Self) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    let isSmaller = left.isMagnitudeSmaller(than: right)
    return left.isNegative ? right.isMagnitudeSmaller(than: left) : isSmaller
  }

  private func isMagnitudeSmaller(than other: Self) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }

  /// Whether this is an integer times `divisor`, which is not zero. Exact for divisors of up to 18 digits.
  func isMultiple(of divisor: Self) -> Bool {
    if digits.isEmpty { return true }
    // With all digits in front of the point, value = digits × 10^scale; no digits end in 0.
    let shift = (exponent - digits.count) - (divisor.exponent - divisor.digits.count)
    if shift < 0 { return false }
    guard divisor.digits.count <= 18 else { return digits == divisor.digits && shift == 0 }
    let modulus = divisor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
    let remainder = digits.reduce(UInt64(0)) { ($0 * 10 + UInt64($1)) % modulus }
    return Self.product(remainder, Self.power(of: 10 % modulus, shift, modulo: modulus), modulo: modulus) == 0
  }

  private static func power(of base: UInt64, _ exponent: Int, modulo modulus: UInt64) -> UInt64 {
    var result = 1 % modulus
    var square = base
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 { result = product(result, square, modulo: modulus) }
      square = product(square, square, modulo: modulus)
      rest >>= 1
    }
    return result
  }

  private static func product(_ left: UInt64, _ right: UInt64, modulo modulus: UInt64) -> UInt64 {
    modulus.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
  }
}
