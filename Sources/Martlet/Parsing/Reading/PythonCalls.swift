import MartletJSON

/// Reads calls written as Python: `f(x=1)`, `print(f(x=1))`, several on lines of their own, or a list of them.
///
/// Only calls with literal arguments are read; anything else Python could say is a failure with its reason, for running
/// it would mean guessing.
struct PythonCalls {
  struct Failure: Error, Sendable, Hashable {
    let reason: String
  }

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private let tools: OfferedTools
  private let depthLimit: Int

  private init(_ bytes: ArraySlice<UInt8>, tools: OfferedTools, depthLimit: Int) {
    self.bytes = bytes
    self.tools = tools
    self.depthLimit = depthLimit
    position = bytes.startIndex
  }

  /// The calls of a whole text, in order.
  static func read(
    _ bytes: ArraySlice<UInt8>, tools: OfferedTools, depthLimit: Int
  ) throws(Failure) -> [ToolCallParser.Call] {
    var reader = PythonCalls(bytes, tools: tools, depthLimit: depthLimit)
    var calls: [ToolCallParser.Call] = []
    reader.skip(lines: true)
    if reader.byte == ASCII.openBracket {
      calls = try reader.list()
      reader.skip(lines: true)
    } else {
      while reader.byte != nil {
        calls.append(try reader.statement())
        reader.skip(lines: false)
        guard let byte = reader.byte else { break }
        guard byte == ASCII.newline || byte == ASCII.semicolon else {
          throw Failure(reason: "only calls with literal arguments can be read")
        }
        reader.position += 1
        reader.skip(lines: true)
      }
    }
    guard reader.byte == nil else { throw Failure(reason: "only calls with literal arguments can be read") }
    guard !calls.isEmpty else { throw Failure(reason: "there is no call") }
    return calls
  }

  private var byte: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  /// Skips white space and comments.
  private mutating func skip(lines: Bool) {
    while let byte {
      if byte == ASCII.hash {
        while let byte = self.byte, byte != ASCII.newline { position += 1 }
      } else if byte.isWhitespace, lines || byte != ASCII.newline {
        position += 1
      } else {
        return
      }
    }
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    guard self.byte == byte else { return false }
    position += 1
    return true
  }

  private mutating func list() throws(Failure) -> [ToolCallParser.Call] {
    var calls: [ToolCallParser.Call] = []
    position += 1
    skip(lines: true)
    while !accept(ASCII.closeBracket) {
      calls.append(try call(identifier()))
      skip(lines: true)
      if accept(ASCII.comma) {
        skip(lines: true)
      } else if byte != ASCII.closeBracket {
        throw Failure(reason: "the list of calls has no end")
      }
    }
    return calls
  }

  private mutating func statement() throws(Failure) -> ToolCallParser.Call {
    let name = try identifier()
    guard name == "print", !tools.contains("print") else { return try call(name) }
    skip(lines: false)
    guard accept(ASCII.openParenthesis) else { throw Failure(reason: "print is no call of a tool") }
    skip(lines: true)
    let inner = try call(identifier())
    skip(lines: true)
    guard accept(ASCII.closeParenthesis) else { throw Failure(reason: "print may hold one call only") }
    return inner
  }

