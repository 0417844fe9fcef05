import MartletJSON
import MartletSync
import MartletTesting
import Testing

@testable import Martlet

/// Approvals outlive the process that asked, hold for what was shown, and are given once.
@Suite struct `An approval` {
  /// Calls that ran, with their arguments.
  final class Effects: Sendable {
    private let kept = Locked<[(id: String, arguments: JSONObject)]>([])
    func add(_ id: String, _ arguments: JSONObject) { kept.withLock { $0.append((id, arguments)) } }
    var ids: [String] { kept.withLock { $0.map(\.id) } }
    func arguments(of id: String) -> [JSONObject] { kept.withLock { $0.filter { $0.id == id }.map(\.arguments) } }
  }

  struct Answering: Approver {
    let answer: @Sendable (ApprovalRequested) async throws -> ApprovalDecision
    func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision { try await answer(request) }
  }

  final class Rules: PermissionStore {
    let scopes: Set<ApprovalScope>
    private let kept = Locked<[String]>([])
    private let failure: (any Error)?
    init(scopes: Set<ApprovalScope> = [.project, .user], failure: (any Error)? = nil) {
      self.scopes = scopes
      self.failure = failure
    }
    var all: [String] { kept.withLock { $0 } }
    func keep(_ rule: PermissionRule, _ verdict: ApprovalVerdict, for scope: ApprovalScope) async throws {
      if let failure { throw failure }
      kept.withLock { $0.append("\(scope.rawValue): \(verdict.rawValue) \(rule.text)") }
    }
  }

  /// A tool that needs permission and takes a text and a number.
  static func tool(_ name: String, _ effects: Effects, requiresPermission: Bool = true) -> EchoTool {
    EchoTool(name: name, effect: requiresPermission ? .once : .readOnly, requiresPermission: requiresPermission) {
      effects.add($1.callId, $0)
      return .text("sent")
    }
  }

