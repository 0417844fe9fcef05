public import Martlet

/// A store under test, and what its storage can be made to do.
public struct SessionStoreSubject: Sendable {
  /// A store on storage that is empty.
  public var store: any SessionStore
  /// Opens the same storage once more, as another process would. Nil for a store that lives in one process.
  public var reopen: (@Sendable () async throws -> any SessionStore)?
  /// Ends a store as the death of its process would: nothing is released. Nil where there is no such thing.
  public var crash: (@Sendable (any SessionStore) async throws -> Void)?
  /// Makes a stored record unreadable, as a torn write or a bad disk would. Nil where there is no such thing.
  public var damage: (@Sendable (_ session: String, _ seq: Int) async throws -> Void)?
  /// Lets no byte more be stored (true), or lets go on (false). Nil where there is no such thing.
  public var fill: (@Sendable (_ isFull: Bool) async throws -> Void)?

  /// A store to be tested.
  public init(
    store: any SessionStore, reopen: (@Sendable () async throws -> any SessionStore)? = nil,
    crash: (@Sendable (any SessionStore) async throws -> Void)? = nil,
    damage: (@Sendable (_ session: String, _ seq: Int) async throws -> Void)? = nil,
    fill: (@Sendable (_ isFull: Bool) async throws -> Void)? = nil
  ) {
    self.store = store
    self.reopen = reopen
    self.crash = crash
    self.damage = damage
    self.fill = fill
  }
}
