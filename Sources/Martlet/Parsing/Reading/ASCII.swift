/// The bytes that structure tool-call markup.
enum ASCII {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let backslash = UInt8(ascii: "\\")
  static let backtick = UInt8(ascii: "`")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let openParenthesis = UInt8(ascii: "(")
  static let closeParenthesis = UInt8(ascii: ")")
  static let openAngle = UInt8(ascii: "<")
  static let closeAngle = UInt8(ascii: ">")
  static let colon = UInt8(ascii: ":")
  static let comma = UInt8(ascii: ",")
  static let semicolon = UInt8(ascii: ";")
  static let equals = UInt8(ascii: "=")
  static let dot = UInt8(ascii: ".")
  static let hash = UInt8(ascii: "#")
  static let minus = UInt8(ascii: "-")
  static let underscore = UInt8(ascii: "_")
}

extension UInt8 {
  var isWhitespace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

  /// A byte of a bare word in JSON or Python: literals, numbers, identifiers.
  var isWord: Bool {
    isLetter || isDigit || self == ASCII.underscore || self == ASCII.minus || self == ASCII.dot || self == 0x2B
  }

  /// A byte that a tool's name may hold: what providers accept, and the separators of MCP names.
  var isNameByte: Bool {
    isLetter || isDigit || self == ASCII.underscore || self == ASCII.minus || self == ASCII.dot || self == ASCII.colon
      || self == 0x2F
  }
}
