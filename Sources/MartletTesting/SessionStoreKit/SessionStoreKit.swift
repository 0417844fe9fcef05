import Martlet
import MartletJSON

/// What every `SessionStore` must do: checks to run against your own.
///
/// ```swift
/// @Test(arguments: SessionStoreKit.checks) func `the store keeps the contract`(check: SessionStoreCheck) async throws {
///   try await check.run(SessionStoreSubject(store: MyStore()))
/// }
/// ```
/// Each check gets a store of its own on empty storage.
public enum SessionStoreKit {
  /// Checks of one store in one process.
  public static let checks: [SessionStoreCheck] = logs + leases + lists + searches + forks + forkedLogs + blobs
  /// Checks that need `SessionStoreSubject.reopen` and `crash`: storage that outlives the process.
  public static let durable: [SessionStoreCheck] = restarts
  /// Checks that need `SessionStoreSubject.damage`.
  public static let damaged: [SessionStoreCheck] = damages
  /// Checks that need `SessionStoreSubject.fill`.
  public static let full: [SessionStoreCheck] = shortages

  // MARK: - What checks are made of

  static let owner = "local"

  static func created(_ session: String, title: String? = nil, at seq: Int = 1, origin: SessionOrigin? = nil)
    -> EventRecord
  {
    record(
      seq, session, .sessionCreated(SessionCreated(owner: owner, title: title, forkedFrom: origin)))
  }

  static func prompt(_ seq: Int, _ session: String, _ text: String) -> EventRecord {
    record(seq, session, .prompt(Prompt(messageId: "m\(seq)", message: .user(text))))
  }

  static func record(_ seq: Int, _ session: String, _ event: AgentEvent, minute: Int? = nil) -> EventRecord {
    EventRecord(
      seq: seq, time: Timestamp(milliseconds: 1_796_000_000_000 + Int64(minute ?? seq) * 60_000 + 7), session: session,
      run: seq > 1 ? "r" : nil, event: event)
  }

  /// A session with prompts of these texts, released.
  static func fill(_ store: any SessionStore, _ session: String, _ texts: [String], title: String? = nil) async throws {
    let lease = try await store.acquire(session: session, owner: owner, holder: "kit")
    try await store.append([created(session, title: title)], lease: lease)
    for (index, text) in texts.enumerated() {
      try await store.append([prompt(index + 2, session, text)], lease: lease)
    }
    await store.release(lease)
  }

  static func all(_ store: any SessionStore, _ session: String) async throws -> [EventRecord] {
    try await store.records(of: session, owner: owner, after: 0, limit: .max)
  }

  static func expect(_ condition: Bool, _ what: @autoclosure () -> String, line: Int = #line) throws {
    try SessionStoreCheck.expect(condition, what(), line: line)
  }
}
