/// Times as RFC 3339 writes them, in the proleptic Gregorian calendar, without a formatter or a locale.
package enum RFC3339 {
  /// The UTC text of a time with milliseconds, as in `2026-11-30T09:14:05.123Z`. `nil` outside the years 0 to 9999,
  /// which the format cannot express.
  package static func text(milliseconds: Int64) -> String? {
    let (seconds, fraction) = floorDivide(milliseconds, 1_000)
    let (days, second) = floorDivide(seconds, 86_400)
    guard (-719_528..<2_932_897).contains(days) else { return nil }
    let (year, month, day) = date(daysSince1970: days)
    return String(unsafeUninitializedCapacity: 24) { buffer in
      func put(_ value: Int64, _ width: Int, at offset: Int) {
        var rest = value
        for position in stride(from: offset + width - 1, through: offset, by: -1) {
          buffer[position] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
      }
      put(year, 4, at: 0)
      buffer[4] = UInt8(ascii: "-")
      put(month, 2, at: 5)
      buffer[7] = UInt8(ascii: "-")
      put(day, 2, at: 8)
      buffer[10] = UInt8(ascii: "T")
      put(second / 3_600, 2, at: 11)
      buffer[13] = UInt8(ascii: ":")
      put(second / 60 % 60, 2, at: 14)
      buffer[16] = UInt8(ascii: ":")
      put(second % 60, 2, at: 17)
      buffer[19] = UInt8(ascii: ".")
      put(fraction, 3, at: 20)
      buffer[23] = UInt8(ascii: "Z")
      return 24
    }
  }

  /// Whole seconds since 1970 and nanoseconds after them (digits beyond are dropped), or `nil` when the text is no
  /// RFC 3339 time. A leap second reads as the first second of the next minute.
  package static func parse(_ text: String) -> (seconds: Int64, nanoseconds: Int64)? {
    var input = text.utf8[...]
    func take(_ accepted: String) -> Bool {
      guard let byte = input.first, accepted.utf8.contains(byte) else { return false }
      input.removeFirst()
      return true
    }
    func number(_ width: Int, _ range: ClosedRange<Int64>) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<width {
        guard let digit = input.first.map({ $0 &- UInt8(ascii: "0") }), digit < 10 else { return nil }
        value = value * 10 + Int64(digit)
        input.removeFirst()
      }
      return range.contains(value) ? value : nil
    }

    guard let year = number(4, 0...9999), take("-"), let month = number(2, 1...12), take("-"),
      let day = number(2, 1...daysIn(month: month, year: year)), take("Tt "),
      let hour = number(2, 0...23), take(":"), let minute = number(2, 0...59), take(":"),
      let second = number(2, 0...60)
    else { return nil }

    var nanoseconds: Int64 = 0
    if take(".") {
      guard let first = number(1, 0...9) else { return nil }
      nanoseconds = first * 100_000_000
      var unit: Int64 = 10_000_000
      while let digit = number(1, 0...9) {
        nanoseconds += digit * unit
        unit /= 10
      }
    }

    var offset: Int64 = 0
    if !take("Zz") {
      let isNegative = input.first == UInt8(ascii: "-")
      guard take("+-"), let hours = number(2, 0...23), take(":"), let minutes = number(2, 0...59) else { return nil }
      offset = (hours * 60 + minutes) * (isNegative ? -60 : 60)
    }
    guard input.isEmpty else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    return (days * 86_400 + hour * 3_600 + minute * 60 + second - offset, nanoseconds)
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func daysIn(month: Int64, year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  // Both count years from March, so that the leap day is the last of the year, in eras of 400 years (146,097 days);
  // day 719,468 of that count is 1970-01-01.

  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
