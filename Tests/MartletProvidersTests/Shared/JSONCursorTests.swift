import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct JSONCursorTests {
  func value(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
    switch random.pick(depth > 3 ? [0, 1, 2, 3] : [0, 1, 2, 3, 4, 5, 3, 3]) {
    case 0: return random.pick([.null, true, false])
    case 1: return random.pick([1, -7, 0, 123_456_789])
    case 2: return random.pick([1.5, -2e10])
    case 3: return .string(random.pick(["", "plain", "\"\\/\n\t\u{1}", "äöü世界👋", "\\\\\"", "ends in \\"]))
    case 4:
      return .array((0..<random.pick([0, 1, 3])).map { _ in value(&random, depth: depth + 1) })
    default:
      var object = JSONObject()
      for _ in 0..<random.pick([0, 1, 3]) {
        object[random.pick(["a", "delta", "k\"ey", "ä"])] = value(&random, depth: depth + 1)
      }
      return .object(object)
    }
  }

  @Test func `skipping leaves the cursor behind the value, whatever it is`() {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let skipped = value(&random, depth: 0)
      let text = random.pick([" ", ""]) + skipped.text(random.pick([.compact, .pretty])) + ", \"after\" "
      let after = JSONCursor.read(Array(text.utf8)[...]) { cursor -> String? in
        // An array without its brackets.
        guard cursor.skip() else { return nil }
        return "skipped"
      }
      #expect(after == "skipped", "seed \(seed): \(text)")
      let list = "[\(skipped.text()), \"after\"]"
      let found = JSONCursor.read(Array(list.utf8)[...]) { cursor -> [String]? in
        var strings: [String] = []
        var count = 0
        let isRead = cursor.array { cursor in
          count += 1
          if count == 1 { return cursor.skip() }
          guard let string = cursor.string() else { return false }
          strings.append(string)
          return true
        }
        return isRead && cursor.isAtEnd() ? strings : nil
      }
      #expect(found == ["after"], "seed \(seed): \(list)")
    }
  }

  @Test(arguments: [
    #""plain""#, #""""#, #""a\n\t\r\b\f\/\\\"b""#, #""\u00e9\u4e16\ud83d\udc4b""#, #""\ud83d alone""#, #""\udc4b""#,
    #""\ud83dx\u0041""#, #""é世👋""#, #""\\\\""#,
  ])
  func `strings read as the reader reads them`(text: String) throws {
    let string = JSONCursor.read(Array(text.utf8)[...]) { $0.string() }
    #expect(string == (try JSONValue(parsing: text)).stringValue)
  }

  @Test func `cut and broken text is never read beyond its end`() {
    let text = #"{"type":"response.output_text.delta","delta":"a\u00e9\"b","output_index":12,"x":[{"y":null}]}"#
    let bytes = Array(text.utf8)
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var broken = bytes
      for _ in 0..<random.pick([0, 1, 3]) {
        broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      broken.removeLast(Int.random(in: 0...broken.count, using: &random))
      _ = JSONCursor.read(broken[...]) { cursor -> Bool? in
        var number: Int?
        return cursor.object { cursor, key in
          switch key {
          case "delta": cursor.string() != nil
          case "type": cursor.word() != nil
          case "output_index": cursor.integer(into: &number)
          default: cursor.skip()
          }
        }
      }
    }
  }
}
