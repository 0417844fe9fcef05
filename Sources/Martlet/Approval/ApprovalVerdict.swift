/// Whether a call may run.
public enum ApprovalVerdict: String, Sendable, Hashable, CaseIterable, JSONConvertible {
  case allow, deny
}
