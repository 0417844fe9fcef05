/// Finds what to do about a view that does not fit: a pure function of the loop and the limits.
struct ContextPlanner {
  /// The highest level: nothing but the request in short and the last round with its results cut.
  static let lastLevel = 2
  /// UTF-8 bytes below which replacing something is not worth a change of the prefix.
  private static let leastGain = 256

  private let loop: AgentLoop
  private let limits: ContextLimits
  private let reason: ContextPlan.Reason
  private let entries: [ContextView.Entry]

  init(_ loop: AgentLoop, limits: ContextLimits, reason: ContextPlan.Reason) {
    self.loop = loop
    self.limits = limits
    self.reason = reason
    entries = loop.view.entries
  }

  /// The plan of the lowest level from one on that makes the view smaller; nil when there is none.
  func plan(from level: Int) -> ContextPlan? {
    guard limits.policy.method != .nothing else { return nil }
    for level in level..<max(level, Self.lastLevel + 1) {
      if let plan = plan(at: level) { return plan }
    }
    return nil
  }

  // MARK: - Room

  /// Tokens that messages may take.
  private var room: Int {
    let total = loop.estimatedInputTokens
    let fixed = loop.estimator.tokens(of: loop.contextBytes)
    var room = max(0, total - fixed)
    if let window = limits.window {
      room = max(0, window - limits.reserved(for: loop.context?.options.maxOutputTokens) - fixed)
    }
    // What the provider found too long is halved, whatever the table says of its window.
    return reason == .overflow ? min(room, max(0, total - fixed) / 2) : room
  }

  /// Bytes that the last messages may have.
  private func keptBytes(at level: Int) -> Int {
    level > 0 ? 0 : loop.estimator.bytes(of: Int(Double(room) * limits.policy.keptShare))
  }

  /// Bytes that may be told again after a summary.
  private func noteLimit(at level: Int) -> Int {
    level == Self.lastLevel ? 0 : loop.estimator.bytes(of: room / (level == 0 ? 4 : 8))
  }

  // MARK: - Plans

  private func plan(at level: Int) -> ContextPlan? {
    guard let first = entries.first else { return nil }
    var plan = ContextPlan(
      policy: limits.policy.name, fromSeq: first.seq, toSeq: first.seq - 1, keep: [], cleared: [], offloaded: [],
      style: nil, digestLimit: 0, noteLimit: noteLimit(at: level), tokensBefore: loop.estimatedInputTokens,
      reason: reason,
      level: level)
    if level == 0 {
      switch limits.policy.method {
      case .clearResults(let rounds):
        plan.cleared = results(before: start(ofRounds: rounds)).map(\.callId)
        return gain(of: plan) >= worthwhile ? plan : nil
      case .offloadResults(let size):
        guard limits.canOffload else { return nil }
        plan.offloaded = results(before: lastRound).filter { Self.textBytes($0) > size }.map {
          OffloadedResult(callId: $0.callId, blob: $0.callId)
        }
        return gain(of: plan) >= worthwhile ? plan : nil
      case .summarize(let style): plan.style = style
      case .drop: plan.digestLimit = 0
      case .nothing: return nil
      }
    } else {
      plan.digestLimit = min(4_096, max(400, loop.estimator.bytes(of: room / 8)))
    }
    let tail = tail(at: level)
    plan.keep = goals(before: tail, at: level)
    if let last = entries[..<tail].last { plan.toSeq = last.seq }
    if entries[..<tail].allSatisfy({ plan.keep.contains($0.seq) || $0.isSummary }) {
      // Nothing but earlier notes would be summarized again.
      plan.toSeq = plan.fromSeq - 1
      plan.keep = []
      plan.style = nil
    }
    if level == Self.lastLevel { shorten(&plan, from: tail) }
    return gain(of: plan) >= worthwhile ? plan : nil
  }

  /// The least that has to be won for a change of the prefix.
  private var worthwhile: Int { max(Self.leastGain, reason == .requested ? 0 : loop.historyBytes / 50) }

  /// Bytes that the view loses, before a summary.
  private func gain(of plan: ContextPlan) -> Int {
    var view = loop.view
    let before = view.entries.reduce(0) { $0 + $1.message.approximateBytes }
    view.apply(plan.outcome(summary: [], epoch: 0, tokensAfter: nil))
    let told = ToldContext(loop.context, view.entries.lazy.map(\.message))
    let carried = plan.replacesMessages ? CarriedNotes(loop.told, lostIn: told, limit: plan.noteLimit).size : 0
    return before - view.entries.reduce(0) { $0 + $1.message.approximateBytes } - plan.digestLimit / 2 - carried
  }

