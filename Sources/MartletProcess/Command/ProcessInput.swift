/// What a child reads on its standard input.
public enum ProcessInput: Sendable {
  /// Nothing: `/dev/null`.
  case none
  /// These bytes, then the end.
  case bytes([UInt8])
  /// What the closure gives until it gives nil. It is asked again once the child's pipe took what it gave before.
  case stream(@Sendable () async throws -> [UInt8]?)
}
