import Martlet
import MartletJSON

/// A session as one HTML file that needs nothing else: no script, no font, no address. Written piece by piece, so that a
/// log of any length takes little memory; long parts are folded, and what is not in sight costs a browser nothing.
///
/// All text is escaped, and the file forbids itself scripts and everything remote, so that what a model, a tool or a web page
/// wrote into a session stays text.
struct SessionHTML {
  /// Turns from which on all but the last few are folded.
  private static let foldsFrom = 30
  private static let unfolded = 10

  private let id: String
  private let overview: SessionOverview
  private var gaps: [ClosedRange<Int>]
  private var calls: [String: (call: ToolCall, time: Timestamp)] = [:]
  private var turn = 0
  private var isTurnOpen = false
  private var isInGap = false
  private var gapEnd = 0

  init(id: String, overview: SessionOverview) {
    self.id = id
    self.overview = overview
    gaps = overview.live.gaps
  }

  // MARK: - Pieces

  /// What comes before the first record.
  var head: String {
    let title = HTMLText.escaped(ControlFilter.line(overview.title ?? overview.firstPrompt ?? "Session \(id)"))
    var html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
      <meta name="referrer" content="no-referrer">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>
      \(HTMLStyle.sheet)
      </style>
      </head>
      <body>
      <header>
      <h1 dir="auto">\(title)</h1>
      <p class="facts">\(facts.map(HTMLText.escaped).joined(separator: " <i>·</i> "))</p>
      <dl>
      """
    for (name, value) in figures {
      html += "<div><dt>\(HTMLText.escaped(name))</dt><dd>\(HTMLText.escaped(value))</dd></div>\n"
    }
    html += "</dl>\n</header>\n"
    if !overview.calls.isEmpty { html += callTable }
    return html + "<main>\n"
  }

  private var facts: [String] {
    var facts = ["session \(id)"]
    if let start = overview.start { facts.append(SessionTimeline.minute(start).replacing("Z", with: " UTC")) }
    facts += overview.models
    if let origin = overview.origin { facts.append("fork of \(origin.session) at \(origin.seq)") }
    if let parent = overview.parent { facts.append("subagent of \(parent.session)") }
    return facts
  }

  private var figures: [(String, String)] {
    var figures = [("prompts", "\(overview.turns)"), ("calls", "\(overview.callCount)")]
    if overview.failures > 0 { figures.append(("failed", "\(overview.failures)")) }
    figures.append(("tokens in", Self.grouped(overview.usage.input)))
    figures.append(("tokens out", Self.grouped(overview.usage.output)))
    if let cost = overview.cost, cost > 0 { figures.append(("cost", "$" + cost.shortText)) }
    if let start = overview.start, let end = overview.end, end > start {
      figures.append(("from first to last", DurationText.short(milliseconds: end.since(start) / .milliseconds(1))))
    }
    return figures
  }

  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// Every call with its start, duration, result's size and status.
  private var callTable: String {
    let longest = max(1, overview.calls.map(\.durationMs).max() ?? 1)
    let left = overview.callCount - overview.calls.count
    var html = """
      <details class="calls"><summary>Calls <span class="count">\(overview.callCount)</span></summary>
      <table><thead><tr><th>start</th><th>call</th><th>status</th><th>result</th><th>time</th></tr></thead><tbody>

      """
    for call in overview.calls {
      let width = (call.durationMs / longest * 1000).rounded() / 10
      html += """
        <tr><td>\(Self.clock(call.time))</td><td class="what" dir="auto">\(HTMLText.escaped(call.label))</td>\
        <td><span class="status \(call.status == nil ? "ok" : "bad")">\(HTMLText.escaped(call.status ?? "ok"))</span></td>\
        <td>\(ResultSize.short(call.size))</td>\
        <td class="bar"><b style="width:\(width)%"></b><span>\(HTMLText.escaped(Self.duration(call.durationMs)))</span></td></tr>

        """
    }
    html += "</tbody></table>\n"
    if left > 0 { html += "<p class=\"more\">\(left) more, all of them shorter, are in the conversation below.</p>\n" }
    return html + "</details>\n"
  }

  /// The next record.
  mutating func piece(_ record: EventRecord) -> String {
    var html = boundary(record.seq ?? 0)
    switch record.event {
    case .runStarted: html += endTurn()
    case .prompt(let prompt): html += begin(prompt, record)
    case .assistantMessage(let reply): html += show(reply, record.time)
    case .toolStarted(let started): calls[started.call.id] = (started.call, record.time)
    case .toolFinished(let finished): html += show(finished, record.time)
    case .modelCallEnded(let ended):
      if let error = ended.error { html += note("warning", "The model failed: \(error.message)", record.time) }
    case .approvalRequested(let request):
      html += note("plain", "Permission was asked for: \(TextRenderer.describe(request.call))", record.time)
    case .approvalResolved(let answer):
      html += note(
        "plain", "\(answer.decision == .allow ? "Allowed" : "Denied") by \(answer.by ?? "somebody").", record.time)
    case .waiting: html += note("plain", "Waits for an answer.", record.time)
    case .compacted(let compacted):
      html += fold("summary", "Earlier messages were summarized", compacted.summary.compactMap(\.text))
    case .historyReplaced(let replaced):
      html += note("plain", "The conversation was replaced by one of \(replaced.messages.count) messages.", record.time)
    case .warning(let warning): html += note("warning", warning.message, record.time)
    case .cancelRequested(let cancel): html += note("plain", "Cancelled by \(cancel.by).", record.time)
    case .rewound(let rewound):
      html += endTurn() + note("plain", "Taken back to record \(rewound.toSeq).", record.time)
    case .runResumed: html += note("plain", "The run was taken up again.", record.time)
    case .finished(let finished):
      if finished.reason != .answered {
        html += note("plain", "The run ended: \(finished.reason.rawValue).", record.time)
      }
      html += unfinishedCalls()
    case .failed(let failed): html += note("bad", "The run failed: \(failed.message)", record.time) + unfinishedCalls()
    default: break
    }
    return html
  }

  /// What comes after the last record.
  mutating func tail() -> String {
    unfinishedCalls() + endTurn() + endGap() + """
      </main>
      <footer>\(overview.records) records, exported by martlet \(HTMLText.escaped(Version.current))</footer>
      </body>
      </html>

      """
  }

  // MARK: - Turns, and what was taken back

  private mutating func boundary(_ seq: Int) -> String {
    var html = ""
    if isInGap, seq > gapEnd { html += endTurn() + endGap() }
    while let gap = gaps.first, gap.upperBound < seq { gaps.removeFirst() }
    if !isInGap, let gap = gaps.first, gap.contains(seq) {
      html += unfinishedCalls() + endTurn()
      html +=
        "<details class=\"gone\"><summary>Taken back <span class=\"count\">\(gap.count) records</span></summary>\n"
      (isInGap, gapEnd) = (true, gap.upperBound)
    }
    return html
  }

  private mutating func endGap() -> String {
    guard isInGap else { return "" }
    isInGap = false
    return "</details>\n"
  }

  private mutating func begin(_ prompt: Prompt, _ record: EventRecord) -> String {
    var html = ""
    turn += 1
    if !isTurnOpen, overview.turns >= Self.foldsFrom {
      isTurnOpen = true
      let line = ControlFilter.line(prompt.message.saidText.prefix(160))
      let isOpen = turn > overview.turns - Self.unfolded
      html += """
        <details class="turn"\(isOpen ? " open" : "")><summary><time>\(Self.clock(record.time))</time>\
        <span dir="auto">\(HTMLText.escaped(line))</span></summary>

        """
    }
    let notes = prompt.message.content.compactMap(ContextNote.init)
    let said = prompt.message.content.filter { ContextNote($0) == nil }
    html += """
      <article class="user"><time>\(Self.clock(record.time))</time>\
      <div dir="auto">\(said.map(Self.block).joined())</div></article>

      """
    if !notes.isEmpty { html += fold("summary", "Told with it", notes.map(\.text)) }
    return html
  }

  private mutating func endTurn() -> String {
    guard isTurnOpen else { return "" }
    isTurnOpen = false
    return "</details>\n"
  }

  // MARK: - Parts

  private mutating func show(_ reply: AssistantMessage, _ time: Timestamp) -> String {
    var html = ""
    for block in reply.message.content {
      switch block.kind {
      case .text(let text) where !text.allSatisfy(\.isWhitespace):
        html += "<article class=\"model\"><div dir=\"auto\">\(HTMLText.prose(text))</div></article>\n"
      case .thinking(let thinking):
        if !thinking.text.isEmpty { html += fold("thinking", "Thinking", [thinking.text]) }
      case .toolCall(let call):
        if calls[call.id] == nil { calls[call.id] = (call, time) }
      case .media: html += "<article class=\"model\"><div>\(Self.block(block))</div></article>\n"
      default: break
      }
    }
    if reply.interrupted { html += note("warning", "The reply was cut off.", time) }
    return html
  }

  private mutating func show(_ finished: ToolFinished, _ time: Timestamp) -> String {
    let begun = calls.removeValue(forKey: finished.callId)
    let call = begun?.call ?? ToolCall(id: finished.callId, name: finished.name)
    let outcome = finished.result
    let status = outcome.isError ? outcome.code?.rawValue ?? "error" : nil
    return card(
      call, status: status ?? "ok", kind: status == nil ? "ok" : "bad",
      facts: [ResultSize.short(outcome.textSize), Self.duration(finished.durationMs), Self.clock(begun?.time ?? time)],
      result: outcome.content)
  }

  private mutating func unfinishedCalls() -> String {
    let open = calls.values.sorted { ($0.time, $0.call.id) < ($1.time, $1.call.id) }
    calls = [:]
    return open.map { card($0.call, status: "no result", kind: "open", facts: [Self.clock($0.time)], result: []) }
      .joined()
  }

  private func card(
    _ call: ToolCall, status: String, kind: String, facts: [String], result: [ContentBlock]
  ) -> String {
    let line = TextRenderer.describe(call).dropFirst(call.name.count)
    var html = """
      <details class="call"><summary><span class="status \(kind)">\(HTMLText.escaped(status))</span>\
      <span class="what" dir="auto"><b>\(HTMLText.escaped(call.name))</b>\(HTMLText.escaped(line))</span>\
      <span class="facts">\(facts.map(HTMLText.escaped).joined(separator: " <i>·</i> "))</span></summary>

      """
    switch call.arguments {
    case .object(let arguments):
      if !arguments.isEmpty {
        html += "<pre class=\"arguments\">\(HTMLText.escaped(JSONValue.object(arguments).text(.pretty)))</pre>\n"
      }
    case .unparsed(let text, let reason):
      html +=
        "<pre class=\"arguments\">\(HTMLText.escaped(text))</pre>\(note("warning", "Not readable: \(reason)", nil))"
    }
    let body = result.map { block in
      block.text.map { "<pre dir=\"auto\">\(HTMLText.escaped($0))</pre>" } ?? Self.block(block)
    }.joined()
    return html + body + "</details>\n"
  }

  private func fold(_ kind: String, _ title: String, _ texts: [String]) -> String {
    """
    <details class="\(kind)"><summary>\(HTMLText.escaped(title))</summary>\
    <div dir="auto">\(texts.map(HTMLText.prose).joined())</div></details>

    """
  }

  private func note(_ kind: String, _ text: String, _ time: Timestamp?) -> String {
    let clock = time.map { "<time>\(Self.clock($0))</time>" } ?? ""
    return "<p class=\"note \(kind)\">\(clock)<span dir=\"auto\">\(HTMLText.escaped(text))</span></p>\n"
  }

  private static let shownImages = ["image/png", "image/jpeg", "image/gif", "image/webp"]

  /// A block of a message. Pictures that are in the log are shown; nothing is fetched.
  private static func block(_ block: ContentBlock) -> String {
    switch block.kind {
    case .text(let text): return HTMLText.prose(text)
    case .media(let media):
      let name = HTMLText.escaped(media.name ?? media.mimeType)
      if case .data(let base64) = media.source, shownImages.contains(media.mimeType),
        base64.utf8.allSatisfy({ $0.isBase64 })
      {
        return "<img alt=\"\(name)\" loading=\"lazy\" src=\"data:\(media.mimeType);base64,\(base64)\">"
      }
      var place = ""
      if case .url(let url) = media.source { place = " <code>\(HTMLText.escaped(url))</code>" }
      return "<p class=\"file\">\(HTMLText.escaped(media.kind.rawValue)): \(name)\(place)</p>"
    default: return ""
    }
  }

  private static func clock(_ time: Timestamp) -> String { String("\(time)".dropFirst(11).prefix(8)) }

  private static func duration(_ milliseconds: Double) -> String {
    DurationText.short(milliseconds: milliseconds)
  }
}

extension UInt8 {
  fileprivate var isBase64: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
