import Martlet
import MartletJSON

/// The answer on standard output and, on a terminal, what is done on standard error.
///
/// On a terminal text is shown as it comes, also what a model says before it calls a tool. Into a file or a pipe goes the
/// answer alone, once it is known to be one.
struct TextRenderer: RunRenderer {
  let console: Console
  private var filter = ControlFilter()
  /// The reply being shown, and how many UTF-8 bytes of its text are.
  private var messageId = ""
  private var shown = 0
  /// UTF-8 bytes of the reply's text before the block that is being shown.
  private var blockStart = 0
  private var block = 0
  private var isAtLineStart = true
  private var instantTools: Set<String> = []
  private var started: [String: ToolCall] = [:]

  init(console: Console) { self.console = console }

  mutating func show(_ record: EventRecord) throws(CommandFailure) {
    switch record.event {
    case .context(let context): instantTools = Set(context.tools.filter(\.isInstant).map(\.name))
    case .text(let delta) where console.isOutputTerminal: try show(delta)
    case .assistantMessage(let reply) where console.isOutputTerminal:
      if reply.messageId != messageId { begin(reply.messageId) }
      try write(String(decoding: reply.message.text.utf8.dropFirst(shown), as: UTF8.self))
      shown = reply.message.text.utf8.count
      if shown > 0 { try endLine() }
    case .toolStarted(let start):
      started[start.call.id] = start.call
      if !instantTools.contains(start.call.name) { try activity("▸ \(Self.describe(start.call))") }
    case .toolFinished(let finished):
      let call = started.removeValue(forKey: finished.callId)
      let instant = instantTools
      try activity(Self.describe(finished, of: call, instant))
    case .retrying(let retry):
      try endLine()
      let wait = retry.afterMs > 0 ? " in \(DurationText.short(milliseconds: Double(retry.afterMs)))" : ""
      console.notice("the model is asked again\(wait): \(retry.reason)")
    case .compacted(let compacted):
      let after = compacted.tokensAfter.map { ": about \($0) tokens instead of \(compacted.tokensBefore ?? 0)" } ?? ""
      try activity("earlier messages were made shorter\(after)")
    case .warning(let warning):
      try endLine()
      console.notice(warning.message)
    default: break
    }
  }

  mutating func finish(_ report: RunReport) throws(CommandFailure) {
    if console.isOutputTerminal {
      try endLine()
      if case .finished(let finished) = report.end, let output = finished.output, report.answer == nil {
        try console.print(output.text())
      }
      return
    }
    guard case .finished(let finished) = report.end, [.answered, .truncated].contains(finished.reason) else { return }
    let answer = finished.output?.text() ?? report.answer ?? ""
    if !answer.isEmpty { try console.write(answer.hasSuffix("\n") ? answer : answer + "\n") }
  }

  private mutating func begin(_ id: String) {
    (messageId, shown, blockStart, block) = (id, 0, 0, 0)
    filter = ControlFilter()
  }

  /// Shows a piece if it goes on where the last one ended. After a gap nothing more is shown before the whole reply comes.
  private mutating func show(_ delta: Delta) throws(CommandFailure) {
    if delta.messageId != messageId {
      try endLine()
      begin(delta.messageId)
      block = delta.block
    } else if delta.block != block {
      (block, blockStart) = (delta.block, shown)
    }
    let end = blockStart + delta.offset + delta.delta.utf8.count
    guard blockStart + delta.offset <= shown, end > shown else { return }
    try write(String(decoding: delta.delta.utf8.suffix(end - shown), as: UTF8.self))
    shown = end
  }

  private mutating func write(_ text: String) throws(CommandFailure) {
    let text = filter.filter(text)
    guard !text.isEmpty else { return }
    try console.write(text)
    isAtLineStart = text.hasSuffix("\n")
  }

  private mutating func endLine() throws(CommandFailure) {
    guard !isAtLineStart else { return }
    try console.write("\n")
    isAtLineStart = true
  }

  /// The text is made only where it is shown.
  private mutating func activity(_ text: @autoclosure () -> String) throws(CommandFailure) {
    guard console.isErrorTerminal else { return }
    try endLine()
    console.activity(text())
  }

  /// A call on one line: `calculator expression=23*4`.
  static func describe(_ call: ToolCall) -> String {
    switch call.arguments {
    case .object(let arguments):
      let parts = arguments.map { key, value in "\(key)=\(value.stringValue ?? value.text())" }
      return clipped(([call.name] + parts).joined(separator: " "))
    case .unparsed(let text, _): return clipped("\(call.name) \(text)")
    }
  }

  private static func describe(_ finished: ToolFinished, of call: ToolCall?, _ instant: Set<String>) -> String {
    let text = finished.result.content.compactMap(\.text).joined(separator: " ").trimmingSpaces()
    let outcome = (finished.result.isError ? "✗ " : "→ ") + clipped(text.isEmpty ? "(no text)" : text)
    let time = DurationText.short(milliseconds: finished.durationMs)
    let name = call.map { instant.contains($0.name) ? "▸ \(describe($0)) " : "  " } ?? "▸ \(finished.name) "
    return "\(name)\(outcome) (\(time))"
  }

  private static func clipped(_ text: String) -> String {
    let line = ControlFilter.line(text.prefix(400))
    return line.count > 120 ? line.prefix(119) + "…" : line
  }
}
