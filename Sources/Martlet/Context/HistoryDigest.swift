/// What stands for messages that are left out where no model summarizes them: the earlier notes, what the user said, which
/// tools were called, what the assistant said last, each in short. The same messages always give the same text.
struct HistoryDigest {
  private let entries: [ContextView.Entry]

  init(_ entries: [ContextView.Entry]) { self.entries = entries }

  /// The digest in about so many bytes of UTF-8.
  func text(limit: Int) -> String {
    var parts: [String] = []
    let notes = entries.filter(\.isSummary).map(\.message.saidText).joined(separator: "\n")
    if !notes.isEmpty { parts.append(notes.shortened(to: limit / 2)) }
    let said = entries.filter { $0.message.role == .user && !$0.isSummary }.map(\.message.saidText).filter {
      !$0.isEmpty
    }
    if !said.isEmpty {
      parts.append("The user said:\n" + lines(said, limit: notes.isEmpty ? limit / 2 : limit / 4))
    }
    if let tools { parts.append("Tools called: \(tools)".shortened(to: limit / 8)) }
    let replies = entries.filter { $0.message.role == .assistant }.map(\.message.text).filter { !$0.isEmpty }
    if let last = replies.last {
      parts.append("The assistant said last: " + last.shortened(to: notes.isEmpty ? limit / 4 : limit / 8))
    }
    return parts.joined(separator: "\n\n").shortened(to: limit)
  }

  /// As many lines as there is room for, the latest last; each gets a share.
  private func lines(_ texts: [String], limit: Int) -> String {
    let share = max(80, limit / max(1, min(texts.count, 12)))
    var lines: [String] = []
    var left = limit
    for text in texts.reversed() {
      let line = "- " + text.shortened(to: share)
      left -= line.utf8.count + 1
      if left < 0, !lines.isEmpty { break }
      lines.insert(line, at: 0)
    }
    return lines.joined(separator: "\n")
  }

  private var tools: String? {
    var counts: [String: Int] = [:]
    for call in entries.flatMap(\.message.toolCalls) { counts[call.name, default: 0] += 1 }
    guard !counts.isEmpty else { return nil }
    return counts.sorted { $0.key < $1.key }.map { $0.value == 1 ? $0.key : "\($0.key) ×\($0.value)" }
      .joined(separator: ", ")
  }
}
