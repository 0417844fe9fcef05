import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

/// The invariants of the loop while its view is made shorter, over random histories with interruptions at any step.
@Suite struct CompactedHistoryTests {
  static let policies: [ContextPolicy] = [
    .automatic, .earlierConversation, .slidingWindow, .clearingToolResults, .offloadingToolResults,
    ContextPolicy(name: "clear_all", method: .clearResults(keepingRounds: 1), threshold: 0.5),
    ContextPolicy(
      name: "often", method: .summarize(.structured), threshold: 0.2, keptShare: 0.1,
      messageLimit: .init(over: 2, keep: 1)),
  ]

  @Test(arguments: policies.map(\.name))
  func `I1 to I8 hold while conversations are compacted`(name: String) throws {
    let policy = try #require(Self.policies.first { $0.name == name })
    var compactions = 0
    for index in 0..<UInt64(40) {
      let seed = LoopInvariantTests.seed &+ index
      let limits = ContextLimits(window: 2_400, policy: policy, canOffload: index % 2 == 0)
      var session = SimulatedSession(seed: seed, trouble: 0.06, checksPrefixes: index % 10 == 0, limits: limits)
      for prompt in 0..<6 { _ = session.prompt("Prompt \(prompt)", budget: Budget(iterations: 8)) }
      session.checkRecovery()
      compactions += session.compactions
      #expect(session.problems.isEmpty, "seed \(seed): \(session.problems.prefix(3))")
      for (call, count) in session.runs where session.effects[call] == .once {
        #expect(count == 1, "seed \(seed): \(call) has an effect of its own and ran \(count) times")
      }
      if !session.problems.isEmpty { return }
    }
    #expect(compactions > 0)
  }

  @Test func `a compaction at any record of any history gives a valid view and splits no call from its result`() {
    for index in 0..<UInt64(16) {
      let seed = LoopInvariantTests.seed &+ index
      var session = SimulatedSession(
        seed: seed, trouble: 0.06, checksPrefixes: false, limits: ContextLimits(window: nil))
      for prompt in 0..<3 { _ = session.prompt("Prompt \(prompt)") }
      var loop = AgentLoop()
      for record in session.records {
        loop.apply(record)
        guard (record.seq ?? 0) % 3 == 0 else { continue }
        for policy in Self.policies {
          for reason in [ContextPlan.Reason.overflow, .full, .requested] {
            let limits = ContextLimits(window: 1_000, policy: policy, canOffload: true)
            for level in 0...ContextPlanner.lastLevel {
              guard let plan = ContextPlanner(loop, limits: limits, reason: reason).plan(from: level) else { continue }
              check(plan, loop, "seed \(seed), record \(record.seq ?? 0), \(policy.name), \(reason), level \(level)")
            }
          }
        }
      }
    }
  }

  private func check(_ plan: ContextPlan, _ loop: AgentLoop, _ place: String) {
    var after = loop
    after.apply(
      .compacted(
        plan.outcome(summary: plan.replacesMessages ? [.text("Notes.")] : [], epoch: 9, tokensAfter: nil)))
    #expect(after.historyBytes < loop.historyBytes, "\(place): it did not get shorter")
    let open = loop.run?.calls.isEmpty == false
    // Open calls stay, and stay the last thing in the view.
    let before = open ? loop.history.last?.toolCalls.map(\.id) : nil
    #expect(open ? after.history.last?.toolCalls.map(\.id) == before : true, "\(place): open calls are gone")
    var messages = Array(after.history)
    if open, let calls = messages.last?.toolCalls {
      messages.append(.tool(calls.map { .failure($0, code: .interrupted, "…") }))
    }
    let violations = MessageRules.violations(in: messages, continuesReply: true)
    #expect(violations.isEmpty, "\(place): \(violations.prefix(2))")
    // What the open run works on is still there, word for word.
    if let seq = loop.run?.promptSeq, plan.level < ContextPlanner.lastLevel,
      let prompt = loop.view.entries.first(where: { $0.seq == seq && !$0.isSummary }
      )
    {
      #expect(
        after.view.entries.contains { $0.message.content == prompt.message.content }, "\(place): the request is gone")
    }
    // Taking it apart and putting it together again changes nothing.
    #expect(after.view.merged.messages == Array(after.history), "\(place)")
  }

  @Test func `signed thinking goes with its prefix, unsigned stays`() {
    var loop = AgentLoop()
    let signed = ContentBlock(
      .thinking(Thinking(text: "Hm.")), extra: BlockExtra(provider: "anthropic", model: "m", value: ["signature": "s"]))
    let plain = ContentBlock(
      .thinking(Thinking(text: "So.")), extra: BlockExtra(provider: "deepseek", value: ["field": "reasoning_content"]))
    let ask = ToolCall(id: "call_1", name: "look", arguments: [:])
    loop.apply(.runStarted(RunStarted(budget: Budget())))
    loop.apply(
      .historyReplaced(
        HistoryReplaced(messages: [.user(String(repeating: "old ", count: 400)), .assistant(text: "Yes.")])))
    loop.apply(.prompt(Prompt(messageId: "m", message: .user("Now."))))
    loop.apply(.iterationStarted(1))
    loop.apply(
      .assistantMessage(
        AssistantMessage(
          messageId: "r", message: Message(role: .assistant, content: [signed, plain, .toolCall(ask)]),
          stopReason: .toolUse)))
    loop.apply(
      .toolFinished(ToolFinished(ToolResult(callId: "call_1", name: "look", content: [.text("seen")]))))
    let plan = ContextPlanner(loop, limits: ContextLimits(window: 1_000), reason: .overflow).plan(from: 0)
    let compacted = plan?.outcome(summary: [.text("Notes.")], epoch: 2, tokensAfter: nil)
    #expect(compacted != nil)
    if let compacted { loop.apply(.compacted(compacted)) }
    #expect(loop.history.count == 3)
    #expect(loop.history[0] == .user([.text("Notes."), .text("Now.")]))
    #expect(loop.history[1].content == [plain, .toolCall(ask)])
  }
}
