import Martlet
import MartletJSON

/// Sessions as trees: forks and subagents stand below the session that they come from.
struct SessionTree: Sendable {
  /// A session in its tree.
  struct Line: Sendable {
    let summary: SessionSummary
    /// How many sessions stand above it.
    let depth: Int
    /// What is drawn before it.
    let branch: String
  }

  /// The trees, each as its lines from the top; the one with the latest change in it first.
  let trees: [[Line]]

  init(_ sessions: [SessionSummary]) {
    let ids = Set(sessions.map(\.id))
    var below: [String: [SessionSummary]] = [:]
    var roots: [SessionSummary] = []
    for summary in sessions {
      if let origin = Self.origin(summary), ids.contains(origin), origin != summary.id {
        below[origin, default: []].append(summary)
      } else {
        roots.append(summary)
      }
    }
    trees = roots.map { Self.lines(from: $0, below) }.map { lines in
      (lines: lines, latest: lines.map(\.summary.updatedAt).max() ?? Timestamp(milliseconds: 0))
    }.sorted { $0.latest > $1.latest }.map(\.lines)
  }

  private static func origin(_ summary: SessionSummary) -> String? {
    summary.parent?.session ?? summary.forkedFrom?.session
  }

  /// Deeper branches than this are drawn as this deep.
  private static let deepest = 40

  /// Without recursion: forks of forks may be many.
  private static func lines(from root: SessionSummary, _ below: [String: [SessionSummary]]) -> [Line] {
    var lines: [Line] = []
    var pending: [(summary: SessionSummary, depth: Int, branch: String, next: String)] = [(root, 0, "", "")]
    while let (summary, depth, branch, next) = pending.popLast() {
      lines.append(Line(summary: summary, depth: depth, branch: branch))
      let children = (below[summary.id] ?? []).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
      for (index, child) in children.enumerated().reversed() {
        let isLast = index == children.count - 1
        let space = depth < deepest ? next + (isLast ? "   " : "│  ") : next
        pending.append((child, depth + 1, next + (isLast ? "└─ " : "├─ "), space))
      }
    }
    return lines
  }
}
