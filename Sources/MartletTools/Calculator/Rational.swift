/// An exact fraction in lowest terms.
struct Rational: Hashable, Sendable {
  let isNegative: Bool
  let numerator: BigNatural
  let denominator: BigNatural

  static let zero = Rational(0)
  static let one = Rational(1)

  init(_ value: Int) {
    self.init(isNegative: value < 0, numerator: BigNatural(value.magnitude))
  }

  init(isNegative: Bool = false, numerator: BigNatural) {
    self.isNegative = isNegative && !numerator.isZero
    self.numerator = numerator
    denominator = .one
  }

  /// - Precondition: `denominator` is not zero.
  init(isNegative: Bool = false, numerator: BigNatural, denominator: BigNatural) {
    precondition(!denominator.isZero)
    self.isNegative = isNegative && !numerator.isZero
    if denominator == .one {
      (self.numerator, self.denominator) = (numerator, denominator)
      return
    }
    let divisor = BigNatural.greatestCommonDivisor(numerator, denominator)
    self.numerator = numerator.divided(by: divisor)?.quotient ?? numerator
    self.denominator = denominator.divided(by: divisor)?.quotient ?? denominator
  }

  /// The exact value of a finite number: a Double is a fraction too.
  init?(_ value: Double) {
    guard value.isFinite else { return nil }
    guard value != 0 else {
      self = .zero
      return
    }
    // An odd significand and a power of two.
    let bits = value.significandWidth
    let whole = BigNatural(UInt(value.significand.magnitude * Double(sign: .plus, exponent: bits, significand: 1)))
    let exponent = Int(value.exponent) - bits
    self.init(
      isNegative: value < 0, numerator: exponent > 0 ? whole << exponent : whole,
      denominator: exponent < 0 ? .one << -exponent : .one)
  }

  var isZero: Bool { numerator.isZero }
  var isInteger: Bool { denominator == .one }
  var magnitude: Self { isNegative ? -self : self }

  /// The bits of the larger of its two parts: what an operation on it costs.
  var bitWidth: Int { max(numerator.bitWidth, denominator.bitWidth) }

  /// The value, if it is whole and fits.
  var int: Int? {
    guard isInteger, let magnitude = numerator.small else { return nil }
    return Int(exactly: magnitude).map { isNegative ? -$0 : $0 }
  }

  /// The nearest Double or one beside it; infinite when it is too large.
  var double: Double {
    let (above, below) = (numerator.scaled, denominator.scaled)
    let quotient = above.significand / below.significand
    let value = Double(sign: .plus, exponent: above.exponent - below.exponent, significand: quotient)
    return isNegative ? -value : value
  }

  static prefix func - (value: Self) -> Self {
    Rational(isNegative: !value.isNegative, numerator: value.numerator, reduced: value.denominator)
  }

  private init(isNegative: Bool, numerator: BigNatural, reduced denominator: BigNatural) {
    self.isNegative = isNegative && !numerator.isZero
    self.numerator = numerator
    self.denominator = denominator
  }

  static func + (left: Self, right: Self) -> Self {
    let first = left.numerator * right.denominator
    let second = right.numerator * left.denominator
    let denominator = left.denominator * right.denominator
    if left.isNegative == right.isNegative {
      return Rational(isNegative: left.isNegative, numerator: first + second, denominator: denominator)
    }
    return first >= second
      ? Rational(isNegative: left.isNegative, numerator: first - second, denominator: denominator)
      : Rational(isNegative: right.isNegative, numerator: second - first, denominator: denominator)
  }

  static func - (left: Self, right: Self) -> Self { left + -right }

  static func * (left: Self, right: Self) -> Self {
    Rational(
      isNegative: left.isNegative != right.isNegative, numerator: left.numerator * right.numerator,
      denominator: left.denominator * right.denominator)
  }

  /// Nil for a divisor of zero.
  func divided(by divisor: Self) -> Self? {
    guard !divisor.isZero else { return nil }
    return Rational(
      isNegative: isNegative != divisor.isNegative, numerator: numerator * divisor.denominator,
      denominator: denominator * divisor.numerator)
  }

  /// The whole part: rounded toward zero.
  var truncated: Self {
    Rational(isNegative: isNegative, numerator: numerator.divided(by: denominator)?.quotient ?? numerator)
  }

  /// What division by `divisor` leaves, with the sign of the dividend. Nil for a divisor of zero.
  func remainder(dividingBy divisor: Self) -> Self? {
    divided(by: divisor).map { self - $0.truncated * divisor }
  }

  /// Nil for zero to a negative power.
  func power(_ exponent: Int) -> Self? {
    guard exponent >= 0 || !isZero else { return nil }
    let count = Int(exponent.magnitude)
    let isNegative = isNegative && count % 2 == 1
    let (above, below) = (numerator.power(count), denominator.power(count))
    return exponent >= 0
      ? Rational(isNegative: isNegative, numerator: above, denominator: below)
      : Rational(isNegative: isNegative, numerator: below, denominator: above)
  }
}

extension Rational: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    let difference = left - right
    return difference.isNegative
  }
}
