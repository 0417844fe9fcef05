import MartletJSON

/// Reads JSON with the faults models make, where the fault leaves one reading only; says what it repaired.
///
/// Used after strict reading failed. What has two readings is an error with its reason, never a guess: an unescaped
/// quote inside a string, a string or number that the end of the text cut, a missing comma, brackets that do not match.
struct LenientJSON {
  struct Failure: Error, Sendable, Hashable {
    let reason: String
  }

  struct Outcome {
    var value: JSONValue
    var repairs: [ToolCallParser.Repair]
  }

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private let depthLimit: Int
  private let end: End
  private var repairs: [ToolCallParser.Repair] = []

  /// What the end of the text means.
  enum End: Sendable {
    /// The model marked it: brackets may be missing there, and a number that stands there is whole.
    case marked
    /// The model stopped there by itself: brackets may be missing.
    case stopped
    /// The output was cut there: nothing may be missing.
    case cut
  }

  /// The most brackets that may be missing: an object and the object around it, with one to spare.
  private static let missingLimit = 3

  private init(_ bytes: ArraySlice<UInt8>, depthLimit: Int, end: End) {
    self.bytes = bytes
    self.depthLimit = depthLimit
    self.end = end
    position = bytes.startIndex
  }

  /// Reads a value that is the whole text, up to white space and closing brackets too many.
  static func read(_ bytes: ArraySlice<UInt8>, depthLimit: Int, end: End) throws(Failure) -> Outcome {
    var reader = LenientJSON(bytes, depthLimit: depthLimit, end: end)
    let value = try reader.value(depth: 0)
    reader.skipWhitespace()
    while let byte = reader.byte, byte == ASCII.closeBrace || byte == ASCII.closeBracket || byte.isWhitespace {
      if !byte.isWhitespace { reader.note(.extraClose) }
      reader.position += 1
    }
    guard reader.byte == nil else { throw Failure(reason: "text follows the JSON value") }
    return Outcome(value: value, repairs: reader.repairs)
  }

  private var byte: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func note(_ repair: ToolCallParser.Repair) {
    if !repairs.contains(repair) { repairs.append(repair) }
  }