  private mutating func identifier() throws(Failure) -> String {
    let start = position
    while let byte, byte.isLetter || byte.isDigit || byte == ASCII.underscore || byte == ASCII.dot || byte >= 0x80 {
      position += 1
    }
    guard position > start, !bytes[start].isDigit else { throw Failure(reason: "there is no call") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func call(_ written: String) throws(Failure) -> ToolCallParser.Call {
    skip(lines: false)
    guard accept(ASCII.openParenthesis) else { throw Failure(reason: "\(written) is not called") }
    let name = toolName(written)
    var named = JSONObject()
    var positional: [JSONValue] = []
    skip(lines: true)
    while !accept(ASCII.closeParenthesis) {
      if let key = try keyword() {
        guard named[key] == nil else { throw Failure(reason: "the argument \"\(key)\" is given twice") }
        named[key] = try literal(depth: 0)
      } else {
        guard named.isEmpty else { throw Failure(reason: "an argument without a name follows one with a name") }
        positional.append(try literal(depth: 0))
      }
      skip(lines: true)
      if accept(ASCII.comma) {
        skip(lines: true)
      } else if byte != ASCII.closeParenthesis {
        throw Failure(reason: byte == nil ? "the call has no end" : "only literal arguments can be read")
      }
    }
    let arguments = try arguments(of: name, positional, named)
    return .init(name: name, arguments: .object(arguments))
  }

  /// The tool that a dotted name means: Gemma puts its tools into `default_api`, Llama's built-in ones end in `.call`.
  private func toolName(_ written: String) -> String {
    if tools.contains(written) { return written }
    if written.hasSuffix(".call") { return String(written.dropLast(".call".count)) }
    guard let last = written.split(separator: ".").last.map(String.init) else { return written }
    return tools.contains(last) || written.hasPrefix("default_api.") ? last : written
  }

  private func arguments(
    of name: String, _ positional: [JSONValue], _ named: JSONObject
  ) throws(Failure) -> JSONObject {
    guard let first = positional.first else { return named }
    if positional.count == 1, named.isEmpty, case .object(let object) = first { return object }
    guard let keys = tools.schema(of: name)?["properties"]?.objectValue.map({ Array($0.keys) }),
      keys.count >= positional.count
    else { throw Failure(reason: "the arguments have no names") }
    var arguments = JSONObject()
    for (key, value) in zip(keys, positional) { arguments[key] = value }
    for (key, value) in named {
      guard arguments[key] == nil else { throw Failure(reason: "the argument \"\(key)\" is given twice") }
      arguments[key] = value
    }
    return arguments
  }

  /// `name =`, if it stands here.
  private mutating func keyword() throws(Failure) -> String? {
    let start = position
    guard let byte, byte.isLetter || byte == ASCII.underscore else { return nil }
    let name = try identifier()
    skip(lines: true)
    guard accept(ASCII.equals), self.byte != ASCII.equals else {
      position = start
      return nil
    }
    skip(lines: true)
    return name
  }

  // MARK: Literals

  private mutating func literal(depth: Int) throws(Failure) -> JSONValue {
    guard depth < depthLimit else { throw Failure(reason: "an argument is nested more than \(depthLimit) deep") }
    guard let byte else { throw Failure(reason: "the call has no end") }
    switch byte {
    case ASCII.quote, ASCII.apostrophe: return .string(try strings())
    case ASCII.openBracket: return .array(try elements(until: ASCII.closeBracket, depth: depth).values)
    case ASCII.openBrace: return try dictionary(depth: depth)
    case ASCII.openParenthesis: return try parenthesised(depth: depth)
    default: return try word()
    }
  }

  private mutating func elements(
    until close: UInt8, depth: Int
  ) throws(Failure) -> (values: [JSONValue], hasComma: Bool) {
    position += 1
    var values: [JSONValue] = []
    var hasComma = false
    skip(lines: true)
    while !accept(close) {
      values.append(try literal(depth: depth + 1))
      skip(lines: true)
      if accept(ASCII.comma) {
        hasComma = true
        skip(lines: true)
      } else if byte != close {
        throw Failure(reason: "only literal arguments can be read")
      }
    }
    return (values, hasComma)
  }

  private mutating func parenthesised(depth: Int) throws(Failure) -> JSONValue {
    let inner = try elements(until: ASCII.closeParenthesis, depth: depth)
    return inner.values.count == 1 && !inner.hasComma ? inner.values[0] : .array(inner.values)
  }

  private mutating func dictionary(depth: Int) throws(Failure) -> JSONValue {
    position += 1
    var members = JSONObject()
    skip(lines: true)
    while !accept(ASCII.closeBrace) {
      guard byte == ASCII.quote || byte == ASCII.apostrophe else {
        throw Failure(reason: "a dictionary's keys must be strings")
      }
      let key = try strings()
      skip(lines: true)
      guard accept(ASCII.colon) else { throw Failure(reason: "only literal arguments can be read") }
      skip(lines: true)
      guard members[key] == nil else { throw Failure(reason: "the key \"\(key)\" appears twice") }
      members[key] = try literal(depth: depth + 1)
      skip(lines: true)
      if accept(ASCII.comma) {
        skip(lines: true)
      } else if byte != ASCII.closeBrace {
        throw Failure(reason: "only literal arguments can be read")
      }
    }
    return .object(members)
  }

  private mutating func word() throws(Failure) -> JSONValue {
    let start = position
    while let byte, byte.isWord { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "True", "true": return true
    case "False", "false": return false
    case "None", "null": return .null
    default: break
    }
    if text == "r" || text == "R", byte == ASCII.quote || byte == ASCII.apostrophe {
      return .string(try string(isRaw: true))
    }
    if let number = JSONNumber(text: text) ?? JSONNumber(text: text.filter { $0 != "_" }),
      text.utf8.first != ASCII.underscore
    {
      return .number(number)
    }
    throw Failure(reason: "only literal arguments can be read")
  }

  /// One string, or several that follow each other: Python joins them.
  private mutating func strings() throws(Failure) -> String {
    var text = try string(isRaw: false)
    while true {
      let end = position
      skip(lines: true)
      guard byte == ASCII.quote || byte == ASCII.apostrophe else {
        position = end
        return text
      }
      text += try string(isRaw: false)
    }
  }

  private mutating func string(isRaw: Bool) throws(Failure) -> String {
    let quote = bytes[position]
    let isLong = bytes[position...].starts(with: [quote, quote, quote])
    position += isLong ? 3 : 1
    var text: [UInt8] = []
    while let byte {
      position += 1
      switch byte {
      case quote where !isLong || bytes[position...].starts(with: [quote, quote]):
        if isLong { position += 2 }
        guard let string = String(validating: text, as: UTF8.self) else {
          throw Failure(reason: "a string is not valid UTF-8")
        }
        return string
      case ASCII.backslash:
        try escape(isRaw: isRaw, into: &text)
      case ASCII.newline where !isLong:
        throw Failure(reason: "a string has no end on its line")
      default:
        text.append(byte)
      }
    }
    throw Failure(reason: "a string has no end")
  }

  private mutating func escape(isRaw: Bool, into text: inout [UInt8]) throws(Failure) {
    guard let byte else { throw Failure(reason: "a string has no end") }
    position += 1
    if isRaw {
      text.append(contentsOf: [ASCII.backslash, byte])
      return
    }
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "0"): text.append(0)
    case ASCII.newline: break
    case ASCII.quote, ASCII.apostrophe, ASCII.backslash: text.append(byte)
    case UInt8(ascii: "x"): try scalar(digits: 2, into: &text)
    case UInt8(ascii: "u"): try scalar(digits: 4, into: &text)
    case UInt8(ascii: "U"): try scalar(digits: 8, into: &text)
    // Python keeps the backslash of an escape it does not know.
    default: text.append(contentsOf: [ASCII.backslash, byte])
    }
  }

  private mutating func scalar(digits: Int, into text: inout [UInt8]) throws(Failure) {
    var code: UInt32 = 0
    for _ in 0..<digits {
      guard let byte, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw Failure(reason: "a string holds an invalid escape")
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    guard let scalar = Unicode.Scalar(code), let bytes = UTF8.encode(scalar) else {
      throw Failure(reason: "a string holds an invalid escape")
    }
    text.append(contentsOf: bytes)
  }
}
