/// What happens to calls that no rule decides on.
enum ApprovalMode: String, Sendable, CaseIterable {
  /// Ask for tools that need permission.
  case ask
  /// Run read-only tools, ask for all others.
  case reads
  /// Run everything.
  case all
  /// Run what needs no permission, deny the rest.
  case none

  private var tightness: Int {
    switch self {
    case .all: 0
    // Neither contains the other: a read-only tool may need permission.
    case .ask, .reads: 1
    case .none: 2
    }
  }

  func tightened(to other: Self) -> Self { other.tightness > tightness ? other : self }
}
