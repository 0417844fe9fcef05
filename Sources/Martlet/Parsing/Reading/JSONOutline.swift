/// The outline of a JSON value as it streams in: where its parts begin and end.
///
/// Lenient in the ways `LenientJSON` can repair (single quotes, bare words, line breaks in strings, a comma before a
/// closing bracket), so that the end of a faulty value is found too. It reads each byte once.
struct JSONOutline: Sendable {
  enum Kind: Sendable { case object, array, string, word }

  enum Event: Sendable {
    case more
    /// A key with its quotes, if it has any.
    case key(Range<Int>)
    case began(Kind, at: Int)
    case ended(Kind, Range<Int>)
    /// The byte here cannot be part of a JSON value.
    case broken(at: Int)
    case tooDeep(at: Int)
  }

  private enum State { case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, string, word, complete, failed }

  private struct Container {
    let isObject: Bool
    let start: Int
  }

  /// The next byte to read.
  private(set) var position: Int
  private var state = State.value
  private var stack: [Container] = []
  private let depthLimit: Int
  private var tokenStart = 0
  private var tokenIsKey = false
  private var quote = ASCII.quote
  private var isEscaped = false

  init(at position: Int, depthLimit: Int) {
    self.position = position
    self.depthLimit = depthLimit
  }

  var depth: Int { stack.count }
  var isComplete: Bool { state == .complete }
  var isInString: Bool { state == .string }

  /// The next event. After `broken`, `tooDeep` or the end of the value there is only `more`.
  mutating func next(_ window: ByteWindow, end: Int) -> Event {
    while position < end {
      let byte = window[position]
      switch state {
      case .string:
        position += 1
        if isEscaped {
          isEscaped = false
        } else if byte == ASCII.backslash {
          isEscaped = true
        } else if byte == quote {
          return endToken(.string)
        }
      case .word:
        if byte.isWord { position += 1 } else { return endToken(.word) }
      case .complete, .failed:
        return .more
      case _ where byte.isWhitespace:
        position += 1
      case .value, .valueOrEnd:
        if byte == ASCII.closeBracket, state == .valueOrEnd { return close(isObject: false) }
        return beginValue(byte)
      case .key, .keyOrEnd:
        // A closing brace after a comma is a trailing comma.
        if byte == ASCII.closeBrace { return close(isObject: true) }
        guard byte == ASCII.quote || byte == ASCII.apostrophe || byte.isLetter || byte == ASCII.underscore else {
          return fail()
        }
        beginToken(byte, isKey: true)
      case .colon:
        guard byte == ASCII.colon else { return fail() }
        position += 1
        state = .value
      case .commaOrEnd:
        guard let top = stack.last else { return fail() }
        switch byte {
        case ASCII.comma:
          position += 1
          state = top.isObject ? .key : .valueOrEnd
        case ASCII.closeBrace: return close(isObject: true)
        case ASCII.closeBracket: return close(isObject: false)
        default: return fail()
        }
      }
    }
    return .more
  }

  private mutating func beginValue(_ byte: UInt8) -> Event {
    let start = position
    switch byte {
    case ASCII.openBrace, ASCII.openBracket:
      guard stack.count < depthLimit else {
        state = .failed
        return .tooDeep(at: start)
      }
      let isObject = byte == ASCII.openBrace
      stack.append(Container(isObject: isObject, start: start))
      position += 1
      state = isObject ? .keyOrEnd : .valueOrEnd
      return .began(isObject ? .object : .array, at: start)
    case ASCII.quote, ASCII.apostrophe:
      beginToken(byte, isKey: false)
      return .began(.string, at: start)
    case _ where byte.isWord:
      beginToken(byte, isKey: false)
      return .began(.word, at: start)
    default:
      return fail()
    }
  }

  private mutating func beginToken(_ byte: UInt8, isKey: Bool) {
    tokenStart = position
    tokenIsKey = isKey
    position += 1
    isEscaped = false
    quote = byte
    state = byte == ASCII.quote || byte == ASCII.apostrophe ? .string : .word
  }

  private mutating func endToken(_ kind: Kind) -> Event {
    let range = tokenStart..<position
    if tokenIsKey {
      state = .colon
      return .key(range)
    }
    state = stack.isEmpty ? .complete : .commaOrEnd
    return .ended(kind, range)
  }

  private mutating func close(isObject: Bool) -> Event {
    guard let top = stack.last, top.isObject == isObject else { return fail() }
    stack.removeLast()
    position += 1
    state = stack.isEmpty ? .complete : .commaOrEnd
    return .ended(isObject ? .object : .array, top.start..<position)
  }

  private mutating func fail() -> Event {
    state = .failed
    return .broken(at: position)
  }
}
