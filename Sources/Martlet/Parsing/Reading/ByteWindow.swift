/// The part of a byte stream that may still be needed, addressed by offsets in the stream.
struct ByteWindow: Sendable {
  private var bytes: [UInt8] = []
  /// The stream offset of `bytes[0]`.
  private var base = 0

  /// The stream offset after the last byte.
  var end: Int { base + bytes.count }

  subscript(offset: Int) -> UInt8 { bytes[offset - base] }

  mutating func append(_ delta: some Collection<UInt8>) {
    bytes.append(contentsOf: delta)
  }

  /// Forgets the bytes before an offset. Moves memory only when that halves it, so the cost stays linear.
  mutating func discard(before offset: Int) {
    let count = offset - base
    if count == bytes.count {
      bytes.removeAll(keepingCapacity: count < 65536)
    } else if count >= 4096, count > bytes.count / 2 {
      bytes.removeFirst(count)
    } else {
      return
    }
    base = offset
  }

  func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[(range.lowerBound - base)..<(range.upperBound - base)]
  }

  func string(_ range: Range<Int>) -> String {
    String(decoding: slice(range), as: UTF8.self)
  }

  /// Whether `literal` stands at an offset; `nil` when the stream so far is too short to tell.
  func matches(_ literal: [UInt8], at offset: Int) -> Bool? {
    let start = offset - base
    let count = min(literal.count, bytes.count - start)
    guard count >= 0 else { return nil }
    for index in 0..<count where bytes[start + index] != literal[index] { return false }
    return count == literal.count ? true : nil
  }

  /// The first place in `range` where one of the literals stands as a whole. One pass, whatever the literals.
  func firstMatch(ofAny literals: [[UInt8]], in range: Range<Int>) -> (offset: Int, length: Int)? {
    let firsts = literals.compactMap(\.first)
    guard let first = firsts.first else { return nil }
    let isSingle = firsts.allSatisfy { $0 == first }
    var index = range.lowerBound - base
    let last = range.upperBound - base
    while index < last {
      let byte = bytes[index]
      if byte == first || (!isSingle && firsts.contains(byte)) {
        for literal in literals where index + literal.count <= last && bytes[index...].starts(with: literal) {
          return (index + base, literal.count)
        }
      }
      index += 1
    }
    return nil
  }

  /// The end of `range` without the bytes of a character that is not complete yet.
  func characterBoundary(in range: Range<Int>) -> Int {
    var lead = range.upperBound - 1
    let lowest = max(range.lowerBound, range.upperBound - 3)
    while lead >= lowest {
      let byte = self[lead]
      if byte < 0x80 { return range.upperBound }
      if byte >= 0xC2 {
        let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 1
        guard lead + length > range.upperBound, isPlausible(lead..<range.upperBound) else { return range.upperBound }
        return lead
      }
      lead -= 1
    }
    return range.upperBound
  }

  /// Whether the bytes of a cut character could still become a valid one (Unicode, table 3-7): if not, they decode to
  /// replacement characters whatever follows.
  private func isPlausible(_ range: Range<Int>) -> Bool {
    guard range.count > 1 else { return true }
    let second = self[range.lowerBound + 1]
    switch self[range.lowerBound] {
    case 0xE0: return second >= 0xA0
    case 0xED: return second < 0xA0
    case 0xF0: return second >= 0x90
    case 0xF4: return second < 0x90
    default: return true
    }
  }
}
