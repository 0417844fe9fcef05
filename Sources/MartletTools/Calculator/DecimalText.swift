/// Numbers as people write them: 92, 0.3, 1.5e-9.
struct DecimalText: Hashable, Sendable {
  let text: String
  /// Whether the text is the number itself, not a rounding of it.
  let isExact: Bool

  /// More digits than this, and a number is rounded to `significantDigits`.
  private static let digitLimit = 100
  private static let fractionLimit = 30
  /// What a Double can hold, so that its noise is not shown.
  private static let significantDigits = 15

  init(_ value: Rational) {
    if let exact = Self.exact(value) {
      (text, isExact) = (exact, true)
    } else {
      (text, isExact) = (Self.rounded(value), false)
    }
  }

  /// A result that is a rounding already.
  init(approximately value: Rational) {
    (text, isExact) = (Self.rounded(value), false)
  }

  private static func exact(_ value: Rational) -> String? {
    // A fraction ends in decimals if its denominator has no factor but 2 and 5; the larger count of them is how many.
    let twos = value.denominator.trailingZeroBitCount
    var (rest, fives) = (value.denominator >> twos, 0)
    while let (quotient, remainder) = rest.divided(by: BigNatural(5)), remainder.isZero, fives <= fractionLimit {
      (rest, fives) = (quotient, fives + 1)
    }
    let places = max(twos, fives)
    guard rest == .one, places <= fractionLimit else { return nil }
    let scaled = value.numerator * BigNatural(10).power(places)
    guard let digits = scaled.divided(by: value.denominator)?.quotient.digits, digits.count <= digitLimit else {
      return nil
    }
    return (value.isNegative ? "-" : "") + point(in: digits, places: places)
  }

  private static func rounded(_ value: Rational) -> String {
    guard !value.isZero else { return "0" }
    // An estimate of the decimal exponent that may be one off, put right below.
    let (above, below) = (value.numerator, value.denominator)
    var exponent = Int((Double(above.bitWidth - below.bitWidth) * 0.30103).rounded(.down))
    var digits = ""
    for _ in 0..<4 {
      digits = integer(above, below, timesTenTo: significantDigits - 1 - exponent).digits
      if digits.count == significantDigits { break }
      exponent += digits.count > significantDigits ? 1 : -1
    }
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    let sign = value.isNegative ? "-" : ""
    if (-7..<21).contains(exponent) {
      let places = digits.count - 1 - exponent
      return sign
        + (places <= 0 ? digits + String(repeating: "0", count: -places) : point(in: digits, places: places))
    }
    return sign + point(in: digits, places: digits.count - 1) + "e\(exponent)"
  }

  /// The nearest whole number to a fraction times a power of ten, halves up.
  private static func integer(_ above: BigNatural, _ below: BigNatural, timesTenTo exponent: Int) -> BigNatural {
    let scale = BigNatural(10).power(abs(exponent))
    let (above, below) = exponent >= 0 ? (above * scale, below) : (above, below * scale)
    return (above + above + below).divided(by: below + below)?.quotient ?? .zero
  }

  /// Puts a decimal point before the last `places` digits.
  private static func point(in digits: String, places: Int) -> String {
    guard places > 0 else { return digits }
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return padded.dropLast(places) + "." + padded.suffix(places)
  }
}
