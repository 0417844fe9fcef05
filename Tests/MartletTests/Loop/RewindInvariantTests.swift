import Foundation
import MartletTesting
import Testing

@testable import Martlet

/// Rewinds of random histories, to any record.
@Suite struct `A rewind` {
  static let seed =
    UInt64(ProcessInfo.processInfo.environment["MARTLET_SEED"] ?? "") ?? UInt64.random(in: 0..<UInt64.max / 2)

  /// What an agent records to go back to a record.
  private func events(to seq: Int, of session: SimulatedSession) -> [AgentEvent] {
    var events: [AgentEvent] = [.rewound(Rewound(toSeq: seq))]
    if !session.loop.canRewind(to: seq) {
      let then = AgentLoop(folding: session.records.prefix(seq)).settledHistory
      events.append(.historyReplaced(HistoryReplaced(messages: Array(then))))
    }
    return events
  }

  private func history(_ session: SimulatedSession, at seq: Int) -> [Message] {
    Array(AgentLoop(folding: session.records.prefix(seq)).settledHistory)
  }

  @Test func `to any record of any history gives the conversation that was there`() {
    var (cuts, replacements) = (0, 0)
    for index in 0..<UInt64(60) {
      let seed = Self.seed &+ index
      var session = SimulatedSession(seed: seed, trouble: 0.08, checksPrefixes: false)
      _ = session.prompt("One")
      _ = session.prompt("Two")
      for seq in 1...session.records.count {
        var rewound = session
        let events = events(to: seq, of: session)
        if events.count == 1 { cuts += 1 } else { replacements += 1 }
        rewound.append(events)
        #expect(Array(rewound.loop.history) == history(session, at: seq), "seed \(seed), to \(seq)")
        #expect(rewound.loop.phase == .idle && rewound.loop.pendingEffects.isEmpty)
      }
    }
    #expect(cuts > 0 && replacements > 0)
  }

  @Test func `leaves a session that answers, whose requests are valid and begin a new epoch (I1, I2, I8)`() {
    for index in 0..<UInt64(LoopInvariantTests.histories / 10) {
      let seed = Self.seed &+ index
      var random = SeededGenerator(seed: seed)
      var session = SimulatedSession(seed: seed, trouble: 0.08, checksPrefixes: index % 10 == 0)
      for step in 0..<5 {
        _ = session.prompt("Prompt \(step)")
        // Also to what an earlier rewind took back.
        let target = Int.random(in: 1...session.records.count, using: &random)
        let wanted = history(session, at: target)
        let epoch = session.loop.context?.epoch ?? 0
        session.append(events(to: target, of: session))
        #expect(Array(session.loop.history) == wanted, "seed \(seed): step \(step) to \(target)")
        session.checkRecovery()
        #expect((session.loop.context?.epoch ?? 0) > epoch, "seed \(seed): the epoch goes on")
      }
      #expect(session.problems.isEmpty, "seed \(seed): \(session.problems.prefix(3))")
      #expect(AgentLoop(folding: session.records) == session.loop, "seed \(seed): folding gives another loop")
      if !session.problems.isEmpty { break }
    }
  }

  @Test func `behind a compaction brings back what was summarized`() {
    var session = SimulatedSession(seed: 1, trouble: 0, checksPrefixes: true)
    session.say("One")
    let seq = session.records.count
    session.say("Two")
    session.append([
      .compacted(
        Compacted(
          policy: "test", fromSeq: 1, toSeq: seq, summary: [.text("Something was said.")], reason: "test", epoch: 2))
    ])
    let compacted = session.records.count
    session.say("Three")
    #expect(session.loop.canRewind(to: compacted) && !session.loop.canRewind(to: seq))
    let wanted = history(session, at: seq)
    session.append(events(to: seq, of: session))
    #expect(Array(session.loop.history) == wanted)
    #expect(!session.loop.history.contains { $0.text == "Something was said." })
    // And what was taken back can come back, summary and all.
    let before = history(session, at: compacted)
    session.append(events(to: compacted, of: session))
    #expect(Array(session.loop.history) == before)
    #expect(session.problems.isEmpty)
  }

  @Test func `to behind a compaction keeps the summary apart from what the user said`() {
    var session = SimulatedSession(seed: 1, trouble: 0, checksPrefixes: true)
    session.say("One")
    let seq = session.records.count
    session.append([
      .compacted(
        Compacted(
          policy: "test", fromSeq: 1, toSeq: seq, summary: [.text("Something was said.")], reason: "test", epoch: 2))
    ])
    session.say("Two")
    let target = session.records.count
    let head = session.loop.head
    #expect(head.contains { $0.isSummary })
    session.say("Three")
    session.append(events(to: target, of: session))
    #expect(session.loop.head == head)
    #expect(AgentLoop(folding: session.records) == session.loop)
  }

  @Test func `says which records still count, whatever was taken back and brought back`() {
    func live(_ rewinds: [(Int, Int)], last: Int) -> [Int] {
      var records = LiveRecords()
      for (seq, target) in rewinds {
        records.take(
          EventRecord(seq: seq, time: Timestamp(milliseconds: 0), session: "s", event: .rewound(Rewound(toSeq: target)))
        )
      }
      return (1...last).filter(records.contains)
    }
    #expect(live([], last: 3) == [1, 2, 3])
    #expect(live([(5, 2)], last: 6) == [1, 2, 5, 6])
    #expect(live([(5, 2), (8, 6)], last: 9) == [1, 2, 5, 6, 8, 9])
    #expect(live([(5, 2), (8, 1)], last: 9) == [1, 8, 9])
    #expect(live([(5, 2), (6, 4)], last: 7) == [1, 2, 3, 4, 6, 7])
    #expect(live([(5, 4)], last: 5) == [1, 2, 3, 4, 5])
  }
}

extension SimulatedSession {
  /// A prompt with an answer, without tools.
  fileprivate mutating func say(_ text: String) {
    append([
      .runStarted(RunStarted(budget: Budget())), .prompt(Prompt(messageId: "p", message: .user(text))),
      .iterationStarted(1), .modelCall(ModelCallStarted(model: "test/model", messageId: "m")),
      .modelCallEnded(ModelCallEnded()),
      .assistantMessage(
        AssistantMessage(messageId: "m", message: .assistant(text: "Answer to \(text)"), stopReason: .endTurn)),
      .finished(Finished(iterations: 1, reason: .answered)),
    ])
  }
}
