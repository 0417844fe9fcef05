/// Where sessions live: an append-only log of durable records for each.
///
/// Every call names an owner, and sessions of other owners do not exist for it. A conformance must pass the store kit of
/// `MartletTesting`.
public protocol SessionStore: Sendable {
  /// Takes the right to append to a session, which is made if it does not exist yet.
  ///
  /// A new lease ends older ones of a holder that is gone (appends under them fail with `.leaseLost`); a holder that is
  /// alive is never robbed.
  /// - Throws: `SessionError` with `.leaseHeld`, naming the holder.
  func acquire(session: String, owner: String, holder: String) async throws -> SessionLease

  /// Gives the right back. Does nothing if it was lost already.
  func release(_ lease: SessionLease) async

  /// Appends durable records, all or none. The first must have the sequence number after the session's last.
  /// - Throws: `SessionError` with `.sequenceConflict`, `.leaseLost` or a storage failure. Nothing was appended then.
  func append(_ records: [EventRecord], lease: SessionLease) async throws

  /// The records after a sequence number, oldest first, at most `limit`.
  func records(of session: String, owner: String, after seq: Int, limit: Int) async throws -> [EventRecord]

  /// The sessions of an owner, newest first.
  func sessions(owner: String) async throws -> [SessionSummary]

  /// Removes a session for good. Does nothing if there is none.
  func delete(session: String, owner: String) async throws
}
