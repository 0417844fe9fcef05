import Foundation
import Martlet
import MartletTesting
import Testing

/// The invariants over random histories: 2,000 by default, more with `MARTLET_HISTORIES`, from `MARTLET_SEED`.
@Suite struct LoopInvariantTests {
  static let histories = Int(ProcessInfo.processInfo.environment["MARTLET_HISTORIES"] ?? "") ?? 2_000
  static let seed =
    UInt64(ProcessInfo.processInfo.environment["MARTLET_SEED"] ?? "") ?? UInt64.random(in: 0..<UInt64.max / 2)

  @Test func `I1 I2 I3 I4 I6 I8 hold over random histories with interruptions at any step`() {
    var ends: [String: Int] = [:]
    for index in 0..<Self.histories {
      let seed = Self.seed &+ UInt64(index)
      var session = SimulatedSession(seed: seed, trouble: 0.08, checksPrefixes: index % 20 == 0)
      for prompt in 0..<3 {
        let end = session.prompt("Prompt \(prompt)")
        ends[end?.type ?? "none", default: 0] += 1
        // I6: a run that is over says why.
        if end == nil, session.loop.phase == .idle { session.problems.append("I6: a run ended without a reason") }
      }
      // I8: after anything, a run without trouble gets its answer.
      session.checkRecovery()
      #expect(session.problems.isEmpty, "seed \(seed): \(session.problems.prefix(3))")
      for (call, count) in session.runs where session.effects[call] == .once {
        #expect(count == 1, "seed \(seed): I3: \(call) has an effect of its own and ran \(count) times")
      }
      if !session.problems.isEmpty { break }
    }
    // The histories reach every sort of end: the checks above did not hold for want of trouble.
    #expect(ends["finished", default: 0] > 0)
    #expect(ends["failed", default: 0] > 0)
  }

  @Test func `folding any prefix of a log gives the state and the effects the live loop had there`() {
    for index in 0..<UInt64(min(Self.histories, 200)) {
      var session = SimulatedSession(seed: Self.seed &+ index, trouble: 0.1, checksPrefixes: false)
      _ = session.prompt("One")
      _ = session.prompt("Two")
      var live = AgentLoop()
      for (count, record) in session.records.enumerated() {
        live.apply(record)
        let folded = AgentLoop(folding: session.records.prefix(count + 1))
        #expect(folded == live, "seed \(Self.seed &+ index), \(count + 1) records")
        #expect(folded.pendingEffects == live.pendingEffects)
      }
    }
  }

  @Test func `applying records twice changes nothing`() {
    for index in 0..<UInt64(100) {
      var session = SimulatedSession(seed: Self.seed &+ index, trouble: 0.1, checksPrefixes: false)
      _ = session.prompt("One")
      var twice = AgentLoop(folding: session.records)
      for record in session.records { twice.apply(record) }
      #expect(twice == session.loop)
    }
  }
}

extension SimulatedSession {
  /// Says something once more with a model that just answers, and checks that it works.
  mutating func checkRecovery() {
    if loop.phase != .idle {
      append([.runResumed(RunResumed(reason: "superseded")), .cancelRequested(CancelRequested(by: "superseded"))])
      while case .record(let events) = loop.pendingEffects.first { append(events) }
    }
    guard loop.phase == .idle else {
      problems.append("I8: the session is still \(loop.phase)")
      return
    }
    for queued in loop.queue { append([.unqueued(Unqueued(queueId: queued.queueId))]) }
    append([
      .runStarted(RunStarted(budget: Budget())), .prompt(Prompt(messageId: "last", message: .user("Still there?"))),
    ])
    for _ in 0..<20 {
      guard let effect = loop.pendingEffects.first else { break }
      switch effect {
      case .compact(let plan): compact(plan)
      case .record(let events): append(events)
      case .callModel(let call):
        problems += MessageRules.violations(in: loop.request(for: call, session: "s").messages).map { "I8: \($0)" }
        append([
          .modelCall(ModelCallStarted(model: "test/model", messageId: "reply")), .modelCallEnded(ModelCallEnded()),
          .assistantMessage(
            AssistantMessage(messageId: "reply", message: .assistant(text: "Yes."), stopReason: .endTurn)),
        ])
      default: problems.append("I8: \(effect) is pending in a run without tools")
      }
    }
    guard case .finished(let finished) = loop.lastEnd, finished.reason == .answered else {
      problems.append("I8: the session gives no answer any more")
      return
    }
  }
}
