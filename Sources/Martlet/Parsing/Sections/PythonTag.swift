import MartletJSON

/// What `<|python_tag|>` opens in Llama 3: JSON calls separated by semicolons, a built-in tool's
/// `brave_search.call(query="…")`, or code for the interpreter.
struct PythonTag: CallSection {
  static let opening = "<|python_tag|>"
  /// What ends a message; a runtime usually keeps them to itself.
  static let ends = ["<|eom_id|>", "<|eot_id|>"]
  /// Names under which a tool takes code. Meta's own is `ipython`.
  private static let interpreters = ["ipython", "code_interpreter", "python"]

  private enum Phase { case opening, json(JSONCallSection), code(start: Int, search: Int) }

  private var phase = Phase.opening

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      switch phase {
      case .opening:
        let start = cursor.position
        cursor.skipWhitespace()
        guard let byte = cursor.byte else {
          if !cursor.isFinal { cursor.position = start }
          return cursor.isFinal ? .reject : .more
        }
        let isJSON = byte == ASCII.openBrace || byte == ASCII.openBracket
        phase = isJSON ? .json(JSONCallSection(.init())) : .code(start: cursor.position, search: cursor.position)
      case .json(var section):
        let status = section.advance(&cursor, &events)
        phase = .json(section)
        return status
      case .code(let start, let search):
        return code(start, search, &cursor, &events)
      }
    }
  }

  private mutating func code(
    _ start: Int, _ search: Int, _ cursor: inout ByteCursor, _ events: inout [SectionEvent]
  ) -> SectionStatus {
    let ends = Self.ends.map { Array($0.utf8) }
    let bound = start + cursor.limits.callBytes
    let close = cursor.find(anyOf: ends, from: search, limit: bound)
    if close == nil, cursor.end >= bound {
      cursor.position = bound
      return .reject
    }
    guard let end = close?.offset ?? (cursor.isFinal ? cursor.end : nil) else {
      cursor.position = cursor.end
      phase = .code(start: start, search: max(search, cursor.end - (ends.map(\.count).max() ?? 1) + 1))
      return .more
    }
    let consumed = close.map { $0.offset + $0.length } ?? cursor.end
    cursor.position = consumed
    var calls: [ToolCallParser.Call]
    do {
      calls = try PythonCalls.read(
        cursor.window.slice(start..<end), tools: cursor.tools, depthLimit: cursor.limits.depth)
    } catch {
      // Not a call: code, if there is a tool that takes it.
      guard let tool = Self.interpreters.first(where: cursor.tools.contains) else { return .reject }
      calls = [.init(name: tool, arguments: .object(["code": .string(cursor.trimmed(start..<end))]))]
    }
    for (index, call) in calls.enumerated() {
      events.append(.started(name: call.name))
      events.append(.call(call, end: index == calls.count - 1 ? consumed : start))
    }
    return .end
  }
}
