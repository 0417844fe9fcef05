/// Mistral: `[TOOL_CALLS]` and a JSON list (tokenizers up to v7), or for each call `[TOOL_CALLS]name[ARGS]{…}`, with
/// `[CALL_ID]id` between in v11, and without `[ARGS]` in the text of some.
struct MistralCalls: CallSection {
  static let opening = "[TOOL_CALLS]"
  private static let argumentsToken = Array("[ARGS]".utf8)
  private static let idToken = Array("[CALL_ID]".utf8)
  private static let nameLimit = 128

  private enum Phase {
    case opening, name(start: Int), afterName(String), id(String, start: Int), body(CallBody), json(JSONCallSection)
  }

  private var phase = Phase.opening

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      let status: SectionStatus?
      switch phase {
      case .opening: status = open(&cursor)
      case .name(let start): status = name(start, &cursor)
      case .afterName(let name): status = afterName(name, &cursor)
      case .id(let name, let start): status = id(name, start, &cursor)
      case .body(var body):
        let inner = body.advance(&cursor, &events)
        phase = .body(body)
        status = inner == .more ? .more : .end
      case .json(var section):
        status = section.advance(&cursor, &events)
        phase = .json(section)
      }
      if let status { return status }
    }
  }

  private mutating func open(_ cursor: inout ByteCursor) -> SectionStatus? {
    cursor.skipWhitespace()
    guard let byte = cursor.byte else { return cursor.isFinal ? .reject : .more }
    if byte == ASCII.openBracket || byte == ASCII.openBrace {
      phase = .json(JSONCallSection(.init()))
    } else if byte.isNameByte {
      phase = .name(start: cursor.position)
    } else {
      return .reject
    }
    return nil
  }

  private mutating func name(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    while let byte = cursor.byte, byte.isNameByte, cursor.position - start < Self.nameLimit { cursor.position += 1 }
    guard cursor.byte != nil else { return cursor.isFinal ? .reject : .more }
    phase = .afterName(cursor.window.string(start..<cursor.position))
    return nil
  }

  private mutating func afterName(_ name: String, _ cursor: inout ByteCursor) -> SectionStatus? {
    let match = cursor.consume(anyOf: [Self.argumentsToken, Self.idToken])
    if match == .more { return .more }
    if match == .yes {
      let isID = cursor.window.matches(Self.idToken, at: cursor.position - Self.idToken.count) == true
      phase = isID ? .id(name, start: cursor.position) : .body(CallBody(name: name, closers: []))
      return nil
    }
    guard cursor.byte == ASCII.openBrace else { return .reject }
    phase = .body(CallBody(name: name, closers: []))
    return nil
  }

  private mutating func id(_ name: String, _ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    let limit = start + Self.nameLimit
    guard let token = cursor.find(anyOf: [Self.argumentsToken], from: start, limit: limit) else {
      cursor.position = min(cursor.end, limit)
      return !cursor.isFinal && cursor.end < limit ? .more : .reject
    }
    let id = cursor.trimmed(start..<token.offset)
    cursor.position = token.offset + token.length
    phase = .body(CallBody(name: name, writtenID: id, closers: []))
    return nil
  }
}
