/// The rule at the end of a zone file for all times after its table: "CET-1CEST,M3.5.0,M10.5.0/3".
///
/// The TZ variable of POSIX.1-2017 (Base Definitions, 8.3) with the wider hours of RFC 8536, 3.3.1.
struct DaylightRule: Hashable, Sendable {
  private struct Change: Hashable {
    enum Day: Hashable {
      /// 1…365, February 29 never counted.
      case julian(Int)
      /// 0…365, February 29 counted.
      case ordinal(Int)
      /// The `week`th `weekday` of a month; 5 is the last.
      case weekday(month: Int, week: Int, weekday: Int)
    }
    var day: Day
    /// After midnight by the clock before the change; may be negative.
    var seconds: Int
  }

  private struct Daylight: Hashable {
    var offset: ZoneOffset
    var start: Change
    var end: Change
  }

  private let standard: ZoneOffset
  private let daylight: Daylight?

  /// Nil if the text is no such rule.
  init?(_ text: String) {
    var parser = Parser(text: Array(text.utf8)[...])
    guard let name = parser.name(), let west = parser.time() else { return nil }
    standard = ZoneOffset(seconds: -west, isDaylightSaving: false, abbreviation: name)
    if parser.text.isEmpty {
      daylight = nil
      return
    }
    guard let daylightName = parser.name() else { return nil }
    var seconds = standard.seconds + 3_600
    if parser.text.first != UInt8(ascii: ",") {
      guard let west = parser.time() else { return nil }
      seconds = -west
    }
    guard let start = parser.change(), let end = parser.change(), parser.text.isEmpty else { return nil }
    daylight = Daylight(
      offset: ZoneOffset(seconds: seconds, isDaylightSaving: true, abbreviation: daylightName), start: start, end: end)
  }

  func offset(at seconds: Int) -> ZoneOffset {
    guard let daylight else { return standard }
    let year = CivilDateTime(secondsSince1970: seconds, offset: standard.seconds).year
    // The year by the clock of either side of a change may differ by one at new year; no zone changes there, but one
    // whose daylight saving lasts all year has its changes in the neighbouring years.
    var latest: (moment: Int, offset: ZoneOffset)?
    for year in (year - 1)...(year + 1) {
      let start = Self.moment(daylight.start, year) - standard.seconds
      let end = Self.moment(daylight.end, year) - daylight.offset.seconds
      for (moment, offset) in [(end, standard), (start, daylight.offset)] where moment <= seconds {
        if latest.map({ moment >= $0.moment }) ?? true { latest = (moment, offset) }
      }
    }
    return latest?.offset ?? standard
  }

  /// A change as if its clock showed UTC.
  private static func moment(_ change: Change, _ year: Int) -> Int {
    let first = CivilDateTime.days(year: year, month: 1, day: 1)
    let days: Int
    switch change.day {
    case .julian(let day):
      days = first + day - 1 + (CivilDateTime.isLeap(year) && day > 59 ? 1 : 0)
    case .ordinal(let day):
      days = first + day
    case .weekday(let month, let week, let weekday):
      let start = CivilDateTime.days(year: year, month: month, day: 1)
      let next =
        month == 12
        ? CivilDateTime.days(year: year + 1, month: 1, day: 1)
        : CivilDateTime.days(year: year, month: month + 1, day: 1)
      let ahead = (weekday - (start + 4)).flooredRemainder(by: 7)
      var day = start + ahead + (week - 1) * 7
      while day >= next { day -= 7 }
      days = day
    }
    return days * 86_400 + change.seconds
  }

  private struct Parser {
    var text: ArraySlice<UInt8>

    mutating func take(_ byte: Character) -> Bool {
      guard let ascii = byte.asciiValue, text.first == ascii else { return false }
      text.removeFirst()
      return true
    }

    mutating func name() -> String? {
      if take("<") {
        guard let end = text.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        defer { text = text[(end + 1)...] }
        return String(decoding: text[..<end], as: UTF8.self)
      }
      let letters = text.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
      text = text.dropFirst(letters.count)
      return letters.count >= 3 ? String(decoding: letters, as: UTF8.self) : nil
    }

    mutating func number(upTo limit: Int) -> Int? {
      let digits = text.prefix(4).prefix { (0x30...0x39).contains($0) }
      text = text.dropFirst(digits.count)
      return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 <= limit ? $0 : nil }
    }

    /// "[-]h[:m[:s]]" in seconds.
    mutating func time() -> Int? {
      let sign = take("-") ? -1 : 1
      if sign == 1 { _ = take("+") }
      guard let hours = number(upTo: 167) else { return nil }
      var seconds = hours * 3_600
      for unit in [60, 1] {
        guard take(":") else { break }
        guard let value = number(upTo: 59) else { return nil }
        seconds += value * unit
      }
      return sign * seconds
    }

    mutating func change() -> Change? {
      guard take(","), let day = day() else { return nil }
      guard take("/") else { return Change(day: day, seconds: 7_200) }
      return time().map { Change(day: day, seconds: $0) }
    }

    private mutating func day() -> Change.Day? {
      if take("J") { return number(upTo: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
      guard take("M") else { return number(upTo: 365).map { .ordinal($0) } }
      guard let month = number(upTo: 12), month > 0, take("."), let week = number(upTo: 5), week > 0, take("."),
        let weekday = number(upTo: 6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
  }
}
