import MartletJSON

/// Reads the arguments of a Gemma call.
struct GemmaArguments {
  private let bytes: ArraySlice<UInt8>
  private let quote: [UInt8]
  private let depthLimit: Int
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>, quote: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.quote = quote
    self.depthLimit = depthLimit
    position = bytes.startIndex
  }

  mutating func read() throws(LenientJSON.Failure) -> JSONObject {
    skipWhitespace()
    guard byte == ASCII.openBrace else { throw .init(reason: "the arguments must stand in braces") }
    let object = try object(depth: 0)
    skipWhitespace()
    guard byte == nil else { throw .init(reason: "text follows the arguments") }
    return object
  }

  private var byte: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func skipWhitespace() {
    while let byte, byte.isWhitespace { position += 1 }
  }

  private mutating func value(depth: Int) throws(LenientJSON.Failure) -> JSONValue {
    guard depth < depthLimit else { throw .init(reason: "the arguments are nested more than \(depthLimit) deep") }
    skipWhitespace()
    if bytes[position...].starts(with: quote) { return .string(try string()) }
    switch byte {
    case ASCII.openBrace: return .object(try object(depth: depth))
    case ASCII.openBracket: return .array(try array(depth: depth))
    default: return try word()
    }
  }

  private mutating func object(depth: Int) throws(LenientJSON.Failure) -> JSONObject {
    position += 1
    var members = JSONObject()
    skipWhitespace()
    while byte != ASCII.closeBrace {
      let key = try key()
      guard members[key] == nil else { throw .init(reason: "the key \"\(key)\" appears twice") }
      members[key] = try value(depth: depth + 1)
      try comma(before: ASCII.closeBrace)
    }
    position += 1
    return members
  }

  private mutating func array(depth: Int) throws(LenientJSON.Failure) -> [JSONValue] {
    position += 1
    var elements: [JSONValue] = []
    skipWhitespace()
    while byte != ASCII.closeBracket {
      elements.append(try value(depth: depth + 1))
      try comma(before: ASCII.closeBracket)
    }
    position += 1
    return elements
  }

  private mutating func comma(before close: UInt8) throws(LenientJSON.Failure) {
    skipWhitespace()
    if byte == ASCII.comma {
      position += 1
      skipWhitespace()
    } else if byte != close {
      throw .init(reason: byte == nil ? "brackets are missing" : "a comma is missing")
    }
  }

  private mutating func key() throws(LenientJSON.Failure) -> String {
    let key: String
    if bytes[position...].starts(with: quote) {
      key = try string()
    } else {
      let start = position
      while let byte, byte != ASCII.colon, byte != ASCII.closeBrace, byte != ASCII.comma { position += 1 }
      key = String(decoding: bytes[start..<position], as: UTF8.self).trimmingWhitespace()
    }
    skipWhitespace()
    guard byte == ASCII.colon, !key.isEmpty else { throw .init(reason: "a key is missing") }
    position += 1
    return key
  }

  private mutating func string() throws(LenientJSON.Failure) -> String {
    position += quote.count
    let start = position
    while position < bytes.endIndex {
      if bytes[position] == quote[0], bytes[position...].starts(with: quote) {
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        position += quote.count
        return text
      }
      position += 1
    }
    throw .init(reason: "a string has no end")
  }

  private mutating func word() throws(LenientJSON.Failure) -> JSONValue {
    let start = position
    while let byte, byte != ASCII.comma, byte != ASCII.closeBrace, byte != ASCII.closeBracket { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self).trimmingWhitespace()
    switch text {
    case "true": return true
    case "false": return false
    case "null", "None": return .null
    default: break
    }
    guard let number = JSONNumber(text: text) else { throw .init(reason: "\"\(text.prefix(40))\" is no value") }
    return .number(number)
  }
}
