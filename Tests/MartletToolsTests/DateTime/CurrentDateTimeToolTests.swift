import Martlet
import MartletJSON
import Testing

@testable import MartletTools

@Suite(.enabled(if: ZoneTests.hasData, "no time zone data on this machine")) struct CurrentDateTimeToolTests {
  /// 2026-11-30T09:14:05.123Z, a Monday.
  private func context(_ zone: String = "UTC", locale: String = "en_US") -> ToolContext {
    ToolContext(
      locale: locale, timeZone: zone,
      environment: AgentEnvironment(now: { Timestamp(milliseconds: 1_796_030_045_123) }))
  }

  @Test func `the clock is the context's, the zone the one asked for`() async throws {
    let output = try await CurrentDateTimeTool().call(["timeZoneID": "Asia/Tokyo"], context())
    #expect(output.text == "Monday, November 30, 2026, 18:14:05 (2026-11-30T18:14:05+09:00, Asia/Tokyo, UTC+09:00)")
    #expect(output.structured?["weekday"] == "Monday")
    #expect(output.structured?["iso8601"] == "2026-11-30T18:14:05+09:00")
    #expect(output.structured?["unix"] == 1_796_030_045)
  }

  @Test func `without a zone it is the user's`() async throws {
    for arguments in [[:], ["timeZoneID": nil], ["timeZoneID": ""], ["timeZoneID": "local"]] as [JSONValue] {
      let output = try await CurrentDateTimeTool().call(arguments, context("America/New_York"))
      #expect(output.structured?["iso8601"] == "2026-11-30T04:14:05-05:00")
    }
    let utc = try await CurrentDateTimeTool().call([:], context("UTC"))
    #expect(utc.text.hasSuffix("(2026-11-30T09:14:05+00:00, UTC)"))
    let rule = try await CurrentDateTimeTool().call([:], context("JST-9"))
    #expect(rule.structured?["iso8601"] == "2026-11-30T18:14:05+09:00")
  }

  @Test func `the words are the user's`() async throws {
    let output = try await CurrentDateTimeTool().call(["timeZoneID": "Asia/Shanghai"], context(locale: "zh_CN"))
    #expect(output.text.hasPrefix("2026年11月30日 17:14:05 星期一 ("))
  }

  @Test(arguments: [
    ("Tokio", "Did you mean Asia/Tokyo?"), ("CST", "can mean several: America/Chicago, Asia/Shanghai"),
    ("nowhere", "IANA identifier"),
  ])
  func `a wrong zone is answered with what to do`(zone: String, part: String) async throws {
    let output = try await CurrentDateTimeTool().call(["timeZoneID": .string(zone)], context())
    #expect(output.isError)
    #expect(output.code?.rawValue == "INVALID_TIMEZONE")
    #expect(output.text.contains(part), "\(output.text)")
  }

  @Test func `a machine without zones says what is missing`() async throws {
    let tool = CurrentDateTimeTool(database: ZoneDatabase(directories: []))
    #expect(try await tool.call(["timeZoneID": "Asia/Tokyo"], context()).text.contains("tzdata"))
    #expect(try await tool.call(["timeZoneID": "UTC+9"], context()).structured?["time"] == "18:14:05")
  }
}
