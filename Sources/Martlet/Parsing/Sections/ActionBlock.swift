/// Command R's `Action: ```json [{"tool_name": …, "parameters": …}]` and the fence that closes it.
struct ActionBlock: CallSection {
  static let opening = "Action:"
  /// Cohere's way of saying that no tool is needed.
  static let noTools: Set<String> = ["directly_answer", "directly-answer"]
  private static let fence = Array(CodeFence.literal.utf8)

  private let offeredOnly: Bool
  private var inner: CodeFence?

  init(offeredOnly: Bool) {
    self.offeredOnly = offeredOnly
  }

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    if inner == nil {
      cursor.skipWhitespace()
      switch cursor.consume(Self.fence) {
      case .more: return .more
      case .no: return .reject
      case .yes: inner = CodeFence(.init(offeredOnly: offeredOnly, ignoredNames: Self.noTools))
      }
    }
    return inner?.advance(&cursor, &events) ?? .reject
  }
}
