import Martlet

/// What a session comes to, gathered in one pass before it is written out. Its size is bounded, whatever the log's is.
struct SessionOverview: Sendable {
  struct Call: Sendable {
    var time: Timestamp
    var label: String
    var status: String?
    var durationMs: Double
    var size: Int
  }

  private(set) var title: String?
  private(set) var origin: SessionOrigin?
  private(set) var parent: SessionParent?
  private(set) var firstPrompt: String?
  private(set) var start: Timestamp?
  private(set) var end: Timestamp?
  private(set) var models: [String] = []
  private(set) var usage = Usage()
  private(set) var cost: Double?
  private(set) var turns = 0
  private(set) var callCount = 0
  private(set) var failures = 0
  private(set) var records = 0
  /// The calls that took longest, in the order of their beginning.
  private(set) var calls: [Call] = []
  private(set) var live = LiveRecords()
  private var open: [String: (time: Timestamp, call: ToolCall)] = [:]

  /// So many calls are listed.
  static let listed = 500

  mutating func take(_ record: EventRecord) {
    records += 1
    if start == nil { start = record.time }
    end = record.time
    live.take(record)
    switch record.event {
    case .sessionCreated(let created):
      title = created.title ?? title
      (origin, parent) = (created.forkedFrom ?? origin, created.parent ?? parent)
    case .sessionUpdated(let updated): title = updated.title ?? title
    case .runStarted: open = [:]
    case .prompt(let prompt):
      turns += 1
      if firstPrompt == nil { firstPrompt = String(prompt.message.saidText.prefix(200)) }
    case .modelCall(let call): if !models.contains(call.model), models.count < 20 { models.append(call.model) }
    case .modelCallEnded(let ended):
      usage += ended.usage
      if let amount = ended.cost { cost = (cost ?? 0) + amount }
    case .toolStarted(let started): open[started.call.id] = (record.time, started.call)
    case .toolFinished(let finished): take(finished, at: record.time)
    default: break
    }
  }

  private mutating func take(_ finished: ToolFinished, at time: Timestamp) {
    callCount += 1
    if finished.result.isError { failures += 1 }
    let begun = open.removeValue(forKey: finished.callId)
    calls.append(
      Call(
        time: begun?.time ?? time, label: begun.map { TextRenderer.describe($0.call) } ?? finished.name,
        status: finished.result.isError ? finished.result.code?.rawValue ?? "error" : nil,
        durationMs: finished.durationMs, size: finished.result.textSize))
    // Now and then, so that it costs little.
    if calls.count >= Self.listed * 2 { shorten() }
  }

  /// Leaves the calls that took longest.
  mutating func shorten() {
    guard calls.count > Self.listed else { return }
    let longest = calls.indices.sorted { (calls[$0].durationMs, $1) > (calls[$1].durationMs, $0) }.prefix(Self.listed)
    calls = longest.sorted().map { calls[$0] }
  }
}

extension ToolOutcome {
  /// UTF-8 bytes of its text.
  var textSize: Int { content.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) } }
}
