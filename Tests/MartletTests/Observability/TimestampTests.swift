import Testing

@testable import Martlet

@Suite struct TimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.0019Z", 1), ("2000-02-29T00:00:00Z", 951_782_400_000),
      ("1969-12-31T23:59:59.999Z", -1), ("2026-11-30T09:14:05.123Z", 1_796_030_045_123),
      ("2026-11-30T09:14:05.1234567890123456789Z", 1_796_030_045_123), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ] as [(String, Int64)])
  func `dates in UTC are read to the millisecond`(_ text: String, _ milliseconds: Int64) throws {
    let time = try #require(Timestamp(text))
    #expect(time.milliseconds == milliseconds)
    #expect(Timestamp(time.description) == time)
  }

  @Test(arguments: [
    "", "2026-11-31T00:00:00Z", "2023-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00.12x4Z", "2026-01-01T00:00:00+01:00", "2026-01-01T00:00:00.99999999999999999999Z",
  ])
  func `what is no moment is refused`(_ text: String) {
    #expect(Timestamp(text) == nil)
  }
}
