/// Whether a call may run.
public enum ApprovalVerdict: String, Sendable, Hashable, CaseIterable, JSONConvertible {
  /// The call runs.
  case allow
  /// The call does not run; the model is told.
  case deny
}
