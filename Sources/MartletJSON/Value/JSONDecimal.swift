/// The exact value of a JSON number: ± 0.d₁d₂…dₙ × 10^`exponent`, digits without leading or trailing zeros.
///
/// Two texts have the same value exactly when their decimals are equal (an exponent of more than 17 digits counts as
/// the largest there is).
struct JSONDecimal: Hashable {
  private(set) var isNegative = false
  private(set) var digits: [UInt8] = []
  private(set) var exponent = 0

  /// `text` must be a JSON number.
  init(_ text: String) {
    var point = 0
    var sawPoint = false
    var written = 0
    var writtenNegative = false
    var inExponent = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"):
        if inExponent { writtenNegative = true } else { isNegative = true }
      case UInt8(ascii: "."):
        sawPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        inExponent = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = byte &- UInt8(ascii: "0")
        if inExponent {
          written = min(written * 10 + Int(digit), Self.largestExponent)
        } else {
          if digit != 0 || !digits.isEmpty {
            digits.append(digit)
            if !sawPoint { point += 1 }
          } else if sawPoint {
            point -= 1
          }
        }
      default:
        break  // the sign `+` of an exponent
      }
    }
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty {
      isNegative = false
    } else {
      exponent = point + (writtenNegative ? -written : written)
    }
  }

  private static let largestExponent = 100_000_000_000_000_000

  /// The value when it is an integer that the type holds.
  func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    if digits.isEmpty { return 0 }
    // No fixed-width integer in use has more decimal digits than bits.
    guard exponent >= digits.count, exponent <= Integer.bitWidth else { return nil }
    var value: Integer = 0
    for index in 0..<exponent {
      let digit = index < digits.count ? Integer(digits[index]) : 0
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (next, carry) =
        isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = next
    }
    return value
  }

  /// The text that ECMAScript's `Number::toString` would give this value, with every digit kept (RFC 8785, section
  /// 3.2.2.3, which rounds to a double first).
  var canonicalText: String {
    if digits.isEmpty { return "0" }
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    let ascii = digits.map { $0 + UInt8(ascii: "0") }
    switch exponent {
    case 1...21 where exponent >= digits.count:
      text += ascii
      text += repeatElement(UInt8(ascii: "0"), count: exponent - digits.count)
    case 1...21:
      text += ascii[..<exponent]
      text.append(UInt8(ascii: "."))
      text += ascii[exponent...]
    case -5...0:
      text += "0.".utf8
      text += repeatElement(UInt8(ascii: "0"), count: -exponent)
      text += ascii
    default:
      text.append(ascii[0])
      if ascii.count > 1 {
        text.append(UInt8(ascii: "."))
        text += ascii[1...]
      }
      text += "e\(exponent > 0 ? "+" : "")\(exponent - 1)".utf8
    }
    return String(decoding: text, as: UTF8.self)
  }
}
