import MartletJSON

extension Agent {
  // MARK: - Answering

  /// Answers an approval; the run it belongs to goes on. Any process can, also after a restart: the question is in the
  /// log. What was approved is the call with exactly these arguments, and nothing else is run again.
  ///
  /// A run that was parked and is not under way in this agent goes on with `resume()`.
  /// - Throws: `AgentError`: `.alreadyAnswered` when somebody was faster, also in another process; `.notFound` when no such
  ///   approval was asked or its run is over; `.invalidArguments` when the edited arguments do not fit the tool, which
  ///   leaves the question open; `.storage` when another process has the session, named in the message.
  public func resolve(approval approvalId: String, _ decision: ApprovalDecision) async throws {
    try await open()
    do {
      guard let request = openApproval(approvalId) else { throw await notOpen(approvalId) }
      try await answer(request, decision)
      signal()
      try await flush()
    } catch {
      await letGoOfParkedRun()
      throw error
    }
    await letGoOfParkedRun()
  }

  /// Whoever goes on with a run that is not under way here may be another process.
  func letGoOfParkedRun() async {
    if activeRun == nil, loop.phase != .idle, answering.isEmpty { await letGo() }
  }

  private func openApproval(_ id: String) -> ApprovalRequested? {
    loop.openApprovals.first { $0.approvalId == id }
  }

  /// Records the answer to an open approval, its arguments checked and its rule kept.
  private func answer(_ request: ApprovalRequested, _ decision: ApprovalDecision) async throws {
    let id = request.approvalId
    // Two answers in this process: the second does not get as far as to keep a rule.
    guard answering.insert(id).inserted else {
      throw AgentError(code: .alreadyAnswered, message: "approval \(id) is being answered by somebody else right now")
    }
    defer { answering.remove(id) }
    var decision = decision
    if let edited = decision.arguments { decision.arguments = try await checked(edited, for: request.call) }
    let warning = await keepRule(of: request, &decision)
    // The session may have been let go of meanwhile.
    try await open()
    guard openApproval(id) != nil else { throw await notOpen(id) }
    append([.approvalResolved(ApprovalResolved(approvalId: id, decision))] + (warning.map { [.warning($0)] } ?? []))
  }

  /// Edited arguments as they would run; nil when they are what they were.
  private func checked(_ edited: JSONObject, for call: ToolCall) async throws -> JSONObject? {
    var call = call
    let before = call
    call.arguments = .object(edited)
    // A process without the tool can answer as well: the arguments are checked again before they run.
    if let tool = await tools.tool(named: call.name) {
      switch tool.prepare(call) {
      case .ready(let arguments): call.arguments = .object(arguments)
      case .refused(let reason): throw AgentError(code: .invalidArguments, message: reason)
      }
    }
    return call.arguments.isSame(as: before.arguments) ? nil : call.argumentsObject
  }

  /// Keeps the rule of an answer that holds beyond its session. Where it cannot be kept, the answer holds for the session,
  /// and the warning says why.
  private func keepRule(of request: ApprovalRequested, _ decision: inout ApprovalDecision) async -> Warning? {
    guard decision.scope == .project || decision.scope == .user else { return nil }
    func kept(for scope: ApprovalScope, _ reason: String) -> Warning {
      decision.scope = scope
      return Warning(
        code: "rule_not_kept", message: "the answer about \(request.call.name) holds for this \(scope.noun): \(reason)")
    }
    guard let rule = loop.rule(of: request, edited: decision.arguments) else {
      return kept(for: .once, "there is no rule for calls like it")
    }
    guard let store = configuration.permissionStore, store.scopes.contains(decision.scope) else {
      return kept(for: .session, "there is no place to keep it for longer")
    }
    do {
      try await store.keep(rule, decision.verdict, for: decision.scope)
      configuration.approval.rules.add(rule, decision.verdict)
      return nil
    } catch {
      return kept(for: .session, "the rule could not be kept: \(error)")
    }
  }

  /// Why an approval cannot be answered, in words that say what became of it.
  private func notOpen(_ id: String) async -> AgentError {
    var call: ToolCall?
    var answered: AgentError?
    do {
      try await flush()
      try await eachRecord { record in
        switch record.event {
        case .approvalRequested(let request) where request.approvalId == id: call = request.call
        case .approvalResolved(let answer) where answer.approvalId == id && answered == nil:
          let verdict = answer.decision == .allow ? "allowed" : "denied"
          let by = answer.by.map { " by \($0)" } ?? ""
          answered = AgentError(
            code: .alreadyAnswered,
            message: "approval \(id) was answered before: \(verdict)\(by) at \(record.time); this changed nothing")
        default: break
        }
      }
    } catch {
      return Self.storageError(error)
    }
    return answered
      ?? AgentError(
        code: .notFound,
        message: call.map { "approval \(id) of \($0.name) is not open: its run is over" }
          ?? "no approval \(id) was asked in session \(self.id)")
  }

  // MARK: - Deciding

  /// The policy of the configuration with what people said in this session.
  private var policy: ApprovalPolicy {
    var policy = configuration.approval
    if !loop.sessionRules.isEmpty { policy.rules.add(loop.sessionRules) }
    return policy
  }

  /// Whether a call may run.
  /// - Parameter approved: the call as a person agreed to it, or as it was recorded as started. It may run again with these
  ///   arguments alone, and not against a deny rule.
  func permission(
    for call: ToolCall, _ tool: ToolDefinition, approved: ToolCall?
  ) -> ApprovalPolicy.Outcome {
    let policy = policy
    guard let approved, approved.arguments.isSame(as: call.arguments) else { return policy.outcome(of: call, tool) }
    return policy.denial(of: call, tool).map { .deny(reason: $0) } ?? .allow
  }

  /// The answer that the policy of today gives to a call that was asked about.
  func standingAnswer(to request: ApprovalRequested) -> ApprovalDecision? {
    guard !answering.contains(request.approvalId), let tool = loop.definition(of: request.call.name) else { return nil }
    return policy.answer(to: request, tool)
  }

  // MARK: - Asking people

  func ask(_ approver: any Approver, _ request: ApprovalRequested) async {
    // Somebody may have been faster than this.
    guard openApproval(request.approvalId) != nil else { return }
    var decision: ApprovalDecision
    asking.insert(request.approvalId)
    do {
      defer { asking.remove(request.approvalId) }
      decision = try await approver.decide(request)
    } catch is CancellationError {
      return
    } catch is ApprovalDeferred {
      deferredApprovals.insert(request.approvalId)
      return
    } catch {
      decision = ApprovalDecision(.deny, reason: "nobody could be asked", by: "error")
    }
    while !Task.isCancelled, openApproval(request.approvalId) != nil {
      do {
        try await answer(request, decision)
      } catch let error as AgentError where error.code == .invalidArguments && decision.arguments != nil {
        decision = ApprovalDecision(
          .deny, reason: "the arguments were edited and do not fit: \(error.message)", by: decision.by)
        continue
      } catch {
        // Somebody else was faster, or the drive loop meets the same failure and ends the run with it.
      }
      break
    }
    await flushQuietly()
  }
}

extension ApprovalScope {
  /// What it holds for: follows "this".
  fileprivate var noun: String { self == .once ? "call" : rawValue }
}

extension ToolCall.Arguments {
  /// Whether they are the same to the byte, the order of keys aside.
  func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.object(let one), .object(let other)):
      one == other && JSONValue.object(one).bytes(.canonical) == JSONValue.object(other).bytes(.canonical)
    default: self == other
    }
  }
}
