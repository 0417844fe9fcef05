/// A reading position in what has arrived of a stream, with what a dialect needs to know to read a call.
struct ByteCursor: Sendable {
  let window: ByteWindow
  /// The stream offset after the last byte there is.
  let end: Int
  /// Whether nothing will follow.
  let isFinal: Bool
  /// Whether the turn ended because the output limit was reached.
  let isTruncated: Bool
  let tools: OfferedTools
  let limits: ToolCallParser.Limits
  /// The offset of the next byte to read.
  var position: Int

  enum Match { case yes, no, more }

  var byte: UInt8? { position < end ? window[position] : nil }

  mutating func skipWhitespace() {
    while position < end, window[position].isWhitespace { position += 1 }
  }

  /// Steps over `literal` if it stands here. `more` means that it may once more bytes have come.
  mutating func consume(_ literal: [UInt8]) -> Match {
    switch window.matches(literal, at: position) {
    case true?:
      position += literal.count
      return .yes
    case false?: return .no
    case nil: return isFinal ? .no : .more
    }
  }

  /// Steps over the first of some literals that stands here. No literal may be a prefix of another.
  mutating func consume(anyOf literals: [[UInt8]]) -> Match {
    var result = Match.no
    for literal in literals {
      switch consume(literal) {
      case .yes: return .yes
      case .more: result = .more
      case .no: break
      }
    }
    return result
  }

  /// The most white space, and the like, that may stand between parts of a section.
  static let gapLimit = 256

  /// Steps over a closer that comes after white space, brackets too many, or the fence that small models put inside a
  /// tag as well.
  mutating func consumeClosing(_ closers: [[UInt8]]) -> Match {
    let limit = position + Self.gapLimit
    while position < limit {
      let match = consume(anyOf: closers)
      if match != .no { return match }
      guard let byte else { return isFinal ? .no : .more }
      guard byte.isWhitespace || byte == ASCII.closeBrace || byte == ASCII.closeBracket || byte == ASCII.backtick else {
        return .no
      }
      position += 1
    }
    return .no
  }

  /// The first place from `start` on where one of the literals stands, before `limit` as a whole.
  func find(anyOf literals: [[UInt8]], from start: Int, limit: Int = .max) -> (offset: Int, length: Int)? {
    let bound = min(end, limit)
    return start < bound ? window.firstMatch(ofAny: literals, in: start..<bound) : nil
  }

  /// Text without the white space around it.
  func trimmed(_ range: Range<Int>) -> String {
    var range = range
    while let last = range.last, window[last].isWhitespace { range = range.lowerBound..<last }
    while let first = range.first, window[first].isWhitespace { range = (first + 1)..<range.upperBound }
    return window.string(range)
  }
}
