/// Walks through a JSON text without building its values: for streams of many small documents of which few members count.
///
/// What is read is checked; of what is skipped only the end is looked for. The text must stay where it is meanwhile, so
/// scanners are made by ``scan(_:_:)`` and do not leave it.
package struct JSONScanner {
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var cursor: UnsafePointer<UInt8>
  /// Whether nothing was read yet of the object or array that was entered last, so that no comma comes first.
  private var isFirst = false
  /// The key of the member at the cursor.
  @usableFromInline var name: Word

  /// A key or a text as it is written, without its quotes: to be compared with what needs no escapes, while the scanner
  /// is there.
  package struct Word {
    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline let count: Int

    init(from start: UnsafePointer<UInt8>, count: Int) {
      self.start = start
      self.count = count
    }

    /// Its bytes as they are written, valid while the scanner is there.
    package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// Whether these are its bytes as they are written.
    package func hasBytes(_ bytes: [UInt8]) -> Bool { bytes.count == count && beginsWith(bytes) }

    /// Whether these are its first bytes as they are written.
    package func beginsWith(_ bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBufferPointer { bytes in
        guard bytes.count <= count, let first = bytes.baseAddress else { return bytes.isEmpty }
        return JSONBytes.areSame(start, first, bytes.count)
      }
    }

    @inlinable @inline(__always)
    package static func ~= (text: StaticString, word: Word) -> Bool {
      text.utf8CodeUnitCount == word.count && word.hasSuffix(text)
    }

    @inlinable package func hasSuffix(_ text: StaticString) -> Bool {
      let length = text.utf8CodeUnitCount
      guard length <= count else { return false }
      let end = start + (count - length)
      for index in 0..<length where end[index] != text.utf8Start[index] { return false }
      return true
    }
  }

  /// Calls `body` with a scanner at the start of a text.
  package static func scan<R>(
    _ bytes: ArraySlice<UInt8>, _ body: (inout JSONScanner) throws(JSONError) -> R
  ) throws(JSONError) -> R {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      guard let start = buffer.baseAddress else { throw JSONFault(.unexpectedEnd, 0).error(in: buffer) }
      var scanner = JSONScanner(start, buffer.count)
      return try body(&scanner)
    }
  }

  /// Calls `body` with a scanner at the start of a text.
  package static func scan<R>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout JSONScanner) throws(JSONError) -> R
  ) throws(JSONError) -> R {
    guard let start = bytes.baseAddress else { throw JSONFault(.unexpectedEnd, 0).error(in: bytes) }
    var scanner = JSONScanner(start, bytes.count)
    return try body(&scanner)
  }

  private init(_ start: UnsafePointer<UInt8>, _ count: Int) {
    self.start = start
    end = start + count
    cursor = start
    name = Word(from: start, count: 0)
  }

  private func error(_ code: JSONError.Code) -> JSONError {
    JSONFault(code, cursor - start).error(in: UnsafeBufferPointer(start: start, count: end - start))
  }

  /// The next byte that is no white space, which the cursor is then at.
  @inline(__always)
  private mutating func next() throws(JSONError) -> UInt8 {
    while cursor < end {
      let byte = cursor.pointee
      if byte > 0x20 { return byte }
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { throw error(.unexpectedByte) }
      cursor += 1
    }
    throw error(.unexpectedEnd)
  }

  /// Goes into the object at the cursor; false when something else is there, which is skipped.
  package mutating func enterObject() throws(JSONError) -> Bool { try enter(UInt8(ascii: "{")) }

  /// Goes into the array at the cursor; false when something else is there, which is skipped.
  package mutating func enterArray() throws(JSONError) -> Bool { try enter(UInt8(ascii: "[")) }

  private mutating func enter(_ bracket: UInt8) throws(JSONError) -> Bool {
    guard try next() == bracket else {
      try skip()
      return false
    }
    cursor += 1
    isFirst = true
    return true
  }

  /// Passes over the comma between two members or elements, or the bracket after the last; false at the bracket. The
  /// cursor is then at what the comma announces.
  @inline(__always)
  private mutating func separator(orEnd bracket: UInt8) throws(JSONError) -> Bool {
    let byte = try next()
    if byte == bracket {
      cursor += 1
      isFirst = false
      return false
    }
    if isFirst {
      isFirst = false
    } else {
      guard byte == UInt8(ascii: ",") else { throw error(.unexpectedByte) }
      cursor += 1
      guard try next() != bracket else { throw error(.unexpectedByte) }
    }
    return true
  }

  /// Goes to the next member of the object that was entered, whose value must then be read or skipped; false at the end.
  package mutating func nextMember() throws(JSONError) -> Bool {
    guard try separator(orEnd: UInt8(ascii: "}")) else { return false }
    guard cursor.pointee == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
    name = try readWord()
    guard try next() == UInt8(ascii: ":") else { throw error(.unexpectedByte) }
    cursor += 1
    return true
  }

  /// Goes to the next element of the array that was entered; false at the end.
  package mutating func nextElement() throws(JSONError) -> Bool {
    guard try separator(orEnd: UInt8(ascii: "]")) else { return false }
    guard cursor.pointee != UInt8(ascii: ",") else { throw error(.unexpectedByte) }
    return true
  }

  /// The name of the member at the cursor as it is written. Names with escapes are not recognised in it.
  @inlinable package var keyWord: Word { name }

  /// Whether the member at the cursor has this name. Names with escapes are not recognised.
  @inlinable package func isKey(_ name: StaticString) -> Bool { name ~= keyWord }

  /// The name of the member at the cursor.
  package var key: String { String(decoding: UnsafeBufferPointer(start: name.start, count: name.count), as: UTF8.self) }

  /// Whether a string is at the cursor.
  package mutating func isString() throws(JSONError) -> Bool { try next() == UInt8(ascii: "\"") }

  /// Whether an object is at the cursor.
  package mutating func isObject() throws(JSONError) -> Bool { try next() == UInt8(ascii: "{") }

  /// Whether an array is at the cursor.
  package mutating func isArray() throws(JSONError) -> Bool { try next() == UInt8(ascii: "[") }

  /// Reads a string; nil for any other value, which is skipped.
  package mutating func string() throws(JSONError) -> String? {
    guard try next() == UInt8(ascii: "\"") else {
      try skip()
      return nil
    }
    let first = cursor + 1
    let isPlain = try skipString()
    guard isPlain else {
      return try value(from: first - 1).stringValue
    }
    return String(decoding: UnsafeBufferPointer(start: first, count: cursor - 1 - first), as: UTF8.self)
  }

  /// Reads a string as the reader of values does, which repairs nothing; nil for any other value.
  package mutating func exactString() throws(JSONError) -> String? {
    guard try isString() else { return nil }
    let first = cursor + 1
    var isPlain = true
    cursor = first
    while true {
      cursor = JSONBytes.skipPlain(cursor, end)
      guard cursor < end else { throw error(.unexpectedEnd) }
      switch cursor.pointee {
      case UInt8(ascii: "\""):
        let text = UnsafeBufferPointer(start: first, count: cursor - first)
        cursor += 1
        return isPlain ? String(decoding: text, as: UTF8.self) : try value(from: first - 1).stringValue
      case 0x80...:
        let length = UTF8Sequence.length(in: UnsafeBufferPointer(start: cursor, count: end - cursor), at: 0)
        guard length > 0 else { throw error(.unexpectedByte) }
        cursor += length
      case UInt8(ascii: "\\"):
        isPlain = false
        cursor += 2
      default:
        isPlain = false
        cursor += 1
      }
    }
  }

  /// The text of a word of ASCII without escapes and control characters; nil of any other.
  package static func plainText(_ word: Word) -> String? {
    let end = word.start + word.count
    guard JSONBytes.skipPlain(word.start, end) == end else { return nil }
    return String(decoding: word.bytes, as: UTF8.self)
  }

  /// Passes over `null`; false, with the cursor where it was, when something else is there.
  package mutating func isNull() throws(JSONError) -> Bool {
    guard try next() == UInt8(ascii: "n") else { return false }
    return isLiteral("null")
  }

  /// Reads `true` or `false`; nil, with the cursor where it was, for anything else.
  package mutating func boolean() throws(JSONError) -> Bool? {
    switch try next() {
    case UInt8(ascii: "t"): isLiteral("true") ? true : nil
    case UInt8(ascii: "f"): isLiteral("false") ? false : nil
    default: nil
    }
  }

  /// Passes over a literal that a delimiter follows.
  private mutating func isLiteral(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard end - cursor > length, Word(from: cursor, count: length).hasSuffix(text) else { return false }
    switch cursor[length] {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09:
      cursor += length
      return true
    default: return false
    }
  }

  /// Whether nothing but white space is left.
  package mutating func isAtEnd() throws(JSONError) -> Bool {
    while cursor < end, [0x20, 0x0A, 0x0D, 0x09].contains(cursor.pointee) { cursor += 1 }
    return cursor == end
  }

  /// Passes over bytes that are just these; false, with the cursor where it was, when others are there.
  package mutating func passes(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - cursor >= count, JSONBytes.areSame(cursor, text.utf8Start, count) else { return false }
    cursor += count
    return true
  }

  /// Reads a text without copying it; nil for any other value, which is skipped.
  package mutating func word() throws(JSONError) -> Word? {
    guard try isString() else {
      try skip()
      return nil
    }
    return try readWord()
  }

  private mutating func readWord() throws(JSONError) -> Word {
    let first = cursor + 1
    try skipString()
    return Word(from: first, count: cursor - first - 1)
  }

  /// Reads `true` or `false`; nil for any other value, which is skipped.
  package mutating func bool() throws(JSONError) -> Bool? { try value().boolValue }

  /// Whether a number is at the cursor; anything else is skipped.
  private mutating func isNumber() throws(JSONError) -> Bool {
    let first = try next()
    if first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10 { return true }
    try skip()
    return false
  }

  /// Reads an integer; nil for any other value, which is skipped.
  package mutating func int() throws(JSONError) -> Int? {
    guard try isNumber() else { return nil }
    if let value = shortInteger() { return value }
    return try value().intValue
  }

  /// Reads a number; nil for any other value, which is skipped.
  package mutating func double() throws(JSONError) -> Double? {
    guard try isNumber() else { return nil }
    if let value = shortDecimal() { return value }
    return try value().doubleValue
  }

  /// Reads digits, maybe with a point among them, that a quotient of two exact numbers is the nearest one to (Clinger, How
  /// to read floating point numbers accurately, 1990); nil, with the cursor where it was, for any other number.
  private mutating func shortDecimal() -> Double? {
    var place = cursor
    var (digits, count, scale): (UInt64, Int, Double) = (0, 0, 1)
    func digit() -> UInt64? {
      guard place < end, count < 15, place.pointee &- UInt8(ascii: "0") < 10 else { return nil }
      return UInt64(place.pointee &- UInt8(ascii: "0"))
    }
    while let next = digit() {
      (digits, count, place) = (digits * 10 + next, count + 1, place + 1)
    }
    guard count == 1 || count > 1 && cursor.pointee != UInt8(ascii: "0") else { return nil }
    if place < end, place.pointee == UInt8(ascii: ".") {
      place += 1
      let whole = count
      while let next = digit() {
        (digits, count, scale, place) = (digits * 10 + next, count + 1, scale * 10, place + 1)
      }
      guard count > whole else { return nil }
    }
    guard place < end, Self.isDelimiter(place.pointee) else { return nil }
    cursor = place
    return Double(digits) / scale
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  /// Reads digits that are a whole integer for sure; nil, with the cursor where it was, for any other number.
  private mutating func shortInteger() -> Int? {
    var value = 0
    var place = cursor
    while place < end, place.pointee &- UInt8(ascii: "0") < 10, place - cursor < 18 {
      value = value * 10 + Int(place.pointee - UInt8(ascii: "0"))
      place += 1
    }
    // A leading zero is left to the reader of numbers, as are signs, fractions and exponents.
    guard place > cursor, cursor.pointee != UInt8(ascii: "0") || place - cursor == 1, place < end,
      Self.isDelimiter(place.pointee)
    else { return nil }
    cursor = place
    return value
  }

  /// Reads the value at the cursor.
  package mutating func value() throws(JSONError) -> JSONValue {
    _ = try next()
    let first = cursor
    try skip()
    return try value(from: first)
  }

  private func value(from first: UnsafePointer<UInt8>) throws(JSONError) -> JSONValue {
    try JSONValue(parsing: UnsafeBufferPointer(start: first, count: cursor - first))
  }

  /// Passes over the value at the cursor.
  package mutating func skip() throws(JSONError) {
    var depth = 0
    repeat {
      switch try next() {
      case UInt8(ascii: "\""): try skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        cursor += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { throw error(.unexpectedByte) }
        depth -= 1
        cursor += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        guard depth > 0 else { throw error(.unexpectedByte) }
        cursor += 1
      default: skipScalar()
      }
    } while depth > 0
  }

  private mutating func skipScalar() {
    while cursor < end {
      switch cursor.pointee {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "\""), 0...0x20:
        return
      default: cursor += 1
      }
    }
  }

  /// Passes over the string at the cursor; whether it has neither escapes nor control characters.
  @discardableResult
  private mutating func skipString() throws(JSONError) -> Bool {
    cursor += 1
    var isPlain = true
    while true {
      cursor = JSONBytes.skipPlain(cursor, end)
      guard cursor < end else { throw error(.unexpectedEnd) }
      switch cursor.pointee {
      case UInt8(ascii: "\""):
        cursor += 1
        return isPlain
      case UInt8(ascii: "\\"):
        isPlain = false
        cursor += 1
        guard cursor < end else { throw error(.unexpectedEnd) }
      case 0..<0x20: isPlain = false
      default: break
      }
      cursor += 1
    }
  }
}
