/// The reader's recursive descent over bytes in memory. Every access is checked against the end.
///
/// The values and members of open arrays and objects lie on two stacks, so that each array and object is allocated
/// once, in its final size.
struct JSONParser {
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var cursor: UnsafePointer<UInt8>
  private let depthLimit: Int
  private let options: JSONReader.Options
  private var values: JSONStack<JSONValue>
  private var entries: JSONStack<JSONObject.Entry>

  /// The value of a whole text.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ options: JSONReader.Options) -> Result<JSONValue, JSONFault>
  {
    guard let start = bytes.baseAddress else { return .failure(JSONFault(.unexpectedEnd, 0)) }
    // Room for small documents without a heap allocation; each stays below the 1,024 bytes that the stack may give.
    return withUnsafeTemporaryAllocation(of: JSONValue.self, capacity: 32) { values in
      withUnsafeTemporaryAllocation(of: JSONObject.Entry.self, capacity: 24) { entries in
        var parser = JSONParser(start, bytes.count, options, JSONStack(values), JSONStack(entries))
        defer {
          parser.values.destroy()
          parser.entries.destroy()
        }
        do throws(JSONFault) {
          return .success(try parser.document())
        } catch {
          return .failure(error)
        }
      }
    }
  }

  private init(
    _ start: UnsafePointer<UInt8>, _ count: Int, _ options: JSONReader.Options, _ values: JSONStack<JSONValue>,
    _ entries: JSONStack<JSONObject.Entry>
  ) {
    self.start = start
    end = start + count
    cursor = start
    depthLimit = options.depthLimit
    self.options = options
    self.values = values
    self.entries = entries
  }

  private mutating func document() throws(JSONFault) -> JSONValue {
    if end - start >= 3, start[0] == 0xef, start[1] == 0xbb, start[2] == 0xbf {
      guard options.byteOrderMark == .skip else { throw JSONFault(.byteOrderMark, 0) }
      cursor = start + 3
    }
    let value = try value(try next(), depth: 0)
    skipSpace()
    guard cursor == end else { throw fault(.trailingBytes) }
    return value
  }

  /// A fault at the cursor.
  private func fault(_ code: JSONError.Code) -> JSONFault {
    JSONFault(code, cursor - start)
  }

  private mutating func skipSpace() {
    while cursor < end {
      switch cursor.pointee {
      case 0x20, 0x0a, 0x0d, 0x09: cursor += 1
      default: return
      }
    }
  }

  /// The byte at the cursor, or the fault of a text that ends here.
  @inline(__always)
  private func current() throws(JSONFault) -> UInt8 {
    guard cursor < end else { throw fault(.unexpectedEnd) }
    return cursor.pointee
  }

  /// The byte after any white space, which the cursor is then at.
  @inline(__always)
  private mutating func next() throws(JSONFault) -> UInt8 {
    let byte = try current()
    if byte > 0x20 { return byte }
    skipSpace()
    return try current()
  }

  private mutating func value(_ first: UInt8, depth: Int) throws(JSONFault) -> JSONValue {
    switch first {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"):
      return .object(try options.duplicateKeys == .error ? strictObject(depth + 1) : object(depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth + 1))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "t"):
      try literal("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default: throw fault(.unexpectedByte)
    }
  }

  private mutating func literal(_ text: StaticString) throws(JSONFault) {
    for offset in 0..<text.utf8CodeUnitCount {
      guard try current() == text.utf8Start[offset] else { throw fault(.unexpectedByte) }
      cursor += 1
    }
  }
}

// MARK: - Arrays and objects

extension JSONParser {
  private mutating func array(_ depth: Int) throws(JSONFault) -> [JSONValue] {
    guard depth <= depthLimit else { throw fault(.tooDeep) }
    cursor += 1
    let base = values.count
    var byte = try next()
    if byte == UInt8(ascii: "]") {
      cursor += 1
      return []
    }
    while true {
      values.push(try value(byte, depth: depth))
      byte = try next()
      if byte == UInt8(ascii: ",") {
        cursor += 1
        byte = try next()
      } else if byte == UInt8(ascii: "]") {
        cursor += 1
        return values.pop(from: base)
      } else {
        throw fault(.unexpectedByte)
      }
    }
  }

