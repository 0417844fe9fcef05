/// Where sessions live: an append-only log of durable records for each.
///
/// Every call names an owner, and sessions of other owners do not exist for it. A conformance must pass the store kit of
/// `MartletTesting` (`SessionStoreKit`). Records are given back exactly as they were appended.
public protocol SessionStore: Sendable {
  /// Takes the right to append to a session, which is made if it does not exist yet.
  ///
  /// A new lease ends older ones of a holder that is gone (appends under them fail with `.leaseLost`); a holder that is
  /// alive is never robbed.
  /// - Throws: `SessionError` with `.leaseHeld`, naming the holder.
  func acquire(session: String, owner: String, holder: String) async throws -> SessionLease

  /// Gives the right back. Does nothing if it was lost already. A session without records is gone then.
  func release(_ lease: SessionLease) async

  /// Appends durable records, all or none, and returns when they are safe from a crash. The first must have the sequence
  /// number after the session's last.
  /// - Throws: `SessionError` with `.sequenceConflict`, `.leaseLost` or a storage failure. Nothing was appended then.
  func append(_ records: [EventRecord], lease: SessionLease) async throws

  /// The records after a sequence number, oldest first, at most `limit`: fewer only where the log ends. Of a fork, the
  /// records that it shares come first; they name the session that they were written in.
  /// - Throws: `SessionError` with `.notFound`; with `.damaged` when the first of them cannot be read.
  func records(of session: String, owner: String, after seq: Int, limit: Int) async throws -> [EventRecord]

  /// The sessions of an owner that have records, the one that was changed last first.
  func sessions(owner: String) async throws -> [SessionSummary]

  /// The records of an owner whose text (prompts, replies, results, titles) has all words of a query, at most `limit`:
  /// those of the session changed last first, within a session the latest first.
  ///
  /// Letters compare without case; a word also finds longer words that begin with it; punctuation separates words, and
  /// what it separates within a word of the query must follow one another. A query without letters finds nothing.
  func search(_ query: String, owner: String, limit: Int) async throws -> [SessionMatch]

  /// Makes a session that shares the records of another by reference. Its first record of its own, a `session_created`
  /// whose `forkedFrom` names the other session and the last record shared, follows that record in number. Shared records
  /// outlive the deletion of the session that they come from.
  /// - Throws: `SessionError` with `.notFound`, `.exists`, `.sequenceConflict` or a storage failure.
  func fork(_ first: EventRecord, owner: String) async throws

  /// Takes the records from one on out of a log whose end cannot be read, so that the session can go on, and keeps what
  /// is left of them beside the store.
  /// - Returns: where they are, for a person who wants to look.
  func quarantine(from seq: Int, lease: SessionLease) async throws -> String

  /// Removes a session for good. Does nothing if there is none.
  /// - Throws: `SessionError` with `.leaseHeld` when somebody is running it.
  func delete(session: String, owner: String) async throws
}
