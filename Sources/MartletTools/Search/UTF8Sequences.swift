/// Splits ranges of code points into sequences of ranges of bytes, as they are written in UTF-8.
///
/// U+0080…U+07FF, for example, is [C2–DF][80–BF]. (The method is that of R. Cox's RE2.)
enum UTF8Sequences {
  typealias Sequence = [ClosedRange<UInt8>]

  static func sequences(of range: ClosedRange<UInt32>) -> [Sequence] {
    var result: [Sequence] = []
    var open = [range]
    while let next = open.popLast() {
      let (low, high) = (next.lowerBound, next.upperBound)
      // Surrogates are no characters.
      if low < 0xD800, high > 0xDFFF || (0xD800...0xDFFF).contains(high) {
        if high > 0xDFFF { open.append(0xE000...high) }
        open.append(low...0xD7FF)
      } else if (0xD800...0xDFFF).contains(low) {
        if high > 0xDFFF { open.append(0xE000...high) }
      } else if let length = [0x7F, 0x7FF, 0xFFFF].first(where: { low <= $0 && high > $0 }) {
        open.append(length + 1...high)
        open.append(low...length)
      } else if let split = boundary(low, high) {
        open.append(split + 1...high)
        open.append(low...split)
      } else {
        result.append(zip(bytes(low), bytes(high)).map { min($0, $1)...max($0, $1) })
      }
    }
    return result
  }

  /// Where a range must be split so that its last bytes run from 80 to BF under one prefix.
  private static func boundary(_ low: UInt32, _ high: UInt32) -> UInt32? {
    guard high > 0x7F else { return nil }
    for bits in stride(from: UInt32(6), through: 18, by: 6) {
      let mask = (UInt32(1) << bits) - 1
      guard low & ~mask != high & ~mask else { continue }
      if low & mask != 0 { return low | mask }
      if high & mask != mask { return (high & ~mask) - 1 }
    }
    return nil
  }

  static func bytes(_ scalar: UInt32) -> [UInt8] {
    Unicode.Scalar(scalar).map { Array(String(Character($0)).utf8) } ?? []
  }
}
