/// DeepSeek V3, R1 and V3.1: calls between `<｜tool▁calls▁begin｜>` and `<｜tool▁calls▁end｜>`.
///
/// V3 and R1 write `<｜tool▁call▁begin｜>function<｜tool▁sep｜>name`, a line break and the arguments in a JSON fence;
/// V3.1 writes `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}`. R1's distillations spell the tokens with spaces or underscores
/// and leave out the one that begins a call.
struct DeepSeekCalls: CallSection {
  static let openings = spellings("tool▁calls▁begin") + ["<｜tool▁calls｜>"]
  static let callBegins = spellings("tool▁call▁begin")
  private static let callBegin = callBegins.map { Array($0.utf8) }
  private static let separator = spellings("tool▁sep").map { Array($0.utf8) }
  static let callEnds = spellings("tool▁call▁end")
  static let sectionEnds = spellings("tool▁calls▁end")
  private static let callEnd = callEnds.map { Array($0.utf8) }
  private static let sectionEnd = sectionEnds.map { Array($0.utf8) }
  private static let headLimit = 256

  private static func spellings(_ token: String) -> [String] {
    ["▁", "_", " ", "\\_"].map { space in
      "<｜" + token.split(separator: "▁").joined(separator: space) + "｜>"
    }
  }

  private enum Phase { case calls, head(start: Int), kind(String), name(start: Int), body(CallBody) }

  private var phase: Phase
  private var hasCalls = false

  /// A section behind the token that begins all calls, or one call.
  init(insideCall: Bool = false) {
    phase = insideCall ? .head(start: -1) : .calls
  }

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      let status: SectionStatus?
      switch phase {
      case .calls: status = betweenCalls(&cursor)
      case .head(let start): status = head(start < 0 ? cursor.position : start, &cursor)
      case .kind(let text): status = kind(text, &cursor)
      case .name(let start): status = name(start, &cursor)
      case .body(var body):
        let inner = body.advance(&cursor, &events)
        phase = .body(body)
        if inner == .more { return .more }
        hasCalls = true
        phase = .calls
        status = nil
      }
      if let status { return status }
    }
  }

  private mutating func betweenCalls(_ cursor: inout ByteCursor) -> SectionStatus? {
    let start = cursor.position
    let limit = start + ByteCursor.gapLimit
    while let byte = cursor.byte, byte.isWhitespace, cursor.position < limit { cursor.position += 1 }
    let begin = cursor.consume(anyOf: Self.callBegin)
    if begin == .yes {
      phase = .head(start: cursor.position)
      return nil
    }
    let end = cursor.consume(anyOf: Self.sectionEnd)
    if end == .yes { return .end }
    if begin == .more || end == .more || (cursor.byte == nil && !cursor.isFinal) {
      cursor.position = start
      return .more
    }
    guard hasCalls else {
      // The token that begins a call may be missing.
      guard cursor.byte != nil else { return .reject }
      phase = .head(start: cursor.position)
      return nil
    }
    cursor.position = start
    return .end
  }

  private mutating func head(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    phase = .head(start: start)
    let limit = start + Self.headLimit
    guard let separator = cursor.find(anyOf: Self.separator, from: start, limit: limit) else {
      cursor.position = min(cursor.end, limit)
      if !cursor.isFinal, cursor.end < limit { return .more }
      return .reject
    }
    let text = cursor.trimmed(start..<separator.offset)
    guard text.utf8.allSatisfy(\.isNameByte) else { return .reject }
    cursor.position = separator.offset + separator.length
    phase = .kind(text)
    return nil
  }

  /// After the separator: the arguments, or the name and then the arguments.
  private mutating func kind(_ text: String, _ cursor: inout ByteCursor) -> SectionStatus? {
    cursor.skipWhitespace()
    guard let byte = cursor.byte else { return cursor.isFinal ? .reject : .more }
    if byte.isNameByte {
      phase = .name(start: cursor.position)
    } else {
      guard !text.isEmpty else { return .reject }
      phase = .body(CallBody(name: text, closers: Self.callEnd))
    }
    return nil
  }

  private mutating func name(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    while let byte = cursor.byte, byte.isNameByte, cursor.position - start < Self.headLimit { cursor.position += 1 }
    guard cursor.byte != nil else { return cursor.isFinal ? .reject : .more }
    phase = .body(CallBody(name: cursor.window.string(start..<cursor.position), closers: Self.callEnd))
    return nil
  }
}