  private mutating func object(_ depth: Int) throws(JSONFault) -> JSONObject {
    guard depth <= depthLimit else { throw fault(.tooDeep) }
    cursor += 1
    let base = entries.count
    var filter = JSONKeyFilter()
    var byte = try next()
    if byte == UInt8(ascii: "}") {
      cursor += 1
      return JSONObject()
    }
    while true {
      guard byte == UInt8(ascii: "\"") else { throw fault(.unexpectedByte) }
      let keyStart = cursor
      let key = try string()
      filter.insert(keyStart, cursor, limit: end, asIs: cursor - keyStart == key.utf8.count + 2)
      guard try next() == UInt8(ascii: ":") else { throw fault(.unexpectedByte) }
      cursor += 1
      let value = try value(try next(), depth: depth)
      entries.push(JSONObject.Entry(key: key, value: value))
      byte = try next()
      if byte == UInt8(ascii: ",") {
        cursor += 1
        byte = try next()
      } else if byte == UInt8(ascii: "}") {
        cursor += 1
        return JSONObject(
          entries.pop(from: base), mayRepeat: filter.mayRepeat, lastCounts: options.duplicateKeys == .last)
      } else {
        throw fault(.unexpectedByte)
      }
    }
  }

  /// An object in which a repeated key is a fault as soon as it comes.
  private mutating func strictObject(_ depth: Int) throws(JSONFault) -> JSONObject {
    guard depth <= depthLimit else { throw fault(.tooDeep) }
    cursor += 1
    var object = JSONObject()
    var byte = try next()
    if byte == UInt8(ascii: "}") {
      cursor += 1
      return object
    }
    while true {
      guard byte == UInt8(ascii: "\"") else { throw fault(.unexpectedByte) }
      let keyStart = cursor
      let (position, isNew) = object.reserve(try string())
      guard isNew else { throw JSONFault(.duplicateKey, keyStart - start) }
      guard try next() == UInt8(ascii: ":") else { throw fault(.unexpectedByte) }
      cursor += 1
      _ = object.exchange(try value(try next(), depth: depth), at: position)
      byte = try next()
      if byte == UInt8(ascii: ",") {
        cursor += 1
        byte = try next()
      } else if byte == UInt8(ascii: "}") {
        cursor += 1
        return object
      } else {
        throw fault(.unexpectedByte)
      }
    }
  }
}

// MARK: - Numbers

extension JSONParser {
  private mutating func number() throws(JSONFault) -> JSONNumber {
    let first = cursor
    let isNegative = first.pointee == UInt8(ascii: "-")
    if isNegative { cursor += 1 }
    let digitsStart = cursor
    let magnitude = try digits()
    let count = cursor - digitsStart
    if count > 1, digitsStart.pointee == UInt8(ascii: "0") {
      throw JSONFault(.invalidNumber, digitsStart + 1 - start)
    }
    var isInteger = true
    if cursor < end, cursor.pointee == UInt8(ascii: ".") {
      isInteger = false
      cursor += 1
      _ = try digits()
    }
    if cursor < end, cursor.pointee | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      cursor += 1
      if cursor < end, cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-") { cursor += 1 }
      _ = try digits()
    }
    if isInteger, count <= 18, magnitude != 0 || !isNegative {
      return JSONNumber(storage: .integer(isNegative ? -Int64(magnitude) : Int64(magnitude)))
    }
    return JSONNumber(validText: UnsafeBufferPointer(start: first, count: cursor - first))
  }

  /// Skips one or more digits and gives their value, wrapped around when there are many.
  @inline(__always)
  private mutating func digits() throws(JSONFault) -> UInt64 {
    let first = cursor
    var value: UInt64 = 0
    while cursor < end, case let digit = cursor.pointee &- UInt8(ascii: "0"), digit < 10 {
      value = value &* 10 &+ UInt64(digit)
      cursor += 1
    }
    guard cursor > first else {
      _ = try current()
      throw fault(.invalidNumber)
    }
    return value
  }
}

