import Martlet
import MartletJSON

/// Sessions as a tree: forks and subagents stand below the session that they come from.
struct SessionTree: Sendable {
  struct Node: Sendable {
    let summary: SessionSummary
    var children: [Node] = []
  }

  /// Sessions that come from none that is listed; the one with the latest change in it or below it first.
  let roots: [Node]

  init(_ sessions: [SessionSummary]) {
    let ids = Set(sessions.map(\.id))
    var children: [String: [SessionSummary]] = [:]
    var roots: [SessionSummary] = []
    for summary in sessions {
      if let origin = Self.origin(summary), ids.contains(origin), origin != summary.id {
        children[origin, default: []].append(summary)
      } else {
        roots.append(summary)
      }
    }
    // Without recursion: forks of forks may be many.
    var nodes: [String: Node] = [:]
    var order: [SessionSummary] = []
    var pending = roots
    while let next = pending.popLast() {
      order.append(next)
      pending += children[next.id] ?? []
    }
    for summary in order.reversed() {
      let below = (children[summary.id] ?? []).compactMap { nodes.removeValue(forKey: $0.id) }
      nodes[summary.id] = Node(
        summary: summary,
        children: below.sorted { ($0.summary.createdAt, $0.summary.id) < ($1.summary.createdAt, $1.summary.id) })
    }
    self.roots = roots.compactMap { nodes[$0.id] }.sorted { $0.latest > $1.latest }
  }

  private static func origin(_ summary: SessionSummary) -> String? {
    summary.parent?.session ?? summary.forkedFrom?.session
  }

  /// The lines of a tree, each with the session that it is about.
  static func lines(of root: Node) -> [(branch: String, summary: SessionSummary)] {
    var lines: [(branch: String, summary: SessionSummary)] = []
    var pending: [(node: Node, branch: String, below: String)] = [(root, "", "")]
    while let next = pending.popLast() {
      lines.append((next.branch, next.node.summary))
      for (index, child) in next.node.children.enumerated().reversed() {
        let isLast = index == next.node.children.count - 1
        pending.append((child, next.below + (isLast ? "└─ " : "├─ "), next.below + (isLast ? "   " : "│  ")))
      }
    }
    return lines
  }
}

extension SessionTree.Node {
  /// The latest change in it or below it.
  fileprivate var latest: Timestamp { children.reduce(summary.updatedAt) { max($0, $1.latest) } }

  /// The session, and what comes from it as `children`.
  func json(_ value: (SessionSummary) -> JSONObject) -> JSONValue {
    var object = value(summary)
    object["children"] = .array(children.map { $0.json(value) })
    return .object(object)
  }
}
