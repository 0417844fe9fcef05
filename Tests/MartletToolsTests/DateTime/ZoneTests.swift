import Foundation
import Testing

@testable import MartletTools

@Suite struct ZoneTests {
  static let hasData = ZoneDatabase.system.isAvailable
  let resolver = ZoneResolver(database: .system)

  @Test func `dates agree with the calendar for thousands of years`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    var random = SeededRandom(7)
    for _ in 0..<3_000 {
      // From 1582-10-15, where Foundation's calendar becomes Gregorian.
      let seconds = Int.random(in: -12_219_292_800...200_000_000_000, using: &random)
      let date = CivilDateTime(secondsSince1970: seconds)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekday], from: Date(timeIntervalSince1970: Double(seconds)))
      #expect([date.year, date.month, date.day] == [parts.year, parts.month, parts.day], "\(seconds)")
      #expect([date.hour, date.minute, date.second] == [parts.hour, parts.minute, parts.second], "\(seconds)")
      #expect(date.weekday + 1 == parts.weekday, "\(seconds)")
    }
    #expect(CivilDateTime(secondsSince1970: 0).date == "1970-01-01")
    #expect(CivilDateTime(secondsSince1970: -1).time == "23:59:59")
    #expect(CivilDateTime(secondsSince1970: 1_709_164_800).dayOfYear == 60)
  }

  @Test(.enabled(if: ZoneTests.hasData, "no time zone data on this machine"))
  func `offsets agree with Foundation for every zone`() throws {
    var random = SeededRandom(11)
    for identifier in TimeZone.knownTimeZoneIdentifiers {
      guard let ours = ZoneDatabase.system.zone(identifier), let theirs = TimeZone(identifier: identifier) else {
        continue
      }
      for _ in 0..<60 {
        // 1975 to 2060; the two databases may be of different years, so what lies far ahead of both is by rule.
        let seconds = Int.random(in: 157_766_400...2_840_140_800, using: &random)
        let expected = theirs.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        #expect(ours.offset(at: seconds).seconds == expected, "\(identifier) at \(seconds)")
      }
    }
  }

  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_745_999, 3_600), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_746_000, 7_200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", 1_792_889_999, 7_200), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_792_890_000, 3_600),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_798_718_400, 39_600), ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_783_000_000, 36_000),
    ("<-03>3", 1_800_000_000, -10_800), ("IST-5:30", 1_800_000_000, 19_800),
    ("EST5EDT,0/0,J365/25", 1_800_000_000, -14_400),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_800_000_000, -7_200), ("NZST-12NZDT,M9.5.0,M4.1.0/3", 1_798_718_400, 46_800),
  ])
  func `rules of the TZ variable`(rule: String, seconds: Int, offset: Int) throws {
    #expect(try #require(DaylightRule(rule)).offset(at: seconds).seconds == offset)
  }

  @Test(arguments: [
    "", "X", "CET", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-999", "<CET-1", "CET-1CEST,J0,J1",
  ])
  func `what is no rule is refused`(rule: String) {
    #expect(DaylightRule(rule) == nil)
  }

  @Test(.enabled(if: ZoneTests.hasData, "no time zone data on this machine"))
  func `damaged zone files are refused and never crash`() throws {
    for name in ["Europe/Berlin", "Asia/Tokyo", "America/New_York"] {
      let bytes = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)")))
      for end in stride(from: 0, to: bytes.count, by: 7) {
        #expect(throws: ZoneFile.Malformed.self) { try ZoneFile(Array(bytes[..<end])) }
      }
      var random = SeededRandom(3)
      for _ in 0..<500 {
        var damaged = bytes
        for _ in 0..<3 {
          damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if let zone = try? ZoneFile(damaged) { _ = zone.offset(at: 1_800_000_000).text }  // any offset, no crash
      }
    }
  }

  @Test(
    .enabled(if: ZoneTests.hasData, "no time zone data on this machine"),
    arguments: [
      ("Asia/Tokyo", "Asia/Tokyo"), ("asia/tokyo", "Asia/Tokyo"), ("Tokyo", "Asia/Tokyo"), (" tokyo ", "Asia/Tokyo"),
      ("New York", "America/New_York"), ("new_york", "America/New_York"), ("JST", "Asia/Tokyo"),
      ("PST", "America/Los_Angeles"),
      ("EST", "America/New_York"), ("UTC", "UTC"), ("utc", "UTC"), ("GMT", "UTC"), ("Z", "UTC"), ("UTC+9", "UTC+09:00"),
      ("GMT-03:30", "UTC-03:30"), ("+0530", "UTC+05:30"), ("utc +5:45", "UTC+05:45"), ("UTC−8", "UTC-08:00"),
      ("Beijing", "Asia/Shanghai"), ("东京", "Asia/Tokyo"), ("San Francisco", "America/Los_Angeles"),
      ("Tokyo, Japan", "Asia/Tokyo"), ("Paris (France)", "Europe/Paris"), ("London", "Europe/London"),
    ])
  func `what people write is understood`(text: String, identifier: String) throws {
    #expect(try resolver.resolve(text).identifier == identifier)
  }

  @Test(
    .enabled(if: ZoneTests.hasData, "no time zone data on this machine"),
    arguments: [
      ("Tokio", "Asia/Tokyo"), ("Asia/Tokio", "Asia/Tokyo"), ("Londn", "Europe/London"), ("CST", "America/Chicago"),
      ("IST", "Asia/Kolkata"), ("Paris, Texas", "Europe/Paris"), ("Europe/Pariss", "Europe/Paris"),
    ])
  func `what is unclear is answered with suggestions`(text: String, suggestion: String) {
    let error = #expect(throws: ZoneResolver.Unresolved.self) { try resolver.resolve(text) }
    #expect(error?.suggestions.contains(suggestion) == true)
  }

  @Test(arguments: [
    "", "nowhere", "../../etc/passwd", "/etc/localtime", "Asia/../Asia/Tokyo", "Asia", "UTC+99", "UTC+9:99", "+",
    "tzdata.zi",
    "posixrules/", "Asia/Tokyo\0", "🐦", "Mars/Olympus",
  ])
  func `what is no zone is refused`(text: String) {
    #expect(throws: ZoneResolver.Unresolved.self) { try resolver.resolve(text) }
  }

  @Test func `without data offsets still work`() throws {
    let bare = ZoneResolver(database: ZoneDatabase(directories: ["/nonexistent"]))
    #expect(try bare.resolve("UTC+9").offset(at: 0).seconds == 32_400)
    #expect(throws: ZoneResolver.Unresolved.self) { try bare.resolve("Asia/Tokyo") }
  }

  @Test(arguments: [
    ("en_US", "Monday, November 30, 2026, 09:05:07"), ("en_GB.UTF-8", "Monday, 30 November 2026, 09:05:07"),
    ("zh_CN", "2026年11月30日 09:05:07 星期一"), ("zh-Hant-TW", "2026年11月30日 09:05:07 星期一"),
    ("ja_JP", "2026年11月30日 月曜日 09:05:07"), ("de_DE", "Montag, 30. November 2026, 09:05:07"),
    ("fr", "lundi 30 novembre 2026 09:05:07"), ("xx_YY", "Monday, November 30, 2026, 09:05:07"),
    ("C", "Monday, November 30, 2026, 09:05:07"), ("", "Monday, November 30, 2026, 09:05:07"),
  ])
  func `each language writes its dates`(locale: String, text: String) {
    #expect(DateTimeWords.forLocale(locale).text(CivilDateTime(secondsSince1970: 1_796_029_507)) == text)
  }

  @Test(arguments: [
    "en", "zh", "ja", "ko", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "nb", "fi", "pl", "ru", "uk", "tr", "id",
    "vi",
  ])
  func `every language has seven days and twelve or no months`(locale: String) {
    let words = DateTimeWords.forLocale(locale)
    #expect(Set(words.weekdays).count == 7)
    #expect(words.months.isEmpty || Set(words.months).count == 12)
    #expect(locale == "en" || words.weekdays != DateTimeWords.forLocale("en").weekdays)
  }
}
