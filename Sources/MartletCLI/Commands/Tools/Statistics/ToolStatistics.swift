import Martlet
import MartletJSON

/// What calls of each tool came to, over any number of sessions, in one pass over their records.
struct ToolStatistics: Sendable {
  struct Row: Sendable {
    let tool: String
    /// Calls with a result, of whatever sort.
    var calls = 0
    /// Those whose result is an error: also denied, never run, or of unknown outcome.
    var failures = 0
    /// Of those that ran.
    var durations = DurationSketch()
  }

  private var tools: [String: Row] = [:]
  /// Calls that run.
  private var open: Set<String> = []

  /// The tools, the one that took the most time first.
  var rows: [Row] {
    tools.values.sorted {
      ($0.durations.sum, Double($0.calls), $1.tool) > ($1.durations.sum, Double($1.calls), $0.tool)
    }
  }

  /// Takes the next record of a session, oldest first; one that does not count was counted with another session.
  mutating func take(_ record: EventRecord, counts: Bool = true) {
    switch record.event {
    // Nothing of an earlier run, or session, is open any more.
    case .runStarted, .sessionCreated: open = []
    case .toolStarted(let started): open.insert(started.call.id)
    case .toolFinished(let finished) where !counts: open.remove(finished.callId)
    case .toolFinished(let finished):
      var row = tools.removeValue(forKey: finished.name) ?? Row(tool: finished.name)
      row.calls += 1
      if finished.result.isError { row.failures += 1 }
      if open.remove(finished.callId) != nil { row.durations.add(finished.durationMs) }
      tools[row.tool] = row
    default: break
    }
  }

  /// All calls of an owner. Records that forks share count once.
  static func gathering(_ sessions: StoredSessions) async throws -> ToolStatistics {
    var statistics = ToolStatistics()
    let all = try await sessions.all()
    let ids = Set(all.map(\.id))
    // Of sessions that are deleted and live on in forks: the last record that was counted.
    var counted: [String: Int] = [:]
    for summary in all {
      let shared = summary.forkedFrom?.seq ?? 0
      // What a fork shares is counted where it was written, if that is still there.
      let start = summary.forkedFrom.map { ids.contains($0.session) } == true ? shared : 0
      try await sessions.eachRecord(of: summary.id, after: start) { record in
        let seq = record.seq ?? 0
        var counts = true
        if record.session != summary.id {
          counts = !ids.contains(record.session) && seq > counted[record.session] ?? 0
          if counts { counted[record.session] = seq }
        }
        statistics.take(record, counts: counts)
      }
    }
    return statistics
  }
}

extension ToolStatistics.Row {
  var json: JSONValue {
    func figure(_ value: Double?) -> JSONValue { value.flatMap { JSONValue(($0 * 1000).rounded() / 1000) } ?? .null }
    return [
      "tool": .string(tool), "calls": JSONValue(calls), "failures": JSONValue(failures),
      "mean_ms": figure(durations.mean), "p50_ms": figure(durations.quantile(0.5)),
      "p95_ms": figure(durations.quantile(0.95)), "total_ms": figure(durations.sum),
    ]
  }

  /// As a row of a table.
  var cells: [String] {
    func time(_ value: Double?) -> String { value.map { DurationText.short(milliseconds: $0) } ?? "-" }
    return [
      ControlFilter.line(tool.prefix(60)), "\(calls)", "\(failures)", time(durations.mean),
      time(durations.quantile(0.5)), time(durations.quantile(0.95)), time(durations.count == 0 ? nil : durations.sum),
    ]
  }

  static let titles = ["tool", "calls", "failed", "mean", "p50", "p95", "total"]
}
