import Martlet
import Testing

@testable import MartletCLI

@Suite struct `The tree of sessions` {
  private func summary(_ id: String, at time: Int64, fork: String? = nil, subagentOf parent: String? = nil)
    -> SessionSummary
  {
    SessionSummary(
      id: id, createdAt: Timestamp(milliseconds: time), updatedAt: Timestamp(milliseconds: time), lastSeq: 9,
      forkedFrom: fork.map { SessionOrigin(session: $0, seq: 3) },
      parent: parent.map { SessionParent(session: $0, run: "r", callId: "c") })
  }

  private func drawing(_ sessions: [SessionSummary]) -> [String] {
    SessionTree(sessions).trees.flatMap { $0.map { $0.branch + $0.summary.id } }
  }

  @Test func `has forks and subagents below what they come from, oldest first`() {
    let sessions = [
      summary("old", at: 1), summary("root", at: 2), summary("b", at: 5, fork: "root"),
      summary("a", at: 4, fork: "root"),
      summary("c", at: 6, fork: "a"), summary("agent", at: 3, subagentOf: "a"), summary("orphan", at: 9, fork: "gone"),
    ]
    for order in [sessions, sessions.reversed()] {
      #expect(drawing(order) == ["orphan", "root", "├─ a", "│  ├─ agent", "│  └─ c", "└─ b", "old"])
    }
  }

  @Test func `of ten thousand forks of forks is drawn, and one that comes from itself does no harm`() {
    var sessions = [summary("s0", at: 0)]
    for index in 1..<10_000 { sessions.append(summary("s\(index)", at: Int64(index), fork: "s\(index - 1)")) }
    sessions.append(summary("self", at: 5, fork: "self"))
    #expect(drawing(sessions).count == 10_001)
  }
}
