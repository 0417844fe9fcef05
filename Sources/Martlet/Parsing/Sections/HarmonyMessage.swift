/// The harmony form of gpt-oss: messages with a header, `<|channel|>commentary to=functions.name
/// <|constrain|>json<|message|>{…}<|call|>`. The channel `analysis` is thinking, the others are text.
struct HarmonyMessage: CallSection {
  static let callEnd = "<|call|>"
  static let ends = ["<|end|>", "<|return|>", callEnd]
  private static let message = Array("<|message|>".utf8)
  private static let headLimit = 512

  private enum Phase { case head(start: Int), body(CallBody) }

  private var phase = Phase.head(start: -1)

  mutating func advance(_ cursor: inout ByteCursor, _ events: inout [SectionEvent]) -> SectionStatus {
    while true {
      switch phase {
      case .head(let start):
        if let status = head(start < 0 ? cursor.position : start, &cursor) { return status }
      case .body(var body):
        let status = body.advance(&cursor, &events)
        phase = .body(body)
        return status == .more ? .more : .end
      }
    }
  }

  private mutating func head(_ start: Int, _ cursor: inout ByteCursor) -> SectionStatus? {
    phase = .head(start: start)
    let limit = start + Self.headLimit
    guard let message = cursor.find(anyOf: [Self.message], from: start, limit: limit) else {
      cursor.position = min(cursor.end, limit)
      return !cursor.isFinal && cursor.end < limit ? .more : .reject
    }
    let header = cursor.window.string(start..<message.offset)
    cursor.position = message.offset + message.length
    if let recipient = Self.recipient(in: header) {
      phase = .body(CallBody(name: recipient, closers: Self.ends.map { Array($0.utf8) }))
      return nil
    }
    if header.contains("analysis") { return .thinking(closers: Self.ends.map { Array($0.utf8) }) }
    return .end
  }

  /// Whom a message is for: `to=functions.search` in its header.
  private static func recipient(in header: String) -> String? {
    // The section may begin behind the `to=` itself.
    var parts = header.split(separator: " ", omittingEmptySubsequences: true).map { $0.prefix { $0 != "<" } }
    if let first = parts.first, first.hasPrefix("functions.") { parts[0] = "to=" + first }
    guard let part = parts.first(where: { $0.hasPrefix("to=") }) else { return nil }
    let name = part.dropFirst("to=".count)
    guard name != "user", name != "assistant", !name.isEmpty else { return nil }
    return String(name.hasPrefix("functions.") ? name.dropFirst("functions.".count) : name)
  }
}
