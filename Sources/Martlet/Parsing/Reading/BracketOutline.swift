/// Finds where Python-like text ends: brackets, strings and comments, nothing else. Reads each byte once.
struct BracketOutline: Sendable {
  private enum State {
    case code, comment
    /// After one or two quotes: a string, an empty string, or a long one.
    case opening(quote: UInt8, count: Int)
    case string(quote: UInt8, isEscaped: Bool)
    /// In a string of three quotes, after `count` quotes in a row.
    case long(quote: UInt8, count: Int, isEscaped: Bool)
  }

  private(set) var depth = 0
  private var state = State.code

  /// Whether what was read so far ends outside of strings and comments.
  var isOutside: Bool {
    switch state {
    case .code: true
    case .opening(_, let count): count == 2
    default: false
    }
  }

  mutating func step(_ byte: UInt8) {
    switch state {
    case .code: code(byte)
    case .comment: if byte == ASCII.newline { state = .code }
    case .opening(let quote, let count):
      if byte == quote {
        state = count == 2 ? .long(quote: quote, count: 0, isEscaped: false) : .opening(quote: quote, count: 2)
      } else if count == 2 {
        code(byte)
      } else {
        state = .string(quote: quote, isEscaped: byte == ASCII.backslash)
      }
    case .string(let quote, let isEscaped):
      if byte == quote, !isEscaped {
        state = .code
      } else {
        state = .string(quote: quote, isEscaped: byte == ASCII.backslash && !isEscaped)
      }
    case .long(let quote, let count, let isEscaped):
      if byte == quote, !isEscaped {
        state = count == 2 ? .code : .long(quote: quote, count: count + 1, isEscaped: false)
      } else {
        state = .long(quote: quote, count: 0, isEscaped: byte == ASCII.backslash && !isEscaped)
      }
    }
  }

  private mutating func code(_ byte: UInt8) {
    state = .code
    switch byte {
    case ASCII.quote, ASCII.apostrophe: state = .opening(quote: byte, count: 1)
    case ASCII.openBracket, ASCII.openBrace, ASCII.openParenthesis: depth += 1
    case ASCII.closeBracket, ASCII.closeBrace, ASCII.closeParenthesis: depth -= 1
    case ASCII.hash: state = .comment
    default: break
    }
  }
}
