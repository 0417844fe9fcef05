/// Scanning eight bytes at a time.
enum JSONBytes {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The first byte that is not plain: a quote, a backslash, a control character, the start of a longer character;
  /// or `end`.
  @inline(__always)
  static func skipPlain(_ cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var cursor = cursor
    while end - cursor >= 8 {
      let special = specialBytes(of: word(cursor))
      if special != 0 { return cursor + special.trailingZeroBitCount / 8 }
      cursor += 8
    }
    while cursor < end, isPlain(cursor.pointee) { cursor += 1 }
    return cursor
  }

  /// The eight bytes at a place, the first one lowest.
  @inline(__always)
  static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  static func areSame(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var index = 0
    while count - index >= 8 {
      if word(left + index) != word(right + index) { return false }
      index += 8
    }
    while index < count {
      if left[index] != right[index] { return false }
      index += 1
    }
    return true
  }

  /// Whether a byte stands for itself in a string.
  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// The high bit of each byte that is not plain is set, up to and including the first; of those after it, maybe.
  @inline(__always)
  static func specialBytes(of word: UInt64) -> UInt64 {
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    // Subtracting borrows from the high bit of a byte that is less; a borrow beyond comes after a found byte.
    let less = (word &- (ones &* 0x20)) | (quote &- ones) | (backslash &- ones)
    return ((less & ~word) | word) & highs
  }

  /// The high bit of each byte that a string must escape is set, up to and including the first; of those after it,
  /// maybe.
  @inline(__always)
  static func escapedBytes(of word: UInt64) -> UInt64 {
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    // The high bits of the bytes of longer characters are kept out.
    let less = (word &- (ones &* 0x20)) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
    return less & highs
  }
}
