/// What `<tool_call>` opens. The tag is shared: Hermes, Qwen and SmolLM write JSON in it, Granite 3 a JSON list, Qwen 3
/// Coder XML, GLM 4.5 and later a name with `<arg_key>` pairs. The first byte inside tells them apart.
struct ToolCallTag: CallSection {
  static let closer = "</tool_call>"

  private var inner: (any CallSection)?

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    if inner == nil {
      cursor.skipWhitespace()
      guard let byte = cursor.byte else { return cursor.isFinal ? .reject : .more }
      switch byte {
      case ASCII.openBrace, ASCII.openBracket, ASCII.backtick:
        inner = JSONCallSection(.init(closers: [Self.closer]))
      case ASCII.openAngle:
        switch cursor.consume(FunctionTag.opening) {
        case .more: return .more
        case .no: return .reject
        case .yes: inner = FunctionTag()
        }
      default:
        guard byte.isNameByte else { return .reject }
        inner = ArgumentPairs()
      }
    }
    return inner?.advance(&cursor, &events) ?? .reject
  }
}
