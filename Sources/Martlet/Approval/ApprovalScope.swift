/// How far an answer to an approval holds.
public enum ApprovalScope: String, Sendable, Hashable, CaseIterable, JSONConvertible {
  /// For this call with these arguments.
  case once
  /// For the rest of the session: the rule is in the session's log.
  case session
  /// For the project: the rule is kept by the agent's `PermissionStore`.
  case project
  /// For the user, in every project: the rule is kept by the agent's `PermissionStore`.
  case user
}
