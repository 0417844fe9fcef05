import Martlet

/// The sessions of the user in a store, with failures in the command line's words.
struct StoredSessions: Sendable {
  static let owner = "local"

  let store: any SessionStore

  /// All sessions, the one changed last first.
  func all() async throws -> [SessionSummary] {
    try await Self.saying { try await store.sessions(owner: Self.owner) }
  }

  /// The id of a session, which may be given by its beginning, as long as only one has it.
  func id(_ text: String) async throws -> String {
    let ids = try await all().map(\.id)
    if ids.contains(text) { return text }
    let near = ids.filter { $0.hasPrefix(text.lowercased()) }
    switch near.count {
    case 1: return near[0]
    case 0:
      throw CommandFailure.usage("there is no session \(text.quotedShort); `martlet sessions list` shows what there is")
    default:
      throw CommandFailure.usage(
        "\(near.count) sessions begin with \(text.quotedShort); say more of the id, as in \(near[0])")
    }
  }

  /// The session that was changed last.
  func latest() async throws -> String {
    guard let latest = try await all().first else {
      throw CommandFailure.usage("there is no session to continue; `martlet run` begins one")
    }
    return latest.id
  }

  /// The whole log of a session.
  func records(of id: String) async throws -> [EventRecord] {
    var records: [EventRecord] = []
    try await eachRecord(of: id) { records.append($0) }
    return records
  }

  /// Gives the records of a session after one, oldest first, with few of them in memory at once.
  func eachRecord(of id: String, after seq: Int = 0, _ body: (EventRecord) throws -> Void) async throws {
    try await Self.saying {
      var last = seq
      while true {
        let page = try await store.records(of: id, owner: Self.owner, after: last, limit: 250)
        guard let end = page.last?.seq else { return }
        for record in page { try body(record) }
        last = end
      }
    }
  }

  func search(_ query: String, limit: Int) async throws -> [SessionMatch] {
    try await Self.saying { try await store.search(query, owner: Self.owner, limit: limit) }
  }

  func delete(_ id: String) async throws {
    try await Self.saying { try await store.delete(session: id, owner: Self.owner) }
  }

  /// Makes a session that shares the records of another up to one of them. Gives its id.
  func fork(_ id: String, at seq: Int?) async throws -> String {
    try await Self.saying {
      guard let summary = try await all().first(where: { $0.id == id }) else { return id }
      let seq = seq ?? summary.lastSeq
      guard seq <= summary.lastSeq else {
        throw CommandFailure.usage("session \(id) has \(summary.lastSeq) records; --at takes at most that")
      }
      let time = Timestamp.now
      let fork = ULID.make(at: time)
      let created = SessionCreated(
        owner: Self.owner, title: summary.title, forkedFrom: SessionOrigin(session: id, seq: seq))
      try await store.fork(
        EventRecord(seq: seq + 1, time: time, session: fork, event: .sessionCreated(created)), owner: Self.owner)
      return fork
    }
  }

  private static func saying<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let error as SessionError {
      throw CommandFailure.failed(error.message, underlying: error)
    }
  }
}
