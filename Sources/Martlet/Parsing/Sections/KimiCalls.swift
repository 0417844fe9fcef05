/// Kimi K2: `<|tool_calls_section_begin|>`, then for each call
/// `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`.
///
/// The id that the model writes is kept: later turns are to repeat it.
struct KimiCalls: CallSection {
  static let openings = ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"]
  static let sectionEnds = ["<|tool_calls_section_end|>", "<|tool_call_section_end|>"]
  static let callBegin = "<|tool_call_begin|>"
  static let callEnd = "<|tool_call_end|>"
  private static let argument = [Array("<|tool_call_argument_begin|>".utf8)]
  private static let headLimit = 256

  private enum Phase { case calls, head(start: Int), body(CallBody) }

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
    let begin = cursor.consume(Array(Self.callBegin.utf8))
    if begin == .yes {
      phase = .head(start: cursor.position)
      return nil
    }
    let end = cursor.consume(anyOf: Self.sectionEnds.map { Array($0.utf8) })
    if end == .yes { return .end }
    if begin == .more || end == .more || (cursor.byte == nil && !cursor.isFinal) {
      cursor.position = start
      return .more
    }
    cursor.position = start
    return hasCalls ? .end : .reject
  }

  private mutating func head(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    phase = .head(start: start)
    let limit = start + Self.headLimit
    guard let argument = cursor.find(anyOf: Self.argument, from: start, limit: limit) else {
      cursor.position = min(cursor.end, limit)
      if !cursor.isFinal, cursor.end < limit { return .more }
      return .reject
    }
    let id = cursor.trimmed(start..<argument.offset)
    cursor.position = argument.offset + argument.length
    phase = .body(CallBody(name: Self.name(in: id), writtenID: id, closers: [Array(Self.callEnd.utf8)]))
    return nil
  }

  /// The name in an id such as `functions.search:0`. A bare counter has none, and none is guessed.
  private static func name(in id: String) -> String {
    var name = id[...]
    if let colon = name.lastIndex(of: ":"), name[colon...].dropFirst().allSatisfy(\.isNumber) { name = name[..<colon] }
    if name.hasPrefix("functions.") { name = name.dropFirst("functions.".count) }
    return name.allSatisfy(\.isNumber) ? "" : String(name)
  }
}
