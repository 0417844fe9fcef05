import Martlet

extension ApprovalMode {
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
