import MartletJSON

/// SplitMix64: the same numbers for the same seed everywhere.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

extension SeededRandom {
  mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &self)]
  }

  /// A JSON text of random values, spacing and spelling.
  mutating func document(depth: Int = 4) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &self) {
    case 0: return pick(["null", "true", "false"])
    case 1:
      return pick(["0", "-0", "17", "-9223372036854775808", "18446744073709551615", "1.50", "3e0", "1E-7", "1e400"])
    case 2: return String(Int64.random(in: .min ... .max, using: &self) >> Int64.random(in: 0..<63, using: &self))
    case 3: return Double.random(in: -1e9...1e9, using: &self).description
    case 4, 5: return string()
    case 6, 7:
      let members = (0..<Int.random(in: 0..<5, using: &self)).map { _ in
        "\(space())\(string())\(space()):\(space())\(document(depth: depth - 1))\(space())"
      }
      return "{\(members.isEmpty ? space() : members.joined(separator: ","))}"
    default:
      let elements = (0..<Int.random(in: 0..<5, using: &self)).map { _ in
        "\(space())\(document(depth: depth - 1))\(space())"
      }
      return "[\(elements.isEmpty ? space() : elements.joined(separator: ","))]"
    }
  }

  mutating func string() -> String {
    let pieces = [
      "a", "key", "12345678", "é", "\u{2028}", "😀", "\u{10ffff}", #"\n"#, #"\""#, #"\\"#, #"\u00e9"#, #"\ud83d\ude00"#,
      #"\ud800"#, #"\udc00"#, " ", "/", #"\/"#, "\u{7f}",
    ]
    return "\"" + (0..<Int.random(in: 0..<6, using: &self)).map { _ in pick(pieces) }.joined() + "\""
  }

  private mutating func space() -> String {
    pick(["", "", "", " ", "\n", "\r\n", "\t\r"])
  }

  /// Changes, inserts, removes or repeats some bytes.
  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &self) {
      let place = Int.random(in: 0...bytes.count, using: &self)
      let byte = pick(Array("{}[]\",:\\u0123456789eE+-.tfn \n\r".utf8) + [0, 0x1f, 0x80, 0xbf, 0xc3, 0xed, 0xef, 0xff])
      switch Int.random(in: 0..<4, using: &self) {
      case 0: bytes.insert(byte, at: place)
      case 1 where place < bytes.count: bytes[place] = byte
      case 2 where place < bytes.count: bytes.remove(at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + 3))
      }
    }
    return bytes
  }
}
