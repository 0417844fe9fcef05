import MartletJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Picks the few members that a decoder needs out of a JSON text, without making a value of the whole.
///
/// Streams repeat the same small event thousands of times; this reads it several times faster than a tree. It assumes
/// well-formed text and stays within its bounds on any other: whatever it does not expect makes a method return false or
/// nil, and its user reads the whole text with `JSONValue`, which says what is wrong.
struct JSONCursor {
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// Runs `body` with a cursor at the start of a text; nil where `body` gives up.
  static func read<T>(_ bytes: ArraySlice<UInt8>, _ body: (inout JSONCursor) -> T?) -> T? {
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return nil }
      var cursor = JSONCursor(next: start, end: start + buffer.count)
      return body(&cursor)
    }
  }

  private init(next: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    self.next = next
    self.end = end
  }

  /// A member's name or a word in a string, as its bytes lie in the text; valid while the cursor is.
  struct Key {
    fileprivate let start: UnsafePointer<UInt8>
    fileprivate let count: Int

    static func ~= (name: StaticString, key: Key) -> Bool {
      name.utf8CodeUnitCount == key.count && memcmp(name.utf8Start, key.start, key.count) == 0
    }

    func hasSuffix(_ suffix: StaticString) -> Bool {
      suffix.utf8CodeUnitCount <= count
        && memcmp(suffix.utf8Start, start + (count - suffix.utf8CodeUnitCount), suffix.utf8CodeUnitCount) == 0
    }
  }

  /// Goes through the members of the object at the cursor; `member` must consume each value, or return false to give up.
  mutating func object(_ member: (inout JSONCursor, Key) -> Bool) -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return true }
    repeat {
      guard take(UInt8(ascii: "\"")) else { return false }
      let start = next
      guard let close = closingQuote() else { return false }
      next = close + 1
      guard take(UInt8(ascii: ":")), member(&self, Key(start: start, count: close - start)) else { return false }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  /// Goes through the elements of the array at the cursor.
  mutating func array(_ element: (inout JSONCursor) -> Bool) -> Bool {
    guard take(UInt8(ascii: "[")) else { return false }
    if take(UInt8(ascii: "]")) { return true }
    repeat {
      guard element(&self) else { return false }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]"))
  }

  /// The string at the cursor.
  mutating func string() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = next
    guard let close = closingQuote() else { return nil }
    next = close + 1
    let raw = UnsafeBufferPointer(start: start, count: close - start)
    guard memchr(start, Int32(UInt8(ascii: "\\")), raw.count) != nil else {
      return String(decoding: raw, as: UTF8.self)
    }
    return Self.unescaped(raw)
  }

  /// The string at the cursor as it is written, to be compared with words that need no escapes.
  mutating func word() -> Key? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = next
    guard let close = closingQuote() else { return nil }
    next = close + 1
    return Key(start: start, count: close - start)
  }

  /// Goes past the value at the cursor, which is read into `value` if it is an integer.
  mutating func integer(into value: inout Int?) -> Bool {
    let start = next
    value = integer()
    if value != nil { return true }
    next = start
    return skip()
  }

  /// The integer at the cursor; nil for anything else, as a fraction is.
  private mutating func integer() -> Int? {
    skipSpace()
    let isNegative = next < end && next.pointee == UInt8(ascii: "-")
    if isNegative { next += 1 }
    var value = 0
    var digits = 0
    while next < end, next.pointee >= UInt8(ascii: "0"), next.pointee <= UInt8(ascii: "9"), digits < 18 {
      value = value * 10 + Int(next.pointee - UInt8(ascii: "0"))
      digits += 1
      next += 1
    }
    guard digits > 0 else { return nil }
    if next < end, next.pointee == UInt8(ascii: ".") || next.pointee | 0x20 == UInt8(ascii: "e") { return nil }
    return isNegative ? -value : value
  }

  /// Whether `true` is at the cursor, which goes past it.
  mutating func isTrue() -> Bool {
    skipSpace()
    guard end - next >= 4, memcmp(next, "true", 4) == 0 else { return false }
    next += 4
    return true
  }

  /// Goes past the value at the cursor.
  mutating func skip() -> Bool {
    skipSpace()
    guard next < end else { return false }
    switch next.pointee {
    case UInt8(ascii: "\""):
      next += 1
      guard let close = closingQuote() else { return false }
      next = close + 1
      return true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var depth = 0
      while next < end {
        switch next.pointee {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          if depth == 0 {
            next += 1
            return true
          }
        case UInt8(ascii: "\""):
          next += 1
          guard let close = closingQuote() else { return false }
          next = close
        default: break
        }
        next += 1
      }
      return false
    default:
      let start = next
      while next < end, !Self.endsLiteral(next.pointee) { next += 1 }
      return next > start
    }
  }

  /// The bytes of the value at the cursor.
  mutating func raw() -> UnsafeBufferPointer<UInt8>? {
    skipSpace()
    let start = next
    return skip() ? UnsafeBufferPointer(start: start, count: next - start) : nil
  }

  /// Whether nothing but white space is left.
  mutating func isAtEnd() -> Bool {
    skipSpace()
    return next == end
  }

  // MARK: - Bytes

  private mutating func skipSpace() {
    while next < end, next.pointee == 0x20 || next.pointee == 0x0A || next.pointee == 0x0D || next.pointee == 0x09 {
      next += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next < end, next.pointee == byte else { return false }
    next += 1
    return true
  }

  private static func endsLiteral(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: true
    default: false
    }
  }

  /// The quote that ends the string that the cursor is in.
  private func closingQuote() -> UnsafePointer<UInt8>? {
    var from = next
    while let found = memchr(from, Int32(UInt8(ascii: "\"")), end - from) {
      let quote = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
      var escapes = 0
      while quote - escapes > next, (quote - escapes - 1).pointee == UInt8(ascii: "\\") { escapes += 1 }
      if escapes % 2 == 0 { return quote }
      from = quote + 1
    }
    return nil
  }

  private static func unescaped(_ raw: UnsafeBufferPointer<UInt8>) -> String? {
    var isValid = true
    // A text with escapes is never longer without them: `\uXXXX` is at most three bytes of UTF-8.
    let text = String(unsafeUninitializedCapacity: raw.count) { output in
      var count = 0
      var index = 0
      func put(_ byte: UInt8) {
        output[count] = byte
        count += 1
      }
      while index < raw.count {
        let byte = raw[index]
        guard byte == UInt8(ascii: "\\") else {
          put(byte)
          index += 1
          continue
        }
        guard index + 1 < raw.count else {
          isValid = false
          return 0
        }
        index += 2
        switch raw[index - 1] {
        case UInt8(ascii: "n"): put(0x0A)
        case UInt8(ascii: "t"): put(0x09)
        case UInt8(ascii: "r"): put(0x0D)
        case UInt8(ascii: "b"): put(0x08)
        case UInt8(ascii: "f"): put(0x0C)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): put(raw[index - 1])
        case UInt8(ascii: "u"):
          guard var unit = hex(raw, at: index) else {
            isValid = false
            return 0
          }
          index += 4
          if unit & 0xFC00 == 0xD800, index + 1 < raw.count, raw[index] == UInt8(ascii: "\\"),
            raw[index + 1] == UInt8(ascii: "u"), let low = hex(raw, at: index + 2), low & 0xFC00 == 0xDC00
          {
            unit = 0x10000 + ((unit & 0x3FF) << 10) + (low & 0x3FF)
            index += 6
          }
          // Half a pair reads as U+FFFD.
          for byte in UTF8.encode(Unicode.Scalar(unit) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter { put(byte) }
        default:
          isValid = false
          return 0
        }
      }
      return count
    }
    return isValid ? text : nil
  }

  private static func hex(_ raw: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    guard index + 4 <= raw.count else { return nil }
    var value: UInt32 = 0
    for byte in raw[index..<index + 4] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    return value
  }
}
