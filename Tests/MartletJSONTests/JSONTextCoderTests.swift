import Foundation
import MartletJSON
import Testing

@Suite struct JSONTextCoderTests {
  struct Event: Codable, Equatable {
    var type: String
    var index: Int
    var ratio: Double
    var tags: [String]
    var maybe: Int?
    var nested: [String: [Int]]
    var raw: JSONValue
    var at: Date
    var data: Data
    var link: URL
    var price: Decimal
    var big: UInt64
  }

  static func event() throws -> Event {
    Event(
      type: "delta", index: -3, ratio: 0.1, tags: ["a", "é"], maybe: nil, nested: ["k": [1, 2]],
      raw: ["z": 1, "a": [nil, true, 2.50]], at: Date(timeIntervalSince1970: 1_796_030_045.123),
      data: Data([0, 1, 255]), link: try #require(URL(string: "https://example.org/a?b=c")),
      price: try #require(Decimal(string: "12.340")),
      big: .max)
  }

  @Test func `a value of every kind survives`() throws {
    let event = try Self.event()
    let text = try JSONTextEncoder().text(event)
    #expect(
      text == #"""
        {"type":"delta","index":-3,"ratio":0.1,"tags":["a","é"],"nested":{"k":[1,2]},"raw":{"z":1,"a":[null,true,2.5]},\#
        "at":"2026-11-30T09:14:05.123Z","data":"AAH/","link":"https://example.org/a?b=c","price":12.34,\#
        "big":18446744073709551615}
        """#)
    #expect(try JSONTextDecoder().decode(Event.self, from: text) == event)
  }
}