  /// The results of the last round, where they are too long for the room that there is.
  private func shorten(_ plan: inout ContextPlan, from tail: Int) {
    let answers = entries[tail...].flatMap(\.message.toolResults)
    guard !answers.isEmpty else { return }
    let share = max(200, loop.estimator.bytes(of: room / 2) / answers.count)
    let long = answers.filter { Self.textBytes($0) > share + 200 || $0.content.contains { $0.text == nil } }
    if limits.canOffload {
      plan.offloaded = long.map { OffloadedResult(callId: $0.callId, blob: $0.callId, limit: share) }
    } else {
      plan.cleared = long.map(\.callId)
    }
  }

  // MARK: - What stays

  /// What the open run was asked: its own prompt, or the one that it tries again.
  private var prompt: Int? {
    if let seq = loop.run?.promptSeq { return entries.firstIndex { $0.seq == seq && !$0.isSummary } }
    return entries.lastIndex { $0.message.role == .user && !$0.isSummary }
  }

  /// The first message of the last round: a reply with its results, or what was said last.
  private var lastRound: Int {
    if loop.run != nil, let prompt {
      return entries[prompt...].lastIndex { $0.message.role == .assistant } ?? prompt
    } else if let said = entries.lastIndex(where: { $0.message.role == .user && !$0.isSummary }) {
      // Between runs the last turn is the last thing the user said and all that came of it.
      return said
    }
    return entries.lastIndex { $0.message.role != .tool } ?? 0
  }

  /// The first message that stays as it is.
  private func tail(at level: Int) -> Int {
    var start = lastRound
    if reason == .messages, level == 0, let limit = limits.policy.messageLimit {
      // The prompt that has just come is not among those that are counted.
      let new = entries.count - (prompt ?? entries.count)
      start = min(start, max(0, entries.count - new - limit.keep))
    } else if level == 0 {
      var left = keptBytes(at: level)
      for index in entries[start...].indices { left -= entries[index].message.approximateBytes }
      while start > 0, left > 0 {
        left -= entries[start - 1].message.approximateBytes
        if left >= 0 { start -= 1 }
      }
    }
    // A result stays with its call.
    while start > 0, entries[start].message.role == .tool { start -= 1 }
    // What came in one record, as a conversation that an app assigned, goes or stays as one.
    while isWithinRecord(start), start < lastRound { start += 1 }
    while isWithinRecord(start) || (start > 0 && entries[start].message.role == .tool) { start -= 1 }
    return start
  }

  private func isWithinRecord(_ index: Int) -> Bool {
    index > 0 && !entries[index - 1].isSummary && entries[index - 1].seq == entries[index].seq
  }

  /// What the open run works on: its prompt and what was said into it, as far as a third of the room allows. At the last
  /// level a prompt that is longer than that goes into the digest.
  private func goals(before tail: Int, at level: Int) -> [Int] {
    guard loop.run != nil, let first = self.prompt, first < tail, !isWithinRecord(first) else { return [] }
    let goals = entries[first..<tail].filter { $0.message.role == .user && !$0.isSummary }
    guard let prompt = goals.first else { return [] }
    var left = loop.estimator.bytes(of: room / 3) - prompt.message.approximateBytes
    if level == Self.lastLevel, left < 0 { return [] }
    var kept = [prompt.seq]
    for goal in goals.dropFirst().reversed() {
      left -= goal.message.approximateBytes
      if left < 0 { break }
      kept.insert(goal.seq, at: 1)
    }
    return kept
  }

  /// Where the last rounds begin.
  private func start(ofRounds count: Int) -> Int {
    var rounds = 0
    for index in entries.indices.reversed() where entries[index].message.role == .assistant {
      rounds += 1
      if rounds == count { return index }
    }
    return 0
  }

  /// Results with something to win, before a message. The instructions of skills stay.
  private func results(before end: Int) -> [ToolResult] {
    entries[..<end].flatMap(\.message.toolResults).filter { result in
      (Self.textBytes(result) > 200 || result.content.contains { $0.text == nil })
        && !result.content.contains { ContextNote($0) != nil }
    }
  }

  private static func textBytes(_ result: ToolResult) -> Int {
    result.content.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
  }
}

extension ContextPlan {
  /// What becomes of the plan with a summary of what is replaced.
  func outcome(summary: [ContentBlock], epoch: Int, tokensAfter: Int?) -> Compacted {
    Compacted(
      policy: policy, fromSeq: fromSeq, toSeq: toSeq, keep: keep, cleared: cleared, offloaded: offloaded,
      summary: summary, tokensBefore: tokensBefore, tokensAfter: tokensAfter, reason: reason.rawValue, epoch: epoch)
  }

  /// The messages that are replaced.
  func replaced(in view: ContextView) -> [ContextView.Entry] {
    guard replacesMessages else { return [] }
    return view.entries.filter { (fromSeq...toSeq).contains($0.seq) && ($0.isSummary || !keep.contains($0.seq)) }
  }
}
