/// Calls that no marker announces: JSON that names an offered tool (Llama 3, and any model that was asked for JSON), or
/// a list of Python calls of offered tools (Llama 3.2 and 4).
///
/// The section stands *before* its first byte, a bracket.
struct BareCalls: CallSection {
  private enum Phase { case opening(start: Int), json(JSONCallSection), python(PythonSection) }

  private var phase = Phase.opening(start: -1)

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      switch phase {
      case .opening(let start):
        if let status = open(start < 0 ? cursor.position : start, &cursor) { return status }
      case .json(var section):
        let status = section.advance(&cursor, &events)
        phase = .json(section)
        return status
      case .python(var section):
        let status = section.advance(&cursor, &events)
        phase = .python(section)
        return status
      }
    }
  }

  private mutating func open(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    phase = .opening(start: start)
    guard cursor.window[start] == ASCII.openBracket else { return json(start, &cursor) }
    var probe = start + 1
    let limit = start + ByteCursor.gapLimit
    while probe < min(cursor.end, limit), cursor.window[probe].isWhitespace { probe += 1 }
    guard probe < cursor.end else { return cursor.isFinal ? .reject : .more }
    guard cursor.window[probe].isLetter || cursor.window[probe] == ASCII.underscore else { return json(start, &cursor) }
    // Not a list of calls unless the first name is one of a tool, and called.
    let name = probe
    while probe < cursor.end, cursor.window[probe].isWord, probe - name < 128 { probe += 1 }
    guard probe < cursor.end else { return cursor.isFinal ? .reject : .more }
    guard cursor.window[probe] == ASCII.openParenthesis, cursor.tools.contains(cursor.window.string(name..<probe))
    else {
      cursor.position = probe
      return .reject
    }
    phase = .python(PythonSection(.list, offeredOnly: true, from: start))
    cursor.position = start
    return nil
  }

  private mutating func json(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    cursor.position = start
    phase = .json(JSONCallSection(.init(offeredOnly: true)))
    return nil
  }
}
