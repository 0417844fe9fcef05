import MartletJSON

/// Messages as a text to be read by a model that summarizes them: always valid to send, whatever the messages are, and
/// never longer than it may be.
struct ConversationText {
  private struct Piece {
    var label: String
    var text: String
    /// Earlier notes, which are shortened last.
    var isSummary = false
  }

  private var pieces: [Piece] = []

  init(_ entries: [ContextView.Entry]) {
    for entry in entries { add(entry) }
  }

  private mutating func add(_ entry: ContextView.Entry) {
    let speaker =
      switch entry.message.role {
      case .system: "System"
      case .user: entry.isSummary ? "Earlier notes" : "User"
      case .assistant: "Assistant"
      case .tool: "Tools"
      }
    for block in entry.message.content {
      // What was told beside the conversation is told again, and not summarized.
      if ContextNote(block) != nil { continue }
      switch block.kind {
      case .text(let text): pieces.append(Piece(label: speaker, text: text, isSummary: entry.isSummary))
      case .toolCall(let call): pieces.append(Piece(label: "Assistant calls \(call.name)", text: call.argumentsText))
      case .toolResult(let result):
        let verdict = result.isError ? "Failure of" : "Result of"
        let media = result.content.contains { $0.text == nil } ? " (and media)" : ""
        let texts = result.content.filter { ContextNote($0) == nil }.compactMap(\.text)
        if texts.isEmpty, media.isEmpty, !result.content.isEmpty { continue }
        pieces.append(Piece(label: "\(verdict) \(result.name)", text: texts.joined(separator: "\n") + media))
      case .media(let media): pieces.append(Piece(label: speaker, text: "[\(media.kind.rawValue) \(media.name ?? "")]"))
      case .thinking, .opaque, .unknown: break
      }
    }
  }

  /// The text in at most about so many bytes of UTF-8. Long pieces lose their middle first, then the pieces in the middle
  /// go.
  func text(limit: Int) -> String {
    for cap in [Int.max, 16_384, 4_096, 1_024, 256] {
      let size = pieces.reduce(0) { $0 + $1.label.utf8.count + 4 + min($1.text.utf8.count, Self.cap(cap, $1, limit)) }
      if size <= limit { return Self.join(pieces, cap: cap, limit: limit) }
    }
    // The beginning says what it is about, the end where it stands.
    var head: [Piece] = []
    var tail: [Piece] = []
    var room = limit / 3
    for piece in pieces {
      room -= piece.label.utf8.count + 4 + min(piece.text.utf8.count, Self.cap(256, piece, limit))
      if room < 0 { break }
      head.append(piece)
    }
    room = limit - limit / 3 - 40
    for piece in pieces.dropFirst(head.count).reversed() {
      room -= piece.label.utf8.count + 4 + min(piece.text.utf8.count, 256)
      if room < 0 { break }
      tail.insert(piece, at: 0)
    }
    return Self.join(head, cap: 256, limit: limit) + "\n\n[…]\n\n" + Self.join(tail, cap: 256, limit: limit)
  }

  private static func cap(_ cap: Int, _ piece: Piece, _ limit: Int) -> Int {
    piece.isSummary ? max(cap, limit / 3) : cap
  }

  private static func join(_ pieces: [Piece], cap: Int, limit: Int) -> String {
    pieces.map { "\($0.label): \($0.text.shortened(to: Self.cap(cap, $0, limit)))" }.joined(separator: "\n\n")
  }
}

extension String {
  /// The beginning and the end of the text in at most so many bytes of UTF-8; whole if it fits.
  func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let mark = " […] "
    let room = max(0, limit - mark.utf8.count)
    let first = room * 2 / 3
    // Not within a character: its bytes go, on either side of the mark.
    let head = utf8.prefix(first)
    let tail = utf8.suffix(room - first)
    return String(decoding: Self.whole(head), as: UTF8.self) + mark
      + String(decoding: tail.drop { $0 & 0xC0 == 0x80 }, as: UTF8.self)
  }

  /// The bytes without those of a character that is cut off at their end.
  private static func whole(_ bytes: String.UTF8View.SubSequence) -> String.UTF8View.SubSequence {
    guard let lead = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes.prefix(0) }
    let length =
      switch bytes[lead] {
      case ..<0x80: 1
      case ..<0xE0: 2
      case ..<0xF0: 3
      default: 4
      }
    return bytes[lead...].count < length ? bytes[..<lead] : bytes
  }
}

extension ToolCall {
  /// The arguments as they were written.
  var argumentsText: String {
    switch arguments {
    case .object(let object): JSONValue.object(object).text()
    case .unparsed(let text, _): text
    }
  }
}
