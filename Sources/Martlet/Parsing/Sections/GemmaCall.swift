import MartletJSON

/// Gemma 4 and FunctionGemma: `<|tool_call>call:name{key:<|"|>text<|"|>,n:1}<tool_call|>`, with unquoted keys, strings
/// between a token of their own, and JSON's brackets, numbers and literals. FunctionGemma's tokens are spelled
/// `<start_function_call>`, `<end_function_call>` and `<escape>`.
struct GemmaCall: CallSection {
  struct Tokens: Sendable {
    let opening: String
    let closer: [UInt8]
    let quote: [UInt8]
  }

  static let gemma4 = Tokens(
    opening: "<|tool_call>", closer: Array("<tool_call|>".utf8), quote: Array("<|\"|>".utf8))
  static let functionGemma = Tokens(
    opening: "<start_function_call>", closer: Array("<end_function_call>".utf8), quote: Array("<escape>".utf8))

  private static let prefix = Array("call:".utf8)
  private static let nameLimit = 128

  private enum Phase { case opening, name(start: Int), arguments(start: Int, search: Int, isInString: Bool) }

  private let tokens: Tokens
  private var phase = Phase.opening
  private var name = ""

  init(_ tokens: Tokens) {
    self.tokens = tokens
  }

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      let status: SectionStatus?
      switch phase {
      case .opening: status = open(&cursor)
      case .name(let start): status = readName(start, &cursor, &events)
      case .arguments(let start, let search, let isInString):
        status = arguments(start, search, isInString, &cursor, &events)
      }
      if let status { return status }
    }
  }

  private mutating func open(_ cursor: inout ByteCursor) -> SectionStatus? {
    cursor.skipWhitespace()
    switch cursor.consume(Self.prefix) {
    case .more: return .more
    case .no: return .reject
    case .yes: phase = .name(start: cursor.position)
    }
    return nil
  }

  private mutating func readName(
    _ start: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    while let byte = cursor.byte, byte.isNameByte, cursor.position - start < Self.nameLimit { cursor.position += 1 }
    guard let byte = cursor.byte else { return cursor.isFinal ? .reject : .more }
    guard byte == ASCII.openBrace, cursor.position > start else { return .reject }
    name = cursor.window.string(start..<cursor.position)
    events.append(.started(name: name))
    phase = .arguments(start: cursor.position, search: cursor.position, isInString: false)
    return nil
  }

  /// Looks for the closer outside of strings.
  private mutating func arguments(
    _ start: Int, _ search: Int, _ isInString: Bool, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus? {
    let bound = start + cursor.limits.callBytes
    var search = search
    var isInString = isInString
    let literals = [tokens.quote, tokens.closer]
    while let token = cursor.find(anyOf: literals, from: search, limit: bound) {
      search = token.offset + token.length
      if cursor.window.matches(tokens.quote, at: token.offset) == true {
        isInString.toggle()
      } else if !isInString {
        return finish(start..<token.offset, end: search, isClosed: true, &cursor, &events)
      }
    }
    if cursor.end >= bound {
      let end = cursor.window.characterBoundary(in: start..<bound)
      emit(
        .unparsed(
          text: cursor.window.string(start..<end), reason: "the call is longer than \(cursor.limits.callBytes) bytes"),
        end: end, &cursor, &events)
      return .end
    }
    if cursor.isFinal {
      if let close = cursor.find(anyOf: [tokens.closer], from: start) {
        return finish(start..<close.offset, end: close.offset + close.length, isClosed: true, &cursor, &events)
      }
      return finish(start..<cursor.end, end: cursor.end, isClosed: false, &cursor, &events)
    }
    cursor.position = cursor.end
    let longest = max(tokens.quote.count, tokens.closer.count)
    phase = .arguments(start: start, search: max(search, cursor.end - longest + 1), isInString: isInString)
    return .more
  }

  private func finish(
    _ range: Range<Int>, end: Int, isClosed: Bool, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus {
    var reader = GemmaArguments(cursor.window.slice(range), quote: tokens.quote, depthLimit: cursor.limits.depth)
    do {
      let object = try reader.read()
      events.append(.argumentsText(JSONValue.object(object).text()))
      emit(.object(object), end: end, &cursor, &events)
    } catch {
      let reason = isClosed ? error.reason : "the output ended inside the call"
      emit(.unparsed(text: cursor.window.string(range), reason: reason), end: end, &cursor, &events)
    }
    return .end
  }

  private func emit(
    _ arguments: ToolCall.Arguments, end: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) {
    events.append(.call(.init(name: name, arguments: arguments), end: end))
    cursor.position = end
  }
}