  private mutating func skipWhitespace() {
    while let byte, byte.isWhitespace { position += 1 }
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    skipWhitespace()
    guard let byte else { throw Failure(reason: "the text ends where a value should stand") }
    switch byte {
    case ASCII.openBrace: return try object(depth: depth)
    case ASCII.openBracket: return try array(depth: depth)
    case ASCII.quote, ASCII.apostrophe: return .string(try string())
    default: return try word()
    }
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    try checkDepth(depth)
    position += 1
    var members = JSONObject()
    skipWhitespace()
    if byte == ASCII.closeBrace {
      position += 1
      return .object(members)
    }
    while true {
      let key = try key()
      skipWhitespace()
      guard byte == ASCII.colon else { throw Failure(reason: "a colon is missing after the key \"\(shown(key))\"") }
      position += 1
      let member = try value(depth: depth + 1)
      guard members[key] == nil else { throw Failure(reason: "the key \"\(shown(key))\" appears twice") }
      members[key] = member
      if try isClosed(by: ASCII.closeBrace) { return .object(members) }
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    try checkDepth(depth)
    position += 1
    var elements: [JSONValue] = []
    skipWhitespace()
    if byte == ASCII.closeBracket {
      position += 1
      return .array(elements)
    }
    while true {
      elements.append(try value(depth: depth + 1))
      if try isClosed(by: ASCII.closeBracket) { return .array(elements) }
    }
  }

  /// After a member: whether the container ends here; otherwise the next member stands at `position`.
  private mutating func isClosed(by close: UInt8) throws(Failure) -> Bool {
    skipWhitespace()
    switch byte {
    case close:
      position += 1
      return true
    case ASCII.comma:
      position += 1
      skipWhitespace()
      guard byte == close else { return false }
      position += 1
      note(.trailingComma)
      return true
    case nil:
      try missingClose()
      return true
    case ASCII.closeBrace, ASCII.closeBracket:
      throw Failure(reason: "the brackets do not match")
    default:
      throw Failure(reason: "a comma is missing, or a quotation mark inside a string is not escaped")
    }
  }

  private var missing = 0

  private mutating func missingClose() throws(Failure) {
    missing += 1
    guard end != .cut else { throw Failure(reason: "the output was cut off inside the JSON value") }
    guard missing <= Self.missingLimit else {
      throw Failure(reason: "more than \(Self.missingLimit) brackets are missing")
    }
    note(.missingClose)
  }

  private mutating func key() throws(Failure) -> String {
    skipWhitespace()
    guard let byte else { throw Failure(reason: "the text ends where a key should stand") }
    if byte == ASCII.quote || byte == ASCII.apostrophe { return try string() }
    guard byte.isLetter || byte == ASCII.underscore else { throw Failure(reason: "a key should stand here") }
    let start = position
    while let byte = self.byte, byte.isLetter || byte.isDigit || byte == ASCII.underscore { position += 1 }
    note(.unquotedKey)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func string() throws(Failure) -> String {
    let quote = bytes[position]
    if quote == ASCII.apostrophe { note(.singleQuotes) }
    position += 1
    var text: [UInt8] = []
    while let byte {
      position += 1
      switch byte {
      case quote:
        guard let string = String(validating: text, as: UTF8.self) else {
          throw Failure(reason: "a string is not valid UTF-8")
        }
        return string
      case ASCII.backslash:
        try escape(into: &text)
      default:
        if byte < 0x20 { note(.rawControlCharacter) }
        text.append(byte)
      }
    }
    throw Failure(reason: "a string has no end")
  }

  private mutating func escape(into text: inout [UInt8]) throws(Failure) {
    guard let byte else { throw Failure(reason: "a string has no end") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"): text.append(byte)
    case ASCII.apostrophe:
      note(.invalidEscape)
      text.append(byte)
    case UInt8(ascii: "u"): try unicodeEscape(into: &text)
    default: throw Failure(reason: "a string holds an invalid escape")
    }
  }

  private mutating func unicodeEscape(into text: inout [UInt8]) throws(Failure) {
    var code = try hexadecimal()
    if (0xD800..<0xDC00).contains(code) {
      guard byte == ASCII.backslash, position + 1 < bytes.endIndex, bytes[position + 1] == UInt8(ascii: "u") else {
        throw Failure(reason: "a string holds half of a surrogate pair")
      }
      position += 2
      let low = try hexadecimal()
      guard (0xDC00..<0xE000).contains(low) else { throw Failure(reason: "a string holds half of a surrogate pair") }
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw Failure(reason: "a string holds half of a surrogate pair") }
    text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw Failure(reason: "a string holds an invalid escape")
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }

  private mutating func word() throws(Failure) -> JSONValue {
    let start = position
    while let byte, byte.isWord { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "true": return true
    case "false": return false
    case "null": return .null
    case "True":
      note(.pythonLiteral)
      return true
    case "False":
      note(.pythonLiteral)
      return false
    case "None":
      note(.pythonLiteral)
      return .null
    default: break
    }
    guard let number = JSONNumber(text: text) else {
      throw Failure(reason: text.isEmpty ? "a value should stand here" : "\"\(shown(text))\" is no JSON value")
    }
    if position == bytes.endIndex, end != .marked { throw Failure(reason: "the text ends inside a number") }
    return .number(number)
  }

  private func checkDepth(_ depth: Int) throws(Failure) {
    guard depth < depthLimit else { throw Failure(reason: "the JSON value is nested more than \(depthLimit) deep") }
  }

  private func shown(_ text: String) -> String { text.count > 40 ? String(text.prefix(40)) + "…" : text }
}
