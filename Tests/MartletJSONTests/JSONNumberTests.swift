import MartletJSON
import Testing

@Suite struct JSONNumberTests {
  @Test(arguments: [
    ("3", 3), ("3.0", 3), ("3e0", 3), ("30e-1", 3), ("0.3e1", 3), ("-0", 0), ("0.0e99", 0), ("1e3", 1_000),
    ("-12.500e1", -125), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
    ("9223372036854775807.0", Int.max), ("922337203685477580.7e1", Int.max),
    ("3.5", nil), ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e19", nil), ("1e99999999999", nil),
    ("1e-1", nil), ("0.1", nil),
  ])
  func `an integer is exact or none`(text: String, expected: Int?) throws {
    let number = try #require(JSONNumber(text: text))
    #expect(number.int == expected)
    #expect(number.text == text)
    #expect(JSONValue.number(number).intValue == expected)
  }

  @Test func `integers of other types are exact or none`() throws {
    let number = try #require(JSONNumber(text: "18446744073709551615"))
    #expect(number.integer(as: UInt64.self) == .max)
    #expect(number.int == nil)
    #expect(JSONNumber(UInt64.max) == number)
    #expect(JSONNumber(255).integer(as: UInt8.self) == 255)
    #expect(JSONNumber(256).integer(as: UInt8.self) == nil)
    #expect(JSONNumber(-1).integer(as: UInt.self) == nil)
    #expect(JSONNumber(text: "-128e0")?.integer(as: Int8.self) == -128)
    #expect(JSONNumber(text: "-129e0")?.integer(as: Int8.self) == nil)
    if #available(macOS 15, iOS 18, *) {
      #expect(JSONNumber(UInt128.max).integer(as: UInt128.self) == .max)
      #expect(JSONNumber(Int128.min).integer(as: Int128.self) == .min)
      #expect(JSONNumber(text: "3" + String(repeating: "0", count: 38) + ".0")?.integer(as: UInt128.self) != nil)
      #expect(JSONNumber(text: "4" + String(repeating: "0", count: 38))?.integer(as: UInt128.self) == nil)
    }
  }

  @Test func `doubles read back the same`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<5_000 {
      let double = Double(bitPattern: random.next())
      guard double.isFinite else { continue }
      let number = try #require(JSONNumber(double))
      #expect(number.double == double, "seed \(seed)")
      #expect(JSONNumber(text: number.text)?.double == double, "seed \(seed)")
      #expect(try JSONValue(parsing: JSONValue.number(number).bytes(.canonical)).doubleValue == double, "seed \(seed)")
    }
  }

  @Test func `what JSON cannot express is no number`() {
    #expect(JSONNumber(Double.nan) == nil)
    #expect(JSONNumber(Double.infinity) == nil)
    #expect(JSONNumber(-Float.infinity) == nil)
    #expect(JSONValue(Double.nan) == nil)
    for text in ["", " 1", "1 ", "+1", "01", ".5", "5.", "1e", "0x1", "NaN", "null", "\"1\"", "[1]", "1,2", "1_0"] {
      #expect(JSONNumber(text: text) == nil, "\(text)")
    }
  }

  @Test func `beyond the range of Double there is no double value`() {
    #expect(JSONNumber(text: "1e400")?.double == .infinity)
    #expect((try? JSONValue(parsing: "1e400"))?.doubleValue == nil)
    #expect(JSONNumber(text: "-1e400")?.double == -.infinity)
    #expect(JSONNumber(text: "1e-400")?.double == 0)
  }

  @Test func `equality is by exact value`() {
    let groups = [
      ["1", "1.0", "1e0", "10e-1", "0.1E1"], ["0", "-0", "0.0", "0e5", "-0.00e-7"], ["-1.5", "-15e-1"],
      ["1e400", "10e399"], ["0.1", "1e-1"], ["0.1000000000000000055511151231257827"],
      ["9007199254740993"], ["9007199254740992", "9007199254740992.0"], ["1e18", "1000000000000000000"],
    ]
    let numbers = groups.map { $0.compactMap { JSONNumber(text: $0) } }
    for (index, group) in numbers.enumerated() {
      #expect(Set(group).count == 1)
      for (other, rest) in numbers.enumerated() where other != index {
        #expect(Set(group).isDisjoint(with: rest), "\(groups[index]) and \(groups[other])")
      }
    }
  }

  @Test func `a very long number takes linear time`() throws {
    let digits = String(repeating: "1", count: 200_000)
    let number = try #require(JSONNumber(text: digits))
    #expect(number.int == nil)
    #expect(number.double == .infinity)
    #expect(number == JSONNumber(text: digits + ".0"))
    #expect(JSONNumber(text: "0." + digits)?.int == nil)
  }
}
