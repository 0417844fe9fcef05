/// A date in a header, in any of the three forms of RFC 9110, 5.6.7.
public struct HTTPDate: Sendable, Hashable {
  /// Whole seconds since 1970 in UTC, without leap seconds.
  public let secondsSince1970: Int

  /// A moment.
  public init(secondsSince1970: Int) { self.secondsSince1970 = secondsSince1970 }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`; `nil` for anything
  /// else.
  public init?(_ text: String) {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    let day, month, year, time: Substring
    switch words.count {
    case 6 where words[5] == "GMT": (day, month, year, time) = (words[1], words[2], words[3], words[4])
    case 5: (month, day, time, year) = (words[1], words[2], words[3], words[4])
    default: return nil
    }
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).compactMap { Self.number($0) }
    guard let monthNumber = Self.months.firstIndex(of: month.lowercased()), let dayNumber = Self.number(day),
      var yearNumber = Self.number(year), clock.count == 3, (1...31).contains(dayNumber), clock[0] < 24, clock[1] < 60,
      clock[2] <= 60
    else { return nil }
    // Two digits mean the nearest such year: RFC 850 dates are long obsolete.
    if year.count == 2 { yearNumber += yearNumber < 70 ? 2_000 : 1_900 }
    guard (1_970...9_999).contains(yearNumber) else { return nil }
    let days = Self.days(year: yearNumber, month: monthNumber + 1, day: dayNumber)
    secondsSince1970 = ((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    return Int(text)
  }

  /// Days since 1970-01-01 in the Gregorian calendar: whole eras of 400 years, years that begin in March.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let (era, yearOfEra) = (marchYear / 400, marchYear % 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
