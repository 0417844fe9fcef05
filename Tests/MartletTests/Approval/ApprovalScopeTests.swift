import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import Martlet

/// How long an answer holds, and what else ends a question.
extension `An approval` {
  // MARK: Scopes

  @Test func `for the session is in its log and holds in every process, a command line for itself`() async throws {
    func shell(_ id: String, _ line: String) -> ToolCall { call(id, "shell", ["command": .string(line)]) }
    let model = ScriptedModel([
      .calls([shell("c1", "ls -l"), shell("c2", "ls -l"), shell("c3", "ls -l; rm x")]), .text("Done."),
      .calls([shell("c4", "ls -l")]), .text("Again."),
    ])
    let first = try agent(model)
    try await expectWaiting { try await first.send("Go") }
    try await first.resolve(
      approval: try #require(try await open().first).approvalId, ApprovalDecision(.allow, scope: .session))
    try await expectWaiting { try await first.resume() }
    #expect(effects.ids == ["c1", "c2"])
    try await first.resolve(
      approval: try #require(try await open().first).approvalId, ApprovalDecision(.deny, scope: .session))
    #expect(try await first.resume() == "Done.")
    await first.close()
    let second = try agent(model)
    #expect(try await second.send("Again") == "Again.")
    #expect(effects.ids == ["c1", "c2", "c4"])
    #expect(await second.loop.sessionRules.deny.map(\.text) == ["shell(ls -l; rm x)"])
  }

  @Test(arguments: [ApprovalScope.project, .user])
  func `for longer is kept before it is recorded, and holds at once`(_ scope: ApprovalScope) async throws {
    let rules = Rules()
    let model = ScriptedModel([
      .calls([call("c1", "send"), call("c2", "send", ["text": "more"])]), .text("Done."),
    ])
    let agent = try agent(
      model, approver: Answering(answer: { _ in ApprovalDecision(.allow, scope: scope) }), permissions: rules)
    #expect(try await agent.send("Go") == "Done.")
    #expect(effects.ids == ["c1", "c2"])
    #expect(rules.all == ["\(scope.rawValue): allow send"])
    let options = try await log().compactMap { record -> [String]? in
      if case .approvalRequested(let request) = record.event { request.options.map(\.key) } else { nil }
    }
    #expect(options == [["y", "n", "a", "p", "u"]])
  }

  @Test func `for longer that cannot be kept holds for the session, and a warning says so`() async throws {
    struct Full: Error, CustomStringConvertible { let description = "the disk is full" }
    for permissions in [Rules(failure: Full()), Rules(scopes: []), nil] {
      let store = InMemorySessionStore()
      let model = ScriptedModel([.calls([call("c1", "send"), call("c2", "send")]), .text("Done.")])
      let agent = try agent(
        model, approver: Answering(answer: { _ in ApprovalDecision(.allow, scope: .user) }), permissions: permissions,
        store: store)
      #expect(try await agent.send("Go") == "Done.")
      let records = try await log(store)
      let scopes = records.compactMap { record -> String? in
        if case .approvalResolved(let resolved) = record.event { resolved.scope } else { nil }
      }
      #expect(scopes == ["session"])
      let warnings = records.compactMap { record -> Warning? in
        if case .warning(let warning) = record.event { warning } else { nil }
      }
      #expect(warnings.map(\.code) == ["rule_not_kept"])
      if permissions?.scopes.isEmpty == false { #expect(warnings[0].message.contains("the disk is full")) }
      await agent.close()
    }
  }

  @Test func `for the session with edited arguments holds for what was run`() async throws {
    let model = ScriptedModel([.calls([call("c1", "shell", ["command": "rm -r a"])]), .text("Done.")])
    let agent = try agent(model)
    try await expectWaiting { try await agent.send("Go") }
    try await agent.resolve(
      approval: try #require(try await open().first).approvalId,
      ApprovalDecision(.allow, scope: .session, arguments: ["command": "ls a"]))
    #expect(try await agent.resume() == "Done.")
    #expect(await agent.loop.sessionRules.allow.map(\.text) == ["shell(ls a)"])
  }

  @Test func `with a scope or a rule that is not known holds for this call`() async throws {
    for (scope, rule) in [("galaxy", "send"), ("session", "send(")] {
      var loop = AgentLoop()
      for event: AgentEvent in [
        .sessionCreated(SessionCreated()), .runStarted(RunStarted(budget: Budget())), .iterationStarted(1),
        .assistantMessage(
          AssistantMessage(messageId: "m", message: .assistant(text: "", toolCalls: [call("c2", "send")]))),
        .approvalRequested(
          ApprovalRequested(
            approvalId: "a", call: call("c2", "send"), options: [ApprovalOption(key: "a", label: "", rule: rule)])),
        .approvalResolved(ApprovalResolved(approvalId: "a", decision: .allow, scope: scope)),
      ] {
        loop.apply(event)
      }
      #expect(loop.sessionRules.isEmpty)
      #expect(loop.pendingEffects == [.runTool(call("c2", "send"), approved: true)])
    }
  }

  @Test func `denied for the session, where there is no rule for calls like it, is about this call alone`() async throws
  {
    func shell(_ id: String, _ line: String) -> ToolCall {
      call(id, "shell", ["command": .string(line), "cwd": "/tmp"])
    }
    let model = ScriptedModel([.calls([shell("c1", "ls"), shell("c2", "pwd")]), .text("Done.")])
    let agent = try agent(
      model,
      approver: Answering(answer: {
        ApprovalDecision($0.call.id == "c1" ? .deny : .allow, scope: $0.call.id == "c1" ? .session : .once)
      }))
    #expect(try await agent.send("Go") == "Done.")
    #expect(effects.ids == ["c2"])
    #expect(await agent.loop.sessionRules.isEmpty)
  }

  // MARK: Time and inputs

  @Test(.timeLimit(.minutes(1)))
  func `answered by somebody else, or by a rule just made, is not asked about any longer`() async throws {
    let asked = Promise<Void>()
    let begun = Locked(0)
    let ended = Locked<[String]>([])
    // Calls of a tool that only reads are asked about side by side.
    let tool = EchoTool(name: "send", requiresPermission: true) { [effects] in
      effects.add($1.callId, $0)
      return .text("sent")
    }
    let model = ScriptedModel([.calls([call("c1", "send"), call("c2", "send")]), .text("Done.")])
    let agent = try agent(
      model,
      approver: Answering(answer: { request in
        let count = begun.withLock { count in
          count += 1
          return count
        }
        if count == 2 { asked.keep() }
        do {
          try await Gate().waitUnlessCancelled()
        } catch {
          ended.withLock { $0.append(request.call.id) }
          throw error
        }
        return .allow
      }), tools: [tool])
    async let answer = agent.send("Go")
    await asked.value
    let first = try #require(await agent.loop.openApprovals.first { $0.call.id == "c1" })
    try await agent.resolve(approval: first.approvalId, ApprovalDecision(.allow, scope: .session))
    #expect(try await answer == "Done.")
    #expect(effects.ids.sorted() == ["c1", "c2"])
    #expect(ended.withLock { $0.sorted() } == ["c1", "c2"])
  }

  @Test func `and an input that nobody asked for leave a parked session to other processes`() async throws {
    let model = ScriptedModel([.calls([call("c1", "send")]), .text("Done.")])
    let first = try agent(model)
    try await expectWaiting { try await first.send("Go") }
    await #expect(throws: AgentError.self) { try await first.resolve(input: "none", "me") }
    let second = try agent(model)
    try await second.resolve(approval: try #require(try await open().first).approvalId, .allow)
    #expect(try await second.resume() == "Done.")
  }

  @Test func `and an input are waited for without using up the run's time`() {
    func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }
    var loop = AgentLoop()
    var seq = 0
    func apply(_ seconds: Int64, _ event: AgentEvent) {
      seq += 1
      loop.apply(EventRecord(seq: seq, time: at(seconds), session: "s", run: "r", event: event))
    }
    apply(0, .sessionCreated(SessionCreated()))
    apply(0, .runStarted(RunStarted(budget: Budget(time: .seconds(100)))))
    apply(0, .iterationStarted(1))
    apply(
      10,
      .assistantMessage(
        AssistantMessage(messageId: "m", message: .assistant(text: "", toolCalls: [call("c2", "send")]))))
    apply(10, .approvalRequested(ApprovalRequested(approvalId: "a", call: call("c2", "send"))))
    apply(20, .inputRequested(InputRequested(inputId: "i", kind: "question", payload: "Who?")))
    apply(20, .waiting(Waiting(approvals: ["a"], inputs: ["i"])))
    #expect(loop.timeLeft(at: at(5_000)) == .seconds(90))
    apply(5_000, .runResumed(RunResumed()))
    apply(6_000, .approvalResolved(ApprovalResolved(approvalId: "a", decision: .allow)))
    #expect(loop.timeLeft(at: at(7_000)) == .seconds(90))
    apply(8_000, .inputResolved(InputResolved(inputId: "i", value: "me")))
    #expect(loop.openInputs.isEmpty)
    #expect(loop.timeLeft(at: at(8_030)) == .seconds(60))
    // Given again, it changes nothing.
    let before = loop
    apply(8_040, .inputResolved(InputResolved(inputId: "i", value: "you")))
    #expect(loop.pendingEffects == before.pendingEffects)
  }
}
