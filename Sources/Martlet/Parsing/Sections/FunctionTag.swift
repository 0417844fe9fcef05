/// What `<function=` opens: Qwen 3 Coder's call with `<parameter=key>` elements, or Llama 3.1's with JSON inside.
///
/// Qwen's template wraps it in `<tool_call>`, which its models at times leave out.
struct FunctionTag: CallSection {
  static let opening = Array("<function=".utf8)
  static let qwen = TagSyntax(
    call: "<function=", callEnd: "</function>", parameter: "<parameter=", parameterEnd: "</parameter>",
    sectionEnds: [ToolCallTag.closer, "</seed:tool_call>"], hasValueLines: true)

  private enum Phase { case name, body(String), json(CallBody), tags(TagCallSection) }

  private var phase = Phase.name

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      switch phase {
      case .name:
        switch TagHead.read(&cursor) {
        case .more: return .more
        case .malformed: return .reject
        case .head(let head):
          guard head.name.utf8.allSatisfy(\.isNameByte) else { return .reject }
          phase = .body(head.name)
        }
      case .body(let name):
        cursor.skipWhitespace()
        guard let byte = cursor.byte else { return cursor.isFinal ? .reject : .more }
        if byte == ASCII.openBrace {
          phase = .json(CallBody(name: name, closers: [Self.qwen.callEnd]))
        } else {
          phase = .tags(TagCallSection(Self.qwen, name: name, at: cursor.position))
        }
      case .json(var body):
        let status = body.advance(&cursor, &events)
        phase = .json(body)
        return status == .more ? .more : .end
      case .tags(var section):
        let status = section.advance(&cursor, &events)
        phase = .tags(section)
        return status
      }
    }
  }
}
