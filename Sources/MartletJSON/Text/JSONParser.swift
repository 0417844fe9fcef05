/// The reader's recursive descent over bytes in memory. Every access is checked against the end.
struct JSONParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let options: JSONReader.Options
  private let depthLimit: Int
  private var index = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ options: JSONReader.Options) {
    self.bytes = bytes
    self.options = options
    depthLimit = options.depthLimit
  }

  mutating func document() throws(JSONFault) -> JSONValue {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      guard options.byteOrderMark == .skip else { throw JSONFault(.byteOrderMark, 0) }
      index = 3
    }
    skipSpace()
    let value = try value(depth: 0)
    skipSpace()
    guard index == bytes.count else { throw JSONFault(.trailingBytes, index) }
    return value
  }

  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0a, 0x0d, 0x09: index += 1
      default: return
      }
    }
  }

  /// The byte at the index, or the fault of a text that ends here.
  private func current() throws(JSONFault) -> UInt8 {
    guard index < bytes.count else { throw JSONFault(.unexpectedEnd, index) }
    return bytes[index]
  }

  private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
    switch try current() {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "t"):
      try literal("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try literal("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw JSONFault(.unexpectedByte, index)
    }
  }

  private mutating func literal(_ text: StaticString) throws(JSONFault) {
    for offset in 0..<text.utf8CodeUnitCount {
      guard try current() == text.utf8Start[offset] else { throw JSONFault(.unexpectedByte, index) }
      index += 1
    }
  }

  private mutating func array(depth: Int) throws(JSONFault) -> [JSONValue] {
    guard depth <= depthLimit else { throw JSONFault(.tooDeep, index) }
    index += 1
    skipSpace()
    var elements: [JSONValue] = []
    if try current() == UInt8(ascii: "]") {
      index += 1
      return elements
    }
    while true {
      elements.append(try value(depth: depth))
      skipSpace()
      switch try current() {
      case UInt8(ascii: ","):
        index += 1
        skipSpace()
      case UInt8(ascii: "]"):
        index += 1
        return elements
      default: throw JSONFault(.unexpectedByte, index)
      }
    }
  }

  private mutating func object(depth: Int) throws(JSONFault) -> JSONObject {
    guard depth <= depthLimit else { throw JSONFault(.tooDeep, index) }
    index += 1
    skipSpace()
    var object = JSONObject()
    if try current() == UInt8(ascii: "}") {
      index += 1
      return object
    }
    while true {
      let keyStart = index
      guard try current() == UInt8(ascii: "\"") else { throw JSONFault(.unexpectedByte, index) }
      let key = try string()
      if options.duplicateKeys == .error, object[key] != nil { throw JSONFault(.duplicateKey, keyStart) }
      skipSpace()
      guard try current() == UInt8(ascii: ":") else { throw JSONFault(.unexpectedByte, index) }
      index += 1
      skipSpace()
      let value = try value(depth: depth)
      switch options.duplicateKeys {
      case .last, .error: object[key] = value
      case .first: if object[key] == nil { object[key] = value }
      }
      skipSpace()
      switch try current() {
      case UInt8(ascii: ","):
        index += 1
        skipSpace()
      case UInt8(ascii: "}"):
        index += 1
        return object
      default: throw JSONFault(.unexpectedByte, index)
      }
    }
  }

  private mutating func number() throws(JSONFault) -> JSONNumber {
    let start = index
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let integerStart = index
    let magnitude = try digits()
    let integerCount = index - integerStart
    if integerCount > 1, bytes[integerStart] == UInt8(ascii: "0") {
      throw JSONFault(.invalidNumber, integerStart + 1)
    }
    var isPlain = integerCount <= 18 && !(isNegative && magnitude == 0)
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      isPlain = false
      index += 1
      _ = try digits()
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      isPlain = false
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      _ = try digits()
    }
    if isPlain {
      return JSONNumber(storage: .integer(isNegative ? -Int64(magnitude) : Int64(magnitude)))
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if let value = Int64(text), integerCount >= 18, value.description == text {
      return JSONNumber(storage: .integer(value))
    }
    return JSONNumber(storage: .text(text))
  }

  /// Skips one or more digits and gives their value, wrapped around when there are many.
  private mutating func digits() throws(JSONFault) -> UInt64 {
    let start = index
    var value: UInt64 = 0
    while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
      value = value &* 10 &+ UInt64(digit)
      index += 1
    }
    guard index > start else {
      _ = try current()
      throw JSONFault(.invalidNumber, index)
    }
    return value
  }

  private mutating func string() throws(JSONFault) -> String {
    index += 1
    let start = index
    var unescaped: [UInt8] = []
    var segment = start
    while true {
      let byte = try current()
      switch byte {
      case UInt8(ascii: "\""):
        let part = bytes[segment..<index]
        index += 1
        if segment == start { return String(decoding: part, as: UTF8.self) }
        unescaped.append(contentsOf: part)
        return String(decoding: unescaped, as: UTF8.self)
      case UInt8(ascii: "\\"):
        unescaped.append(contentsOf: bytes[segment..<index])
        try escape(into: &unescaped)
        segment = index
      case 0..<0x20: throw JSONFault(.controlCharacter, index)
      case 0x20..<0x80: index += 1
      default:
        let length = UTF8Sequence.length(in: bytes, at: index)
        guard length > 0 else { throw JSONFault(.invalidUTF8, index) }
        index += length
      }
    }
  }

  private mutating func escape(into output: inout [UInt8]) throws(JSONFault) {
    let start = index
    index += 1
    let byte = try current()
    index += 1
    switch byte {
    case UInt8(ascii: "u"):
      var code = try hex()
      if code & 0xfc00 == 0xd800, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
        bytes[index + 1] == UInt8(ascii: "u")
      {
        let afterFirst = index
        index += 2
        let low = try hex()
        if low & 0xfc00 == 0xdc00 {
          code = 0x10000 + (code & 0x3ff) << 10 + low & 0x3ff
        } else {
          index = afterFirst
        }
      }
      guard let scalar = Unicode.Scalar(code) else {
        guard options.loneSurrogates == .replace else { throw JSONFault(.loneSurrogate, start) }
        output += [0xef, 0xbf, 0xbd]
        return
      }
      output.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
    default:
      guard let character = JSONEscape.character(byte) else { throw JSONFault(.invalidEscape, start) }
      output.append(character)
    }
  }

  private mutating func hex() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = JSONEscape.hexDigit(try current()) else { throw JSONFault(.invalidEscape, index) }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
