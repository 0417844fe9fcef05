/// Well-formed UTF-8 by Table 3-7 of the Unicode Standard.
enum UTF8Sequence {
  /// What the first byte of a sequence of several bytes demands of the others; `nil` when no sequence begins with it.
  private static func shape(_ first: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
    switch first {
    case 0xc2...0xdf: (2, 0x80...0xbf)
    case 0xe0: (3, 0xa0...0xbf)
    case 0xed: (3, 0x80...0x9f)
    case 0xe1...0xef: (3, 0x80...0xbf)
    case 0xf0: (4, 0x90...0xbf)
    case 0xf1...0xf3: (4, 0x80...0xbf)
    case 0xf4: (4, 0x80...0x8f)
    default: nil
    }
  }

  /// The length of the sequence of two to four bytes that starts at `index`, or 0 when it is malformed or cut off.
  static func length(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    guard let (length, second) = shape(bytes[index]), length <= bytes.count - index,
      second.contains(bytes[index + 1])
    else { return 0 }
    if length > 2, bytes[index + 2] & 0xc0 != 0x80 { return 0 }
    if length > 3, bytes[index + 3] & 0xc0 != 0x80 { return 0 }
    return length
  }

  /// Whether the bytes, one at least, begin a well-formed sequence that is longer than they are.
  static func isCutOff(_ bytes: [UInt8]) -> Bool {
    guard let (length, second) = shape(bytes[0]), bytes.count < length else { return false }
    return bytes.count == 1 || second.contains(bytes[1]) && bytes[2...].allSatisfy { $0 & 0xc0 == 0x80 }
  }
}
