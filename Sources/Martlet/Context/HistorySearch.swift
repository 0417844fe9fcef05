import MartletJSON

/// Finds what was said in a session, whether or not the model's view still has it: the log keeps everything. What was taken
/// back was not said.
struct HistorySearch: Sendable {
  /// A record that has some of the words.
  struct Match: Sendable, Hashable {
    var seq: Int
    /// Who says it: `user`, `assistant`, `result of NAME`, …
    var speaker: String
    var excerpt: String
  }

  let store: any SessionStore
  let session: String
  let owner: String

  /// The records that have the most of the words, the latest first among equals.
  func matches(of query: String, limit: Int) async throws -> [Match] {
    let words = SearchText.Query(query).phrases.map { $0.joined(separator: " ") }
    guard !words.isEmpty else { return [] }
    let queries = Array(Set(words)).map { SearchText.Query($0) }
    var live = LiveRecords()
    var found: [(score: Int, seq: Int)] = []
    try await forEach { record in
      live.take(record)
      guard let seq = record.seq, let said = Self.said(in: record.event) else { return }
      let score = queries.count { $0.matches(said.text) }
      if score > 0 { found.append((score, seq)) }
    }
    // Only at the end it is known what was taken back, and what of that was brought back.
    let gaps = live.gaps
    found.removeAll { item in gaps.contains { $0.contains(item.seq) } }
    found.sort { $0 > $1 }
    var matches: [Match] = []
    for (_, seq) in found.prefix(limit) {
      guard let said = try await said(in: seq), let first = queries.first(where: { $0.matches(said.text) }) else {
        continue
      }
      let excerpt = SearchText.excerpt(of: said.text, around: first, length: 480)
      matches.append(Match(seq: seq, speaker: said.speaker, excerpt: excerpt))
    }
    return matches
  }

  /// The whole text of a record; nil when it has none, or was taken back.
  func text(ofRecord seq: Int) async throws -> (speaker: String, text: String)? {
    guard seq > 0 else { return nil }
    var live = LiveRecords()
    // A record is taken back only by what follows it.
    try await forEach(after: seq - 1) { live.take($0) }
    return live.contains(seq) ? try await said(in: seq) : nil
  }

  private func said(in seq: Int) async throws -> (speaker: String, text: String)? {
    let records = try await store.records(of: session, owner: owner, after: seq - 1, limit: 1)
    return records.first.flatMap { Self.said(in: $0.event) }
  }

  private func forEach(after seq: Int = 0, _ body: (EventRecord) -> Void) async throws {
    var last = seq
    while true {
      try Task.checkCancellation()
      let records = try await store.records(of: session, owner: owner, after: last, limit: 1_000)
      for record in records { body(record) }
      guard records.count == 1_000, let seq = records.last?.seq else { return }
      last = seq
    }
  }

  /// What can be found of an event. Results of the search itself only repeat it.
  private static func said(in event: AgentEvent) -> (speaker: String, text: String)? {
    let speaker: String
    var text = SearchText.text(of: event) ?? ""
    switch event {
    case .prompt(let prompt): speaker = prompt.message.role.rawValue
    case .assistantMessage(let reply):
      speaker = "assistant"
      for call in reply.message.toolCalls where call.name != SearchHistoryTool.definition.name {
        text += "\n\(call.name) \(call.argumentsText)"
      }
    case .toolFinished(let finished):
      guard finished.name != SearchHistoryTool.definition.name else { return nil }
      speaker = "result of \(finished.name)"
    case .historyReplaced: speaker = "conversation"
    case .sessionCreated, .sessionUpdated, .compacted: return nil
    default: return nil
    }
    return text.isEmpty ? nil : (speaker, text)
  }
}
