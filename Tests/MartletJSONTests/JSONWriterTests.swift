import MartletJSON
import Testing

@Suite struct JSONWriterTests {
  @Test func `compact text has no space and keeps order and spelling`() throws {
    let text = #"{"b":[1,2.50,-0,1e400,1E5,true,false,null,[],{}],"a":"é😀/"}"#
    #expect(try JSONValue(parsing: text).text() == text)
    #expect(try JSONValue(parsing: text).description == text)
    #expect(try JSONValue(parsing: text).bytes() == Array(text.utf8))
  }

  @Test func `pretty text has a member a line`() {
    let value: JSONValue = ["a": [1, [:], []], "b": ["c": nil], "d": "x"]
    #expect(
      value.text(.pretty) == """
        {
          "a": [
            1,
            {},
            []
          ],
          "b": {
            "c": null
          },
          "d": "x"
        }
        """)
    #expect(JSONValue.array([]).text(.pretty) == "[]")
    #expect(JSONValue.object([:]).text(.pretty) == "{}")
    #expect(JSONValue.null.text(.pretty) == "null")
  }

  @Test func `only quotes, backslashes and control characters are escaped`() {
    for code in UInt32(0)..<0x20 {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let short = [8: #"\b"#, 9: #"\t"#, 10: #"\n"#, 12: #"\f"#, 13: #"\r"#] as [UInt32: String]
      let hex = String(code, radix: 16)
      let expected = short[code] ?? #"\u00\#(hex.count == 1 ? "0" : "")\#(hex)"#
      #expect(JSONValue.string(String(scalar)).text() == "\"\(expected)\"")
    }
    let raw = "/ \u{7f} \u{80} \u{2028} \u{2029} \u{feff} \u{ffff} \u{10ffff} <script>"
    #expect(JSONValue.string(raw).text() == "\"\(raw)\"")
    #expect(JSONValue.string(#""\"#).text() == #""\"\\""#)
  }

  @Test(arguments: 0..<40) func `an escape is found at each place in a string`(length: Int) throws {
    for special in ["\"", "\\", "\n", "\u{1}", "é", "😀"] {
      for place in 0...length {
        let text = String(repeating: "a", count: place) + special + String(repeating: "b", count: length - place)
        let written = JSONValue.string(text).text()
        #expect(try JSONValue(parsing: written) == .string(text))
        #expect(written.utf8.count >= text.utf8.count + 2)
      }
    }
  }

  @Test func `canonical text sorts keys by UTF-16`() {
    // The sample of RFC 8785, section 3.2.3.
    let value: JSONValue = [
      "\u{20ac}": "Euro Sign", "\r": "Carriage Return", "\u{fb33}": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\u{1f600}": "Emoji: Grinning Face", "\u{80}": "Control", "\u{f6}": "Latin Small Letter O With Diaeresis",
    ]
    let order = [
      "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign", "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]
    let sorted = try? JSONValue(parsing: value.text(.canonical)).objectValue?.values.compactMap(\.stringValue)
    #expect(sorted == order)
  }

  @Test func `canonical order is that of UTF-16 for all kinds of characters`() throws {
    let letters = ["", "a", "b", "é", "\u{d7ff}", "\u{e000}", "\u{ee00}", "\u{ffff}", "\u{10000}", "\u{10ffff}"]
    let keys = letters.flatMap { first in letters.map { first + $0 } }
    for left in keys {
      for right in keys where left != right {
        let value: JSONValue = [left: 1, right: 2]
        let first = try JSONValue(parsing: value.text(.canonical)).objectValue?.keys.first
        #expect(first == (left.utf16.lexicographicallyPrecedes(right.utf16) ? left : right))
      }
    }
  }

  @Test(arguments: [
    // From RFC 8785, appendix B.
    ("0", "0"), ("-0", "0"), ("5e-324", "5e-324"), ("-5e-324", "-5e-324"),
    ("1.7976931348623157e+308", "1.7976931348623157e+308"), ("9007199254740992", "9007199254740992"),
    ("295147905179352830000", "295147905179352830000"), ("9.999999999999997e22", "9.999999999999997e+22"),
    ("1e23", "1e+23"), ("1.0000000000000001e23", "1.0000000000000001e+23"),
    ("999999999999999700000", "999999999999999700000"), ("999999999999999900000", "999999999999999900000"),
    ("1e21", "1e+21"), ("9.999999999999997e-7", "9.999999999999997e-7"), ("0.000001", "0.000001"),
    ("333333333.3333332", "333333333.3333332"), ("0.000100", "0.0001"),
    // The spelling goes, the digits stay.
    ("1.50E+3", "1500"), ("-12.00", "-12"), ("1e400", "1e+400"), ("0.1e-6", "1e-7"), ("123e-2", "1.23"),
    ("18446744073709551615", "18446744073709551615"), ("1234567890123456789012", "1.234567890123456789012e+21"),
    ("100e-2", "1"), ("0e99999999999999999999", "0"),
  ])
  func `canonical text has one form for each number`(text: String, expected: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(value.text(.canonical) == expected)
    #expect(try JSONValue(parsing: expected) == value)
    #expect(value.text() == text)
  }

  @Test func `canonical texts are equal exactly when values are`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let values = try (0..<300).map { _ in try JSONValue(parsing: random.document(depth: 1)) }
    for left in values {
      for right in values {
        #expect((left == right) == (left.bytes(.canonical) == right.bytes(.canonical)), "seed \(seed)")
        if left == right { #expect(left.hashValue == right.hashValue, "seed \(seed): \(left), \(right)") }
      }
    }
  }

  @Test func `integers of every size are written in full`() throws {
    var integers: [Int64] = [0, .min, .max]
    var power: Int64 = 1
    for _ in 0..<18 {
      integers += [power - 1, power, -power, power * 9]
      power *= 10
    }
    for integer in integers { #expect(JSONValue(integer).text() == integer.description) }
  }
}
