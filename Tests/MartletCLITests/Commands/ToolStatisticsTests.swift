import Martlet
import MartletJSON
import MartletTesting
import Testing

@testable import MartletCLI

@Suite struct `Statistics of tools` {
  @Test func `are within 1% of the true quantiles, whatever is measured`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for count in [1, 2, 3, 10, 1_000, 20_000] {
      var sketch = DurationSketch()
      var values: [Double] = []
      for _ in 0..<count {
        // From microseconds to days.
        var value = Double.random(in: 0.001...1, using: &random)
        for _ in 0..<Int.random(in: 0...8, using: &random) { value *= 9 }
        values.append(value)
        sketch.add(value)
      }
      values.sort()
      for share in [0.0, 0.5, 0.95, 1] {
        let exact = values[max(1, Int((share * Double(count)).rounded(.up))) - 1]
        let found = try #require(sketch.quantile(share))
        #expect(abs(found - exact) <= exact * 0.0101, "seed \(seed), \(share) of \(count): \(found), not \(exact)")
      }
      let mean = values.reduce(0, +) / Double(count)
      #expect(abs((sketch.mean ?? 0) - mean) < mean * 1e-9)
    }
    #expect(DurationSketch().quantile(0.5) == nil && DurationSketch().mean == nil)
    var odd = DurationSketch()
    for value in [Double.nan, .infinity, -1, 0, 1e300] { odd.add(value) }
    #expect(odd.count == 5 && odd.quantile(0.5) == 0)
  }

  private static func log(_ session: String, _ calls: [(name: String, ms: Double, isError: Bool, ran: Bool)])
    -> [EventRecord]
  {
    var events: [AgentEvent] = [
      .sessionCreated(SessionCreated(owner: "local")), .runStarted(RunStarted(budget: Budget())),
    ]
    for (index, call) in calls.enumerated() {
      let made = ToolCall(id: "c\(index)", name: call.name)
      if call.ran { events.append(.toolStarted(ToolStarted(call: made, effect: .readOnly))) }
      events.append(
        .toolFinished(
          ToolFinished(
            ToolResult(callId: made.id, name: call.name, content: [.text("x")], isError: call.isError),
            durationMs: call.ms)))
    }
    return events.enumerated().map {
      EventRecord(seq: $0.offset + 1, time: Timestamp(milliseconds: 5), session: session, event: $0.element)
    }
  }

  @Test func `count each call once, also where forks share it and its session is gone`() async throws {
    let store = InMemorySessionStore()
    let records = Self.log(
      "a",
      [("slow", 100, false, true), ("quick", 1, true, true), ("quick", 0, true, false), ("slow", 300, false, true)])
    let lease = try await store.acquire(session: "a", owner: "local", holder: "t")
    try await store.append(records, lease: lease)
    await store.release(lease)
    for (id, seq) in [("b", 4), ("c", 9), ("d", 6)] {
      let created = SessionCreated(owner: "local", forkedFrom: SessionOrigin(session: "a", seq: seq))
      try await store.fork(
        EventRecord(seq: seq + 1, time: Timestamp(milliseconds: 6), session: id, event: .sessionCreated(created)),
        owner: "local")
    }
    let sessions = StoredSessions(store: store)
    func check(_ when: Comment) async throws {
      let rows = try await ToolStatistics.gathering(sessions).rows
      #expect(rows.map(\.tool) == ["slow", "quick"], when)
      #expect(rows.map(\.calls) == [2, 2], when)
      #expect(rows.map(\.failures) == [0, 2], when)
      #expect(rows.map(\.durations.count) == [2, 1], when)
      #expect(rows[0].durations.mean == 200 && rows[1].durations.quantile(0.95) == 1, when)
    }
    try await check("at first")
    try await store.delete(session: "a", owner: "local")
    try await check("when the session that had them is gone")
  }
}
