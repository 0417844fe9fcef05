import Martlet
import MartletJSON

/// A session as a list of what happened when, and how long it took.
struct SessionTimeline: Sendable {
  struct Row: Sendable {
    var seq: Int
    var time: Timestamp
    /// prompt, reply, model, call, approval …
    var kind: String
    /// What was said, or what is to be known of it.
    var detail: String
    /// Of a call: ok, a code of failure, or running.
    var status: String?
    var durationMs: Double?
    /// UTF-8 bytes of a result.
    var size: Int?
    /// Whether it does not count any more.
    var isTakenBack = false

    /// How it stands out on a terminal, as parameters of ECMA-48's SGR; nil when it does not.
    var emphasis: String? {
      if isTakenBack { return "2" }
      switch kind {
      case "prompt": return "1"
      case "failed": return "31"
      case "call" where status != "ok": return status == "running" ? "33" : "31"
      case "warning": return "33"
      case "run", "model", "end", "session": return "2"
      default: return nil
      }
    }

    /// On one line.
    var text: String {
      let time = "\(time)".dropFirst(11).dropLast()
      let number = "\(seq)"
      let space = String(repeating: " ", count: max(0, 5 - number.count))
      var parts = ["\(space)\(number)  \(time)  \(kind.padding(to: 9))"]
      let line = detail.split(separator: "\n", omittingEmptySubsequences: true).joined(separator: " ")
      parts.append(line.count > 100 ? line.prefix(99) + "…" : line)
      var facts = [status].compactMap { $0 }
      if let durationMs { facts.append(DurationText.short(milliseconds: durationMs)) }
      if let size { facts.append(ResultSize.short(size)) }
      if !facts.isEmpty { parts.append("→ " + facts.joined(separator: ", ")) }
      if isTakenBack { parts.append("(taken back)") }
      return parts.joined(separator: " ")
    }

    var json: JSONValue {
      [
        "seq": JSONValue(seq), "time": .string(time.description), "kind": .string(kind), "detail": .string(detail),
        "status": status.map { .string($0) } ?? .null, "duration_ms": durationMs.flatMap { JSONValue($0) } ?? .null,
        "bytes": size.map { JSONValue($0) } ?? .null, "taken_back": .bool(isTakenBack),
      ]
    }
  }

  private(set) var rows: [Row] = []
  private var calls: [String: Int] = [:]
  private var modelCall: Int?

  init(_ records: [EventRecord]) {
    for record in records { take(record) }
    for gap in LiveRecords(folding: records).gaps {
      for index in rows.indices where gap.contains(rows[index].seq) { rows[index].isTakenBack = true }
    }
  }

  private mutating func take(_ record: EventRecord) {
    func row(_ kind: String, _ detail: String, status: String? = nil) -> Row {
      Row(seq: record.seq ?? 0, time: record.time, kind: kind, detail: detail, status: status)
    }
    switch record.event {
    case .sessionCreated(let created):
      let origin = created.forkedFrom.map { "fork of \($0.session) at \($0.seq)" }
      rows.append(row("session", [record.session, created.title, origin].compactMap { $0 }.joined(separator: "  ")))
    case .runStarted: rows.append(row("run", record.run ?? ""))
    case .runResumed(let resumed): rows.append(row("resumed", resumed.previousOwner.map { "after \($0)" } ?? ""))
    case .prompt(let prompt): rows.append(row("prompt", prompt.message.saidText))
    case .modelCall(let call):
      modelCall = rows.count
      rows.append(row("model", call.model + (call.attempt > 1 ? ", attempt \(call.attempt)" : ""), status: "running"))
    case .modelCallEnded(let ended):
      guard let index = modelCall else { break }
      rows[index].status = ended.error?.code ?? "\(ended.usage.input) in, \(ended.usage.output) out"
      rows[index].durationMs = record.time.since(rows[index].time) / .milliseconds(1)
      modelCall = nil
    case .assistantMessage(let reply):
      if !reply.message.text.isEmpty {
        rows.append(row("reply", reply.message.text, status: reply.interrupted ? "cut off" : nil))
      }
    case .toolStarted(let started):
      // The one before was cut short, or asked for something.
      if let before = calls[started.call.id], rows[before].status == "running" { rows[before].status = "began" }
      calls[started.call.id] = rows.count
      rows.append(row("call", TextRenderer.describe(started.call), status: "running"))
    case .toolFinished(let finished):
      let size = finished.result.textSize
      let index = calls[finished.callId] ?? rows.count
      if index == rows.count { rows.append(row("call", finished.name)) }
      rows[index].status = finished.result.isError ? finished.result.code?.rawValue ?? "error" : "ok"
      rows[index].durationMs = finished.durationMs
      rows[index].size = size
    case .approvalRequested(let request): rows.append(row("asked", TextRenderer.describe(request.call)))
    case .approvalResolved(let answer):
      rows.append(row("answered", "\(answer.decision == .allow ? "allowed" : "denied") by \(answer.by ?? "somebody")"))
    case .inputRequested(let request):
      let words = request.payload["question"]?.stringValue
      rows.append(row("asked", "for \(request.kind)" + (words.map { ": \($0)" } ?? "")))
    case .inputResolved(let answer): rows.append(row("answered", answer.declined ? "declined" : "given"))
    case .waiting: rows.append(row("waiting", "for an answer"))
    case .compacted(let compacted): rows.append(row("compacted", "records \(compacted.fromSeq) to \(compacted.toSeq)"))
    case .rewound(let rewound): rows.append(row("rewound", "to record \(rewound.toSeq)"))
    case .historyReplaced(let replaced): rows.append(row("replaced", "by \(replaced.messages.count) messages"))
    case .warning(let warning): rows.append(row("warning", warning.message))
    case .cancelRequested(let cancel): rows.append(row("cancel", "by \(cancel.by)"))
    case .finished(let finished):
      rows.append(row("end", "\(finished.reason.rawValue), \(finished.usage.total) tokens"))
    case .failed(let failed): rows.append(row("failed", failed.message))
    default: break
    }
  }

  /// A time to the minute, in UTC.
  static func minute(_ time: Timestamp) -> String {
    let text = "\(time)"
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))Z"
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    count >= width ? self : self + String(repeating: " ", count: width - count)
  }
}
