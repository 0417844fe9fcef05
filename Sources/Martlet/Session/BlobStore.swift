/// A session store that also keeps what is too large for the log, such as the whole of a result that was cut for the
/// context.
public protocol BlobStore: SessionStore {
  /// Keeps bytes under an id of the lease's session, in place of what the id named before.
  /// - Throws: `SessionError` with `.leaseLost` or a storage failure. Nothing was kept then.
  func keep(_ bytes: [UInt8], id: String, lease: SessionLease) async throws

  /// What is kept under an id of a session, or else of those that it was forked from; nil when there is nothing, or nothing
  /// any more. What a fork shares is kept for it when its parent is deleted.
  func blob(_ id: String, session: String, owner: String) async throws -> [UInt8]?
}
