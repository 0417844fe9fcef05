/// Bytes being written, in memory of one's own.
///
/// The owner must call `destroy()`, once.
struct JSONOutput {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var isOnHeap = false
  private(set) var count = 0

  /// No bytes yet, in lent room.
  init(_ room: UnsafeMutableBufferPointer<UInt8>) {
    guard let start = room.baseAddress else { preconditionFailure("the output needs room") }
    base = start
    capacity = room.count
  }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  mutating func destroy() {
    if isOnHeap { base.deallocate() }
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(1) }
    base[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    (base + count).update(from: start, count: bytes.count)
    count += bytes.count
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  mutating func append(_ byte: UInt8, count times: Int) {
    reserve(times)
    (base + count).update(repeating: byte, count: times)
    count += times
  }

  mutating func append(_ integer: Int64) {
    reserve(20)
    var rest = integer.magnitude
    var end = base + count + Self.length(integer)
    count += Self.length(integer)
    repeat {
      end -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      end.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
    if integer < 0 { (end - 1).pointee = UInt8(ascii: "-") }
  }

  private static func length(_ integer: Int64) -> Int {
    var length = integer < 0 ? 2 : 1
    var rest = integer.magnitude
    while rest >= 10 {
      rest /= 10
      length += 1
    }
    return length
  }

  /// Writes a string in quotes, with the least of escapes.
  @inline(__always)
  mutating func append(quoted text: String) {
    // Strings that come from elsewhere, as on Apple platforms, may have no bytes in a row.
    if text.utf8.withContiguousStorageIfAvailable({ append(quoted: $0) }) == nil {
      var copy = text
      copy.makeContiguousUTF8()
      copy.withUTF8 { append(quoted: $0) }
    }
  }

  private mutating func append(quoted text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    if var cursor = text.baseAddress {
      let end = cursor + text.count
      while true {
        copyPlain(&cursor, end)
        if cursor == end { break }
        escape(cursor.pointee)
        cursor += 1
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Copies up to the next byte that must be escaped, or to `end`.
  @inline(__always)
  private mutating func copyPlain(_ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    reserve(end - cursor)
    var target = base + count
    while end - cursor >= 8 {
      let word = JSONBytes.word(cursor)
      guard JSONBytes.escapedBytes(of: word) == 0 else { break }
      UnsafeMutableRawPointer(target).storeBytes(of: word.littleEndian, as: UInt64.self)
      cursor += 8
      target += 8
    }
    while cursor < end, !JSONEscape.isNeeded(cursor.pointee) {
      target.pointee = cursor.pointee
      cursor += 1
      target += 1
    }
    count = target - base
  }

  @inline(never)
  private mutating func escape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    if let letter = JSONEscape.letter(byte) {
      append(letter)
    } else {
      append("u00")
      append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      let low = byte & 0xf
      append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.initialize(from: base, count: count)
    if isOnHeap { base.deallocate() }
    base = larger
    isOnHeap = true
  }
}
