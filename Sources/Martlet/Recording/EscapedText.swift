/// A text with its JSON escapes undone, and where each of its bytes comes from.
package struct EscapedText {
  package private(set) var bytes: [UInt8] = []
  /// For each of `bytes`, the bytes of the original that it stands for. Those of one escaped character are with its first.
  package private(set) var sources: [Range<Int>] = []
  /// Whether there was an escape at all.
  private(set) var isShorter = false
  /// Whether the original ends within an escape, which begins here.
  private(set) var escapeStart = 0
  private(set) var endsInEscape = false

  /// Nil for a text without a backslash, which has no escapes.
  package init?(_ original: [UInt8]) {
    guard original.contains(UInt8(ascii: "\\")) else { return nil }
    decode(original) { $0 }
  }

  /// The same once more, for a text within a text.
  var deeper: EscapedText? {
    guard bytes.contains(UInt8(ascii: "\\")) else { return nil }
    var text = self
    (text.bytes, text.sources, text.isShorter, text.endsInEscape) = ([], [], false, false)
    text.decode(bytes) { range in
      range.isEmpty
        ? sources[range.lowerBound]
        : sources[range.lowerBound].lowerBound..<sources[range.upperBound - 1].upperBound
    }
    return text
  }

  private mutating func decode(_ original: [UInt8], _ source: (Range<Int>) -> Range<Int>) {
    bytes.reserveCapacity(original.count)
    sources.reserveCapacity(original.count)
    var index = 0
    while index < original.count {
      guard original[index] == UInt8(ascii: "\\") else {
        bytes.append(original[index])
        sources.append(source(index..<index + 1))
        index += 1
        continue
      }
      guard index + 1 < original.count else { return endWithin(index, source) }
      let letter = original[index + 1]
      if letter == UInt8(ascii: "u") {
        guard index + 6 <= original.count else { return endWithin(index, source) }
        var code: UInt32? = 0
        for digit in original[index + 2..<index + 6] {
          code = Self.hexDigit(digit).flatMap { value in code.map { $0 << 4 | value } }
        }
        if let code {
          let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
          let whole = source(index..<index + 6)
          for (position, byte) in String(Character(scalar)).utf8.enumerated() {
            bytes.append(byte)
            sources.append(position == 0 ? whole : whole.upperBound..<whole.upperBound)
          }
          isShorter = true
          index += 6
          continue
        }
      } else if let byte = Self.meaning(of: letter) {
        bytes.append(byte)
        sources.append(source(index..<index + 2))
        isShorter = true
        index += 2
        continue
      }
      bytes.append(original[index])
      sources.append(source(index..<index + 1))
      index += 1
    }
  }

  private mutating func endWithin(_ index: Int, _ source: (Range<Int>) -> Range<Int>) {
    endsInEscape = true
    escapeStart = source(index..<index + 1).lowerBound
  }

  private static func meaning(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    default: nil
    }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }
}
