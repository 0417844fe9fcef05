#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A moment, in whole milliseconds since 1970, written as RFC 3339 in UTC (`2026-11-30T09:14:05.123Z`).
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// A moment.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The moment of a date, rounded down to the millisecond.
  public init(_ date: Date) { milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) }

  /// The same moment as a `Date`.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

  /// The time from an earlier moment to this one.
  public func since(_ earlier: Self) -> Duration { .milliseconds(milliseconds - earlier.milliseconds) }

  public var description: String {
    let day = (milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000
    let rest = milliseconds - day * 86_400_000
    let (year, month, dayOfMonth) = Self.civil(day)
    return String(unsafeUninitializedCapacity: 24) { text in
      var count = 0
      func put(_ value: Int64, _ width: Int, _ mark: Unicode.Scalar) {
        var value = value
        for place in stride(from: count + width - 1, through: count, by: -1) {
          text[place] = UInt8(48 + value % 10)
          value /= 10
        }
        text[count + width] = UInt8(truncatingIfNeeded: mark.value)
        count += width + 1
      }
      put(year, 4, "-")
      put(month, 2, "-")
      put(dayOfMonth, 2, "T")
      put(rest / 3_600_000, 2, ":")
      put(rest / 60_000 % 60, 2, ":")
      put(rest / 1000 % 60, 2, ".")
      put(rest % 1000, 3, "Z")
      return count
    }
  }

  /// Reads RFC 3339 in UTC, with or without a fraction of seconds; nil for anything else.
  public init?(_ text: String) {
    var text = text
    guard let time = text.withUTF8({ Self(utf8: $0) }) else { return nil }
    self = time
  }

  /// Reads the UTF-8 bytes of RFC 3339.
  init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count else { return nil }
      var value: Int64 = 0
      for byte in bytes[range] {
        guard byte >= 48, byte <= 57 else { return nil }
        value = value * 10 + Int64(byte - 48)
      }
      return value
    }
    guard bytes.count >= 20, bytes.count <= 40, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), bytes[bytes.count - 1] == UInt8(ascii: "Z"),
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month), (1...31).contains(day),
      hour < 24, minute < 60, second < 61
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), bytes.count > 21,
        bytes[20..<bytes.count - 1].allSatisfy({ (48...57).contains($0) })
      else { return nil }
      for offset in 0..<3 {
        let index = 20 + offset
        fraction = fraction * 10 + (index < bytes.count - 1 ? Int64(bytes[index] - 48) : 0)
      }
    }
    let days = Self.days(year: year, month: month, day: day)
    // No 31st of November: the day that it would be is another.
    guard Self.civil(days) == (year, month, day) else { return nil }
    let time = ((hour * 60 + minute) * 60 + second) * 1000 + fraction
    milliseconds = days * 86_400_000 + time
  }

  /// The civil date of a day since 1970, by Howard Hinnant's `civil_from_days`.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