  /// A command line that needs permission.
  struct Shell: Tool {
    let effects: Effects
    let name = "shell"
    let description = "Runs a command line. Use it in tests."
    let requiresPermission = true
    let parameters: JSONValue = [
      "type": "object", "properties": ["command": ["type": "string"]], "required": ["command"],
    ]
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
      effects.add(context.callId, arguments.objectValue ?? [:])
      return .text("ran")
    }
  }

  let effects = Effects()
  let store = InMemorySessionStore()

  func agent(
    _ model: ScriptedModel, _ approval: ApprovalPolicy = ApprovalPolicy(), approver: (any Approver)? = nil,
    permissions: (any PermissionStore)? = nil, tools: [any Tool]? = nil, store: InMemorySessionStore? = nil
  ) throws -> Agent {
    var configuration = AgentConfiguration(approver: approver)
    configuration.approval = approval
    configuration.permissionStore = permissions
    let tools =
      tools ?? [
        Self.tool("send", effects), Self.tool("look", effects, requiresPermission: false), Shell(effects: effects),
      ]
    return Agent(
      model: model, tools: try ToolRegistry(tools), configuration: configuration, session: "s",
      store: store ?? self.store)
  }

  func log(_ store: InMemorySessionStore? = nil) async throws -> [EventRecord] {
    try await (store ?? self.store).records(of: "s", owner: "local", after: 0, limit: 10_000)
  }

  func open() async throws -> [ApprovalRequested] { AgentLoop(folding: try await log()).openApprovals }

  func expectWaiting(_ body: () async throws -> String) async throws {
    do {
      let answer = try await body()
      Issue.record("it did not wait: \(answer)")
    } catch let error as AgentError where error.code == .waiting {}
  }

  private static let sends = ScriptedModel.Turn.calls([
    call("c1", "look"), call("c2", "send", ["text": "one"]), call("c3", "send", ["text": "two"]),
  ])

  // MARK: Outliving the process

  @Test func `given to a parked call runs that call with what was shown, and nothing else again`() async throws {
    let model = ScriptedModel([Self.sends, .text("Done.")])
    let first = try agent(model)
    try await expectWaiting { try await first.send("Go") }
    #expect(effects.ids == ["c1"])
    await first.close()

    let second = try agent(model)
    let question = try #require(try await open().first)
    #expect(question.call == call("c2", "send", ["text": "one"]))
    try await second.resolve(approval: question.approvalId, ApprovalDecision(.allow, by: "me"))
    // The next one is asked about by itself.
    try await expectWaiting { try await second.resume() }
    #expect(effects.ids == ["c1", "c2"])
    try await second.resolve(approval: try #require(try await open().first).approvalId, .deny)
    await second.close()
    let third = try agent(model)
    #expect(try await third.resume() == "Done.")
    #expect(effects.ids == ["c1", "c2"])
    #expect(effects.arguments(of: "c2") == [["text": "one"]])
    #expect(model.requests.count == 2)
  }

  @Test func `can be given by another process while the one that asked is still there`() async throws {
    let model = ScriptedModel([.calls([call("c2", "send")]), .text("Done."), .text("More.")])
    let asking = try agent(model)
    try await expectWaiting { try await asking.send("Go") }
    // It is parked and has let go of the session.
    let watching = asking.events(after: 0)
    let answering = try agent(model)
    try await answering.resolve(approval: try #require(try await open().first).approvalId, .allow)
    await answering.close()
    #expect(try await asking.resume() == "Done.")
    #expect(effects.ids == ["c2"])
    // An observer of the first misses nothing of what the second did.
    var types: [String] = []
    for try await record in watching {
      types.append(record.event.type)
      if case .finished = record.event { break }
    }
    #expect(types.filter { $0 == "approval_resolved" }.count == 1)
    #expect(try await asking.send("And?") == "More.")
  }

  @Test func `is given once: the second answer is told what the first one was`() async throws {
    let model = ScriptedModel([.calls([call("c2", "send")]), .text("Done.")])
    let first = try agent(model)
    try await expectWaiting { try await first.send("Go") }
    let id = try #require(try await open().first).approvalId
    let second = try agent(model)
    try await second.resolve(approval: id, ApprovalDecision(.deny, by: "ann"))
    do {
      try await second.resolve(approval: id, ApprovalDecision(.allow, scope: .session, by: "bob"))
      Issue.record("it was answered twice")
    } catch let error as AgentError {
      #expect(error.code == .alreadyAnswered)
      #expect(error.message.contains("denied by ann"), "\(error.message)")
    }
    #expect(try await second.resume() == "Done.")
    // Also when its run is over, and in another process.
    await second.close()
    do {
      try await first.resolve(approval: id, .allow)
      Issue.record("it was answered twice")
    } catch let error as AgentError {
      #expect(error.code == .alreadyAnswered)
    }
    do {
      try await first.resolve(approval: "nothing", .allow)
      Issue.record("it was answered")
    } catch let error as AgentError {
      #expect(error.code == .notFound && error.message.contains("was asked"), "\(error.message)")
    }
    #expect(effects.ids.isEmpty)
    #expect(try await log().count { if case .approvalResolved = $0.event { true } else { false } } == 1)
  }

  @Test(arguments: 0..<20)
  func `given by two at once counts once`(_ round: Int) async throws {
    let model = ScriptedModel([.calls([call("c2", "send")]), .text("Done.")])
    let asking = try agent(model)
    try await expectWaiting { try await asking.send("Go") }
    let id = try #require(try await open().first).approvalId
    let rules = Rules()
    // Two of one process, two of others.
    let others = try (0..<2).map { _ in try agent(model, permissions: rules) }
    let outcomes = await withTaskGroup(of: AgentError.Code?.self) { group in
      for (index, agent) in [asking, asking, others[0], others[1]].enumerated() {
        group.addTask {
          do {
            try await agent.resolve(approval: id, ApprovalDecision(index % 2 == 0 ? .allow : .deny, scope: .user))
            return nil
          } catch let error as AgentError {
            return error.code
          } catch {
            return .model
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0 == nil } == 1, "\(outcomes)")
    // Faster, or has the session right now, which it is told.
    #expect(outcomes.allSatisfy { [nil, .alreadyAnswered, .storage].contains($0) }, "\(outcomes)")
    #expect(try await log().count { if case .approvalResolved = $0.event { true } else { false } } == 1)
    #expect(rules.all.count <= 1)
    for agent in others + [asking] { await agent.close() }
    #expect(try await agent(model).resume() == "Done.")
    #expect(effects.ids.count <= 1)
  }

  /// The log of a run with two approvals, one of them edited, cut at every record.
  @Test func `has one effect, whatever step the process dies at`() async throws {
    let answer: @Sendable (ApprovalRequested) -> ApprovalDecision = { request in
      request.call.id == "c2" ? ApprovalDecision(.allow, arguments: ["text": "edited"]) : .allow
    }
    func model() -> ScriptedModel {
      ScriptedModel { _, request in request.messages.last?.role == .tool ? .text("Done.") : Self.sends }
    }
    let whole = try agent(model(), approver: Answering(answer: { answer($0) }))
    #expect(try await whole.send("Go") == "Done.")
    await whole.close()
    let records = try await log()
    #expect(records.count { if case .approvalResolved = $0.event { true } else { false } } == 2)

    for count in 1..<records.count {
      let prefix = Array(records.prefix(count))
      guard AgentLoop(folding: prefix).history.last != nil else { continue }
      let store = InMemorySessionStore()
      let lease = try await store.acquire(session: "s", owner: "local", holder: "gone")
      try await store.append(prefix, lease: lease)
      await store.release(lease)
      let effects = Effects()
      let tools: [any Tool] = [Self.tool("send", effects), Self.tool("look", effects, requiresPermission: false)]
      // Answered by a person who comes back after each crash, in a process of its own each time.
      var end: String?
      for _ in 0..<4 where end == nil {
        let agent = try agent(model(), tools: tools, store: store)
        for request in AgentLoop(folding: try await log(store)).openApprovals {
          try await agent.resolve(approval: request.approvalId, answer(request))
        }
        do { end = try await agent.resume() } catch let error as AgentError where error.code == .waiting {}
        await agent.close()
      }
      #expect(end == "Done.", "cut after \(count)")
      let finished = try await log(store)
      for id in ["c2", "c3"] {
        let before = prefix.count {
          if case .toolStarted(let started) = $0.event { started.call.id == id } else { false }
        }
        #expect(before + effects.ids.count { $0 == id } == 1, "\(id), cut after \(count)")
        let asked = finished.count {
          if case .approvalRequested(let request) = $0.event { request.call.id == id } else { false }
        }
        #expect(asked == 1, "\(id) was asked about \(asked) times, cut after \(count)")
        for arguments in effects.arguments(of: id) { #expect(arguments == ["text": id == "c2" ? "edited" : "two"]) }
      }
    }
  }

  // MARK: Exactly this

  @Test func `does not hold for other arguments, also when the call comes again with the same id`() async throws {
    let model = ScriptedModel([
      .calls([call("c2", "send", ["text": "one"])]), .text("Done."), .calls([call("c2", "send", ["text": "two"])]),
      .text("Done."),
    ])
    let agent = try agent(model)
    try await expectWaiting { try await agent.send("Go") }
    try await agent.resolve(approval: try #require(try await open().first).approvalId, .allow)
    #expect(try await agent.resume() == "Done.")
    try await expectWaiting { try await agent.send("Again") }
    #expect(try await open().map(\.call.arguments) == [.object(["text": "two"])])
    #expect(effects.ids == ["c2"])
  }

  @Test func `does not hold when what would run has changed meanwhile`() async throws {
    /// Turns numbers into texts, and texts into numbers, as its schema says.
    struct Changing: Tool {
      let type: String
      let effects: Effects
      let name = "send"
      let description = "Changes its mind. Use it in tests."
      let effect = ToolEffect.once
      let requiresPermission = true
      var parameters: JSONValue { ["type": "object", "properties": ["text": ["type": .string(type)]]] }
      func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
        effects.add(context.callId, arguments.objectValue ?? [:])
        return .text("sent")
      }
    }
    let model = ScriptedModel([.calls([call("c2", "send", ["text": "7"])]), .text("Done.")])
    let first = try agent(model, tools: [Changing(type: "string", effects: effects)])
    try await expectWaiting { try await first.send("Go") }
    try await first.resolve(approval: try #require(try await open().first).approvalId, .allow)
    await first.close()
    let second = try agent(model, tools: [Changing(type: "integer", effects: effects)])
    try await expectWaiting { try await second.resume() }
    #expect(effects.ids.isEmpty)
    let again = try #require(try await open().first)
    #expect(again.call.arguments == .object(["text": 7]))
    try await second.resolve(approval: again.approvalId, .allow)
    #expect(try await second.resume() == "Done.")
    #expect(effects.arguments(of: "c2") == [["text": 7]])
  }

  @Test func `may edit the arguments, which are checked as the model's are`() async throws {
    let model = ScriptedModel([.calls([call("c2", "send", ["text": "one"])]), .text("Done.")])
    let agent = try agent(model)
    try await expectWaiting { try await agent.send("Go") }
    let id = try #require(try await open().first).approvalId
    do {
      try await agent.resolve(approval: id, ApprovalDecision(.allow, arguments: ["words": 3]))
      Issue.record("arguments that do not fit were taken")
    } catch let error as AgentError {
      #expect(error.code == .invalidArguments && error.message.contains("do not fit"), "\(error.message)")
    }
    #expect(try await open().count == 1)
    try await agent.resolve(approval: id, ApprovalDecision(.allow, arguments: ["text": 5]))
    #expect(try await agent.resume() == "Done.")
    #expect(effects.arguments(of: "c2") == [["text": "5"]])
    let resolved = try await log().compactMap { record -> ApprovalResolved? in
      if case .approvalResolved(let resolved) = record.event { resolved } else { nil }
    }
    #expect(resolved.map(\.arguments) == [["text": "5"]])
  }

  @Test func `whose edited arguments do not fit, given by an approver, denies`() async throws {
    let model = ScriptedModel([.calls([call("c2", "send")]), .text("Done.")])
    let agent = try agent(
      model, approver: Answering(answer: { _ in ApprovalDecision(.allow, arguments: ["words": 3]) }))
    #expect(try await agent.send("Go") == "Done.")
    #expect(effects.ids.isEmpty)
    #expect(await agent.messages[2].toolResults.first?.text.contains("do not fit") == true)
  }

  @Test(arguments: [JSONValue.array([]), "text", 1, true])
  func `whose edited arguments are no object denies`(_ arguments: JSONValue) {
    let question = ApprovalRequested(approvalId: "a", call: call("c2", "send"))
    var loop = AgentLoop()
    for event: AgentEvent in [
      .sessionCreated(SessionCreated()), .runStarted(RunStarted(budget: Budget())), .iterationStarted(1),
      .assistantMessage(
        AssistantMessage(messageId: "m", message: .assistant(text: "", toolCalls: [call("c2", "send")]))),
      .approvalRequested(question),
      .approvalResolved(ApprovalResolved(approvalId: "a", decision: .allow, arguments: arguments)),
    ] {
      loop.apply(event)
    }
    guard case .record(let events)? = loop.pendingEffects.first, case .toolFinished(let finished)? = events.first else {
      Issue.record("\(loop.pendingEffects)")
      return
    }
    #expect(finished.result.code == .denied)
  }

  // MARK: Policy

  @Test func `is not asked for where a rule decides, and a denial is a result`() async throws {
    let model = ScriptedModel([
      .calls([
        call("c1", "shell", ["command": "git status"]), call("c2", "shell", ["command": "git push; rm x"]),
        call("c3", "look"),
      ]), .text("Done."),
    ])
    let policy = ApprovalPolicy(
      rules: PermissionRules(
        allow: try PermissionRule.list("shell(git *)"), deny: try PermissionRule.list("shell(rm *),look")))
    let agent = try agent(model, policy)
    #expect(try await agent.send("Go") == "Done.")
    #expect(effects.ids == ["c1"])
    let results = await agent.messages[2].toolResults
    #expect(results.map(\.code) == [nil, .denied, .denied])
    #expect(results[1].text.contains("the rule \"deny shell(rm *)\" forbids it"))
    #expect(try await log().allSatisfy { $0.event.type != "approval_requested" })
  }

  @Test(arguments: [("send", "", "c2"), ("", "send", ""), ("send(one*)", "", ""), ("", "send(hi)", "")])
  func `is given to a parked call by the rules of the process that goes on`(
    _ allow: String, _ deny: String, _ ran: String
  ) async throws {
    let model = ScriptedModel([.calls([call("c2", "send")]), .text("Done.")])
    let first = try agent(model)
    try await expectWaiting { try await first.send("Go") }
    await first.close()
    let rules = PermissionRules(
      allow: allow.isEmpty ? [] : try PermissionRule.list(allow),
      deny: deny.isEmpty ? [] : try PermissionRule.list(deny))
    let second = try agent(model, ApprovalPolicy(rules: rules))
    if ran.isEmpty, deny.isEmpty {
      try await expectWaiting { try await second.resume() }
    } else {
      #expect(try await second.resume() == "Done.")
    }
    #expect(effects.ids == (ran.isEmpty ? [] : [ran]))
  }

  @Test func `given before a deny rule came does not overrule it`() async throws {
    let model = ScriptedModel([.calls([call("c2", "send")]), .text("Done.")])
    let first = try agent(model)
    try await expectWaiting { try await first.send("Go") }
    try await first.resolve(approval: try #require(try await open().first).approvalId, .allow)
    await first.close()
    let second = try agent(model, ApprovalPolicy(mode: .all, rules: PermissionRules(deny: [try PermissionRule("s*")])))
    #expect(try await second.resume() == "Done.")
    #expect(effects.ids.isEmpty)
  }
}
