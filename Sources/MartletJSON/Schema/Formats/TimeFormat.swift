/// Dates and times of RFC 3339, durations of its appendix A.
enum TimeFormat {
  static func isDate(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    return takeDate(&rest) && rest.isEmpty
  }

  static func isTime(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    return takeTime(&rest) && rest.isEmpty
  }

  static func isDateTime(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    guard takeDate(&rest), let separator = rest.popFirst(), separator | 0x20 == UInt8(ascii: "t") else { return false }
    return takeTime(&rest) && rest.isEmpty
  }

  /// `P`, then years, months, days in this order without gaps, or weeks alone, then `T` and hours, minutes, seconds.
  static func isDuration(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "P") else { return false }
    if let units = takeUnits(&rest, "W"), units > 0, rest.isEmpty { return true }
    rest = Array(text.utf8)[1...]
    guard let dateUnits = takeUnits(&rest, "YMD") else { return false }
    guard rest.popFirst() == UInt8(ascii: "T") else { return dateUnits > 0 && rest.isEmpty }
    guard let timeUnits = takeUnits(&rest, "HMS") else { return false }
    return timeUnits > 0 && rest.isEmpty
  }

  /// Takes numbers with these units; nil if a unit is left out between two others. Returns how many there were.
  private static func takeUnits(_ rest: inout ArraySlice<UInt8>, _ units: String) -> Int? {
    var expected = Array(units.utf8)[...]
    var count = 0
    while let first = rest.first, first.isDigit {
      let unit = rest.drop { $0.isDigit }
      guard let letter = unit.first, let place = expected.firstIndex(of: letter) else { return nil }
      guard count == 0 || place == expected.startIndex else { return nil }
      expected = expected[(place + 1)...]
      rest = unit.dropFirst()
      count += 1
    }
    return count
  }

  private static func takeDate(_ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let year = takeNumber(&rest, digits: 4), rest.popFirst() == UInt8(ascii: "-"),
      let month = takeNumber(&rest, digits: 2), (1...12).contains(month), rest.popFirst() == UInt8(ascii: "-"),
      let day = takeNumber(&rest, digits: 2)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    return (1...days).contains(day)
  }

  private static func takeTime(_ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let hour = takeNumber(&rest, digits: 2), hour < 24, rest.popFirst() == UInt8(ascii: ":"),
      let minute = takeNumber(&rest, digits: 2), minute < 60, rest.popFirst() == UInt8(ascii: ":"),
      let second = takeNumber(&rest, digits: 2), second <= 60
    else { return false }
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix { $0.isDigit }
      guard !fraction.isEmpty else { return false }
      rest = rest.dropFirst(fraction.count + 1)
    }
    guard let zone = rest.popFirst() else { return false }
    var offset = 0
    switch zone {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): break
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard let hours = takeNumber(&rest, digits: 2), hours < 24, rest.popFirst() == UInt8(ascii: ":"),
        let minutes = takeNumber(&rest, digits: 2), minutes < 60
      else { return false }
      offset = (hours * 60 + minutes) * (zone == UInt8(ascii: "+") ? 1 : -1)
    default: return false
    }
    // A leap second is the last one of a UTC day.
    guard second == 60 else { return true }
    let minutesOfDay = hour * 60 + minute - offset
    return (minutesOfDay % 1440 + 1440) % 1440 == 1439
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
    let taken = rest.prefix(digits)
    guard taken.count == digits, taken.allSatisfy(\.isDigit) else { return nil }
    rest = rest.dropFirst(digits)
    return taken.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
