/// Well-formed UTF-8 by Table 3-7 of the Unicode Standard.
enum UTF8Sequence {
  /// The length of the sequence of two to four bytes that starts at `index`, or 0 when it is malformed or cut off.
  static func length(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let first = bytes[index]
    func isIn(_ range: ClosedRange<UInt8>, _ offset: Int) -> Bool {
      index + offset < bytes.count && range.contains(bytes[index + offset])
    }
    let second: ClosedRange<UInt8>
    let length: Int
    switch first {
    case 0xc2...0xdf: (second, length) = (0x80...0xbf, 2)
    case 0xe0: (second, length) = (0xa0...0xbf, 3)
    case 0xed: (second, length) = (0x80...0x9f, 3)
    case 0xe1...0xef: (second, length) = (0x80...0xbf, 3)
    case 0xf0: (second, length) = (0x90...0xbf, 4)
    case 0xf1...0xf3: (second, length) = (0x80...0xbf, 4)
    case 0xf4: (second, length) = (0x80...0x8f, 4)
    default: return 0
    }
    guard isIn(second, 1) else { return 0 }
    if length > 2, !isIn(0x80...0xbf, 2) { return 0 }
    if length > 3, !isIn(0x80...0xbf, 3) { return 0 }
    return length
  }
}