// MARK: - Strings

extension JSONParser {
  /// The string whose first quote the cursor is at.
  @inline(__always)
  private mutating func string() throws(JSONFault) -> String {
    let first = cursor + 1
    cursor = JSONBytes.skipPlain(first, end)
    if cursor < end, cursor.pointee == UInt8(ascii: "\"") {
      let count = cursor - first
      cursor += 1
      return count <= 15 ? Self.shortASCII(first, count) : Self.text(first, count)
    }
    return try longString(from: first)
  }

  /// Strings of up to 15 bytes lie in the `String` itself; this way the compiler builds them in place.
  @inline(__always)
  private static func shortASCII(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(unsafeUninitializedCapacity: 15) { room in
      room.baseAddress?.initialize(from: start, count: count)
      return count
    }
  }

  @inline(never)
  private static func text(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The string from `first`, of which the cursor is at the first byte that is not plain.
  @inline(never)
  private mutating func longString(from first: UnsafePointer<UInt8>) throws(JSONFault) -> String {
    try skipPlain()
    guard cursor.pointee == UInt8(ascii: "\"") else { return try escapedString(from: first) }
    cursor += 1
    return Self.text(first, cursor - 1 - first)
  }

  /// Moves to the next quote or backslash of a string, over whole characters.
  private mutating func skipPlain() throws(JSONFault) {
    while true {
      cursor = JSONBytes.skipPlain(cursor, end)
      let byte = try current()
      guard byte >= 0x80 else {
        if byte < 0x20 { throw fault(.controlCharacter) }
        return
      }
      while cursor < end, cursor.pointee >= 0x80 {
        let length = UTF8Sequence.length(in: UnsafeBufferPointer(start: cursor, count: end - cursor), at: 0)
        guard length > 0 else { throw fault(.invalidUTF8) }
        cursor += length
      }
    }
  }

  /// The rest of a string from its first backslash, which the cursor is at.
  private mutating func escapedString(from first: UnsafePointer<UInt8>) throws(JSONFault) -> String {
    var text: [UInt8] = []
    var segment = first
    while true {
      text.append(contentsOf: UnsafeBufferPointer(start: segment, count: cursor - segment))
      if cursor.pointee == UInt8(ascii: "\"") {
        cursor += 1
        return String(decoding: text, as: UTF8.self)
      }
      try escape(into: &text)
      segment = cursor
      try skipPlain()
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
    let backslash = cursor
    cursor += 1
    let byte = try current()
    cursor += 1
    guard byte == UInt8(ascii: "u") else {
      guard let character = JSONEscape.character(byte) else { throw JSONFault(.invalidEscape, backslash - start) }
      text.append(character)
      return
    }
    var code = try hex()
    if code & 0xfc00 == 0xd800, end - cursor >= 2, cursor[0] == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u") {
      let afterFirst = cursor
      cursor += 2
      let low = try hex()
      if low & 0xfc00 == 0xdc00 {
        code = 0x10000 + (code & 0x3ff) << 10 + low & 0x3ff
      } else {
        cursor = afterFirst
      }
    }
    guard let scalar = Unicode.Scalar(code) else {
      guard options.loneSurrogates == .replace else { throw JSONFault(.loneSurrogate, backslash - start) }
      text += [0xef, 0xbf, 0xbd]
      return
    }
    text.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
  }

  private mutating func hex() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = JSONEscape.hexDigit(try current()) else { throw fault(.invalidEscape) }
      value = value << 4 | UInt32(digit)
      cursor += 1
    }
    return value
  }
}
