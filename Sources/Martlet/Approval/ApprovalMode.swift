/// What happens to calls that no rule decides on.
public enum ApprovalMode: String, Sendable, Hashable, CaseIterable, JSONConvertible {
  /// Asks about tools that need permission, runs all others.
  case ask
  /// Runs read-only tools, asks about all others.
  case reads
  /// Runs everything.
  case all
  /// Runs what needs no permission and denies the rest: nobody is asked.
  case none
}
