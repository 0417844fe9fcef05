/// Tells cheaply that no key of an object has come before: a Bloom filter of one word over the keys as they are
/// written.
struct JSONKeyFilter {
  private var seen: UInt64 = 0
  /// Whether two keys may be the same.
  private(set) var mayRepeat = false

  /// Takes in a key written from `start`, its first quote, to `end`, after its last; up to `limit` may be
  /// looked at. One that is not written as it is, but with escapes, may be any other.
  @inline(__always)
  mutating func insert(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>, asIs: Bool
  ) {
    if !asIs { mayRepeat = true }
    let length = end - start
    var hash: UInt64
    if length >= 8 {
      // Keys of up to 14 bytes as a whole, of longer ones the ends.
      hash = JSONBytes.word(start) &* 0x9e37_79b9_7f4a_7c15 ^ JSONBytes.word(end - 8)
    } else if limit - start >= 8 {
      hash = JSONBytes.word(start) & (1 &<< UInt64(8 &* length) &- 1)
    } else {
      hash = 0
      for offset in 0..<length { hash |= UInt64(start[offset]) << (8 * UInt64(offset)) }
    }
    hash = (hash ^ UInt64(truncatingIfNeeded: length)) &* 0xff51_afd7_ed55_8ccd
    let bit: UInt64 = 1 &<< (hash >> 58)
    if seen & bit != 0 { mayRepeat = true }
    seen |= bit
  }
}
