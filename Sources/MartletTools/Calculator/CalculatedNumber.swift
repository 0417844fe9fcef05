#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value on its way through a calculation: exact as long as that is possible at bearable cost.
enum CalculatedNumber: Hashable, Sendable {
  case exact(Rational)
  /// Finite.
  case approximate(Double)

  /// A fraction with more bits than this is rounded.
  static let bitLimit = 4_096

  var double: Double {
    switch self {
    case .exact(let value): value.double
    case .approximate(let value): value
    }
  }

  var isZero: Bool {
    switch self {
    case .exact(let value): value.isZero
    case .approximate(let value): value == 0
    }
  }

  /// The value, if it is an exact whole number that fits.
  var int: Int? { if case .exact(let value) = self { value.int } else { nil } }

  var text: DecimalText {
    switch self {
    case .exact(let value): DecimalText(value)
    case .approximate(let value): DecimalText(approximately: Rational(value) ?? .zero)
    }
  }

  /// A rounded result; nil if it is no number or too large for one.
  static func rounded(_ value: Double) -> Self? { value.isFinite ? .approximate(value) : nil }

  /// An exact result, rounded when it has grown too long; nil if it is too large even so.
  private static func bounded(_ value: Rational) -> Self? {
    value.bitWidth <= bitLimit ? .exact(value) : rounded(value.double)
  }

  static prefix func - (value: Self) -> Self {
    switch value {
    case .exact(let value): .exact(-value)
    case .approximate(let value): .approximate(-value)
    }
  }

  /// Nil when the result is too large. So for all that follow.
  func adding(_ other: Self) -> Self? {
    if case (.exact(let left), .exact(let right)) = (self, other) { return Self.bounded(left + right) }
    return Self.rounded(double + other.double)
  }

  func multiplied(by other: Self) -> Self? {
    if case (.exact(let left), .exact(let right)) = (self, other) { return Self.bounded(left * right) }
    return Self.rounded(double * other.double)
  }

  /// - Precondition: `divisor` is not zero.
  func divided(by divisor: Self) -> Self? {
    if case (.exact(let left), .exact(let right)) = (self, divisor) {
      return left.divided(by: right).flatMap(Self.bounded)
    }
    return Self.rounded(double / divisor.double)
  }

  /// - Precondition: `divisor` is not zero.
  func remainder(dividingBy divisor: Self) -> Self? {
    if case (.exact(let left), .exact(let right)) = (self, divisor) {
      return left.remainder(dividingBy: right).flatMap(Self.bounded)
    }
    return Self.rounded(fmod(double, divisor.double))
  }

  /// Nil also for what has no real value: zero to a negative power, a negative number to a fraction.
  func power(_ exponent: Self) -> Self? {
    if case .exact(let base) = self, let count = exponent.int {
      if base.isZero && count < 0 { return nil }
      if count == 0 { return .exact(.one) }
      // 0, 1 and -1 stay small at any power.
      let trivial = base.bitWidth <= 1
      let (bits, overflowed) = base.bitWidth.multipliedReportingOverflow(by: Int(count.magnitude))
      if trivial { return base.power(count % 2 == 0 ? 2 : count < 0 ? -1 : 1).map { .exact($0) } }
      if !overflowed, bits <= Self.bitLimit { return base.power(count).map { .exact($0) } }
    } else if case .exact(let power) = exponent,
      power == Rational(isNegative: false, numerator: .one, denominator: BigNatural(2))
    {
      return squareRoot()
    }
    return Self.rounded(pow(double, exponent.double))
  }

  /// Nil for a negative number.
  func squareRoot() -> Self? {
    if case .exact(let value) = self, !value.isNegative {
      let (above, below) = (value.numerator.squareRoot, value.denominator.squareRoot)
      if above * above == value.numerator, below * below == value.denominator {
        return .exact(Rational(numerator: above, denominator: below))
      }
    }
    return Self.rounded(double.squareRoot())
  }

  /// Rounds to a whole number, of the exact value where there is one.
  func rounded(_ rule: FloatingPointRoundingRule) -> Self {
    guard case .exact(let value) = self else { return .approximate(double.rounded(rule)) }
    let (whole, half) = (value.truncated, Rational(numerator: .one, denominator: BigNatural(2)))
    let rest = (value - whole).magnitude
    let movesAway: Bool =
      switch rule {
      case .up: !value.isNegative && !rest.isZero
      case .down: value.isNegative && !rest.isZero
      case .toNearestOrAwayFromZero: rest >= half
      default: false
      }
    return .exact(movesAway ? whole + Rational(value.isNegative ? -1 : 1) : whole)
  }
}
