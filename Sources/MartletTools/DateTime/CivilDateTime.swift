/// A date and time of day as a calendar and a clock show them (proleptic Gregorian).
struct CivilDateTime: Hashable, Sendable {
  var year: Int
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int
  /// 0 is Sunday.
  var weekday: Int
  /// From 1.
  var dayOfYear: Int

  /// - Parameters:
  ///   - seconds: since 1970-01-01 00:00 UTC.
  ///   - offset: of the place east of UTC, in seconds.
  init(secondsSince1970 seconds: Int, offset: Int = 0) {
    let local = seconds + offset
    let days = local.flooredQuotient(by: 86_400)
    let clock = local - days * 86_400
    (hour, minute, second) = (clock / 3_600, clock / 60 % 60, clock % 60)
    weekday = (days + 4).flooredRemainder(by: 7)
    (year, month, day) = Self.date(daysSince1970: days)
    dayOfYear = days - Self.days(year: year, month: 1, day: 1) + 1
  }

  /// Days since 1970-01-01 of a date. (H. Hinnant, "chrono-compatible low-level date algorithms": years begin in March,
  /// so that the leap day comes last; eras of 400 years repeat.)
  static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year.flooredQuotient(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The inverse of `days`, from the same source.
  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  /// "2026-11-30".
  var date: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }
  /// "09:05:00".
  var time: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))" }
}

extension Int {
  /// The quotient rounded down.
  func flooredQuotient(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? quotient - 1 : quotient
  }

  /// The remainder that goes with `flooredQuotient`: never negative for a positive divisor.
  func flooredRemainder(by divisor: Int) -> Int { self - flooredQuotient(by: divisor) * divisor }

  /// With zeros in front up to `width` digits.
  func padded(to width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
