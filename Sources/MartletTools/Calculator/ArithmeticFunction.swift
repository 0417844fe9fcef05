#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A function that an expression may call. Angles are in radians, `log` has base 10.
struct ArithmeticFunction: Sendable {
  let name: String
  /// How many arguments it takes.
  let argumentCount: ClosedRange<Int>
  /// Nil when there is no real or no representable result.
  let apply: @Sendable ([CalculatedNumber]) -> CalculatedNumber?

  private init(
    _ name: String, _ argumentCount: ClosedRange<Int> = 1...1,
    _ apply: @escaping @Sendable ([CalculatedNumber]) -> CalculatedNumber?
  ) {
    (self.name, self.argumentCount, self.apply) = (name, argumentCount, apply)
  }

  /// A function that only has a rounded value.
  private init(real name: String, _ function: @escaping @Sendable (Double) -> Double) {
    self.init(name) { arguments in
      let value = function(arguments[0].double)
      // sin(pi) is the rounding error of pi, not a result.
      return .rounded(abs(value) < 1e-15 && abs(arguments[0].double) > 1e-15 ? 0 : value)
    }
  }

  static func named(_ name: String) -> Self? { all[name] }

  static let all: [String: Self] = Dictionary(
    uniqueKeysWithValues: [
      Self("sqrt") { $0[0].squareRoot() },
      Self("abs") { $0[0].double < 0 ? -$0[0] : $0[0] },
      Self("round", 1...2, round),
      Self("floor") { $0[0].rounded(.down) },
      Self("ceil") { $0[0].rounded(.up) },
      Self("min", 1...100) { extreme($0) { $0 < $1 } },
      Self("max", 1...100) { extreme($0) { $1 < $0 } },
      Self("sum", 1...100, total),
      Self("avg", 1...100) { total($0)?.divided(by: .exact(Rational($0.count))) },
      Self("pow", 2...2) { $0[0].power($0[1]) },
      Self("mod", 2...2) { $0[1].isZero ? nil : $0[0].remainder(dividingBy: $0[1]) },
      Self("gcd", 2...2) { integers($0).map { a, b in whole(BigNatural.greatestCommonDivisor(a, b)) } },
      Self("lcm", 2...2) { integers($0).map { a, b in leastCommonMultiple(a, b) } },
      Self(real: "cbrt", cbrt), Self(real: "exp", exp), Self(real: "ln", log), Self(real: "log", log10),
      Self(real: "log10", log10), Self(real: "log2", log2), Self(real: "sin", sin), Self(real: "cos", cos),
      Self(real: "tan", tan), Self(real: "asin", asin), Self(real: "acos", acos), Self(real: "atan", atan),
    ].map { ($0.name, $0) })

  static let constants: [String: Double] = ["pi": .pi, "e": M_E, "tau": 2 * .pi]

  private static func extreme(
    _ values: [CalculatedNumber], _ precedes: (CalculatedNumber, CalculatedNumber) -> Bool
  ) -> CalculatedNumber? {
    values.dropFirst().reduce(values[0]) { precedes($1, $0) ? $1 : $0 }
  }

  @Sendable private static func total(_ values: [CalculatedNumber]) -> CalculatedNumber? {
    values.reduce(.exact(.zero)) { sum, value in sum?.adding(value) }
  }

  /// Rounds to a number of decimals, none by default; halves away from zero.
  @Sendable private static func round(_ values: [CalculatedNumber]) -> CalculatedNumber? {
    guard values.count == 2 else { return values[0].rounded(.toNearestOrAwayFromZero) }
    guard let places = values[1].int, abs(places) <= 30,
      let scale = CalculatedNumber.exact(Rational(10)).power(.exact(Rational(places)))
    else { return nil }
    return values[0].multiplied(by: scale)?.rounded(.toNearestOrAwayFromZero).divided(by: scale)
  }

  private static func integers(_ values: [CalculatedNumber]) -> (BigNatural, BigNatural)? {
    guard case .exact(let a) = values[0], case .exact(let b) = values[1], a.isInteger, b.isInteger else { return nil }
    return (a.numerator, b.numerator)
  }

  private static func whole(_ value: BigNatural) -> CalculatedNumber { .exact(Rational(numerator: value)) }

  private static func leastCommonMultiple(_ a: BigNatural, _ b: BigNatural) -> CalculatedNumber {
    guard let part = a.divided(by: BigNatural.greatestCommonDivisor(a, b))?.quotient else { return .exact(.zero) }
    return whole(part * b)
  }
}

extension CalculatedNumber: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if case .exact(let left) = left, case .exact(let right) = right { return left < right }
    return left.double < right.double
  }
}
