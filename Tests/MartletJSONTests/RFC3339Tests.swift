import Foundation
import Testing

@testable import MartletJSON

@Suite struct RFC3339Tests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0, 0), ("2026-11-30T09:14:05.123Z", 1_796_030_045, 123_000_000),
    ("2026-11-30t09:14:05z", 1_796_030_045, 0), ("2026-11-30 09:14:05Z", 1_796_030_045, 0),
    ("1985-04-12T23:20:50.52Z", 482_196_050, 520_000_000), ("1996-12-19T16:39:57-08:00", 851_042_397, 0),
    ("1990-12-31T23:59:60Z", 662_688_000, 0), ("1990-12-31T15:59:60-08:00", 662_688_000, 0),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_173, 870_000_000), ("2000-02-29T00:00:00Z", 951_782_400, 0),
    ("0000-01-01T00:00:00Z", -62_167_219_200, 0), ("9999-12-31T23:59:59.9999999999Z", 253_402_300_799, 999_999_999),
    ("2024-02-29T12:00:00-00:00", 1_709_208_000, 0),
  ])
  func `reads`(text: String, seconds: Int64, nanoseconds: Int64) throws {
    let time = try #require(RFC3339.parse(text))
    #expect(time.seconds == seconds)
    #expect(time.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "", "2026", "2026-11-30", "2026-11-30T09:14Z", "2026-11-30T09:14:05", "2026-13-01T00:00:00Z",
    "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-11-30T24:00:00Z", "2026-11-30T09:60:00Z", "2026-11-30T09:14:61Z", "2026-11-30T09:14:05.Z",
    "2026-11-30T09:14:05+1:00", "2026-11-30T09:14:05+24:00", "2026-11-30T09:14:05Z ", " 2026-11-30T09:14:05Z",
    "+2026-11-30T09:14:05Z", "20261-11-30T09:14:05Z", "2026-11-30T09:14:05,5Z", "２026-11-30T09:14:05Z",
  ])
  func `refuses`(text: String) {
    #expect(RFC3339.parse(text) == nil)
  }

  @Test func `writes what it reads, as Foundation does`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime]
    let limits: [Int64] = [-62_167_219_200_000, 253_402_300_799_999, 0, -1, 951_782_400_000, 951_868_799_999]
    let some = (0..<2_000).map { _ in Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random) }
    for milliseconds in limits + some {
      let text = try #require(RFC3339.text(milliseconds: milliseconds))
      let time = try #require(RFC3339.parse(text))
      #expect(time.seconds * 1_000 + time.nanoseconds / 1_000_000 == milliseconds, "seed \(seed)")
      // Foundation's calendar is Julian before October 1582.
      guard milliseconds > -12_219_292_800_000 else { continue }
      let date = Date(timeIntervalSince1970: Double(time.seconds))
      #expect(formatter.string(from: date).dropLast() == text.prefix(19), "seed \(seed)")
    }
    #expect(RFC3339.text(milliseconds: -62_167_219_200_001) == nil)
    #expect(RFC3339.text(milliseconds: 253_402_300_800_000) == nil)
  }
}
