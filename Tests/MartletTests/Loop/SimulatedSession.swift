import MartletJSON
import MartletTesting

@testable import Martlet

/// A session driven without an agent: performs the loop's effects with random outcomes and random interruptions, and
/// checks the invariants at every step.
struct SimulatedSession {
  var loop = AgentLoop()
  var records: [EventRecord] = []
  var requests: [(epoch: Int, messages: [Message])] = []
  var problems: [String] = []
  /// How often each call was run.
  var runs: [String: Int] = [:]
  var effects: [String: ToolEffect] = [:]
  /// How often the view was compacted.
  var compactions = 0
  private var random: SeededGenerator
  /// How likely an interruption is at each step.
  private let trouble: Double
  private var time: Int64 = 1_000
  private var nextId = 0
  private var runModelCalls = 0
  private let checksPrefixes: Bool

  static let tools = [
    ToolDefinition(name: "look", description: "", parameters: ["type": "object"], effect: .readOnly),
    ToolDefinition(name: "set", description: "", parameters: ["type": "object"], effect: .idempotent),
    ToolDefinition(name: "pay", description: "", parameters: ["type": "object"], effect: .once),
    ToolDefinition(
      name: "send", description: "", parameters: ["type": "object"], effect: .once, requiresPermission: true),
  ]

  init(seed: UInt64, trouble: Double, checksPrefixes: Bool, limits: ContextLimits? = nil) {
    random = SeededGenerator(seed: seed)
    loop.contextLimits = limits
    self.trouble = trouble
    self.checksPrefixes = checksPrefixes
    append([.sessionCreated(SessionCreated())])
  }

  mutating func append(_ events: [AgentEvent]) {
    for event in events {
      time += 10
      let record = EventRecord(
        seq: records.count + 1, time: Timestamp(milliseconds: time), session: "s", run: "r", event: event)
      records.append(record)
      loop.apply(record)
    }
    guard checksPrefixes else { return }
    let folded = folded()
    if folded != loop || folded.pendingEffects != loop.pendingEffects {
      problems.append("folding \(records.count) records differs from the live loop")
    }
  }

  /// The loop that the log gives, with the limits that this one has.
  func folded() -> AgentLoop {
    var folded = AgentLoop(folding: records)
    folded.contextLimits = loop.contextLimits
    return folded
  }

  /// More words than needed, where there are limits to run into.
  private mutating func filler() -> String {
    guard loop.contextLimits != nil else { return "" }
    return String(repeating: " and so on", count: random.pick([0, 3, 30, 300]))
  }

  private mutating func makeId(_ prefix: String) -> String {
    nextId += 1
    return "\(prefix)\(nextId)"
  }

  /// One prompt and its run to the end. Returns how it ended.
  mutating func prompt(_ text: String, budget: Budget = Budget(iterations: 6)) -> AgentEvent? {
    if loop.phase != .idle {
      append([.runResumed(RunResumed(reason: "superseded")), .cancelRequested(CancelRequested(by: "superseded"))])
      finishRun()
    }
    if loop.phase != .idle { problems.append("an interrupted run could not be closed") }
    runModelCalls = 0
    var events: [AgentEvent] = [.runStarted(RunStarted(budget: budget))]
    if loop.context == nil || random.chance(0.2) {
      events.append(
        .context(
          PromptContext(
            instructions: [.text("Be brief.")], tools: Self.tools, model: "test/model",
            epoch: (loop.context?.epoch ?? 0) + 1)))
    }
    events.append(.prompt(Prompt(messageId: makeId("m"), message: .user(text + filler()))))
    append(events)
    return finishRun()
  }

  @discardableResult
  mutating func finishRun() -> AgentEvent? {
    var steps = 0
    while true {
      steps += 1
      if steps > 500 {
        problems.append("the run did not end after 500 steps")
        return nil
      }
      if loop.run(isOpen: true), random.chance(trouble) { interrupt() }
      let pending = loop.pendingEffects
      if pending.isEmpty { break }
      // Any one of the pending effects may be the next to happen.
      if !perform(random.pick(pending), among: pending) { break }
    }
    if loop.phase == .idle { return loop.lastEnd }
    return nil
  }

  private mutating func interrupt() {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: append([.cancelRequested(CancelRequested())])
    case 1: append([.queued(Queued(queueId: makeId("q"), message: .user("And this?"), mode: .steer))])
    case 2: append([.queued(Queued(queueId: makeId("q"), message: .user("Then that."), mode: .followUp))])
    default: append([.runResumed(RunResumed(previousOwner: "gone"))])
    }
  }

  /// Performs an effect; false when the run is parked.
  private mutating func perform(_ effect: LoopEffect, among pending: [LoopEffect]) -> Bool {
    switch effect {
    case .record(let events): append(events)
    case .deliver(let queued):
      append([.prompt(Prompt(messageId: makeId("m"), message: queued.message, queueId: queued.queueId))])
    case .correct(let message): append([.prompt(Prompt(messageId: makeId("m"), message: message))])
    case .callModel(let call): callModel(call)
    case .compact(let plan): compact(plan)
    case .stopModelCall:
      append([.modelCallEnded(ModelCallEnded(error: CallFailure(code: "cancelled", message: "cancelled")))])
      if random.chance(0.5) {
        append([
          .assistantMessage(
            AssistantMessage(messageId: makeId("m"), message: .assistant(text: "So far"), interrupted: true))
        ])
      }
    case .runTool(let call, let approved): runTool(call, approved: approved)
    case .stopTool(let callId):
      if let call = call(callId) {
        append([.toolFinished(ToolFinished(.failure(call, code: .interrupted, "Stopped.")))])
      }
    case .awaitApproval(let request):
      // Somebody answers, maybe with other arguments.
      append([
        .approvalResolved(
          ApprovalResolved(
            approvalId: request.approvalId, decision: random.chance(0.7) ? .allow : .deny, scope: "once",
            arguments: random.chance(0.2) ? ["edited": true] : nil))
      ])
    case .awaitInput: break
    case .park(let approvals, let inputs):
      append([.waiting(Waiting(approvals: approvals, inputs: inputs))])
    }
    return true
  }

  private func call(_ id: String) -> ToolCall? {
    loop.history.last?.toolCalls.first { $0.id == id }
  }

  /// Carries a plan out as an agent does, after a call for a summary that may fail or be lost.
  mutating func compact(_ plan: ContextPlan) {
    if plan.style != nil, !isModelCallOpen {
      append([.modelCall(ModelCallStarted(purpose: .compaction, model: "test/model", messageId: makeId("m")))])
      if random.chance(0.3) { return }
    }
    if isModelCallOpen {
      let failure = random.chance(0.2) ? CallFailure(code: "overloaded", message: "too much to do") : nil
      append([.modelCallEnded(ModelCallEnded(usage: Usage(input: 30, output: 9), error: failure))])
    }
    // Nobody knows of the call any more whose process is gone: all begins anew.
    if random.chance(0.1) { return append([.runResumed(RunResumed(previousOwner: "gone"))]) }
    compactions += 1
    append([
      .compacted(
        plan.outcome(
          summary: plan.replacesMessages ? [.text("Notes \(compactions).")] : [],
          epoch: (loop.context?.epoch ?? 0) + 1, tokensAfter: nil))
    ])
  }

  private mutating func callModel(_ call: PendingModelCall) {
    if !isModelCallOpen {
      runModelCalls += 1
      append([
        .modelCall(
          ModelCallStarted(
            model: "test/model", attempt: call.attempt, messageId: makeId("m"),
            reserved: Reservation(tokens: call.reservedTokens)))
      ])
      checkRequest(call)
      if random.chance(0.3) { return }  // the reply comes later; something may come between
    }
    let messageId = makeId("m")
    let usage = Usage(input: 20, output: 5)
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      let next: Int? = call.attempt < 3 && random.chance(0.6) ? 10 : nil
      append([
        .modelCallEnded(
          ModelCallEnded(error: CallFailure(code: "overloaded", message: "too much to do"), nextAttemptInMs: next))
      ])
    case 1, 2, 3:
      append([
        .modelCallEnded(ModelCallEnded(usage: usage)),
        .assistantMessage(
          AssistantMessage(
            messageId: messageId, message: .assistant(text: "Answer." + filler()),
            stopReason: random.pick([.endTurn, .endTurn, .maxTokens, .refusal, .pauseTurn, .stopSequence]),
            usage: usage)),
      ])
    case 4:
      // An empty reply is legal, and must not be sent back.
      append([
        .modelCallEnded(ModelCallEnded(usage: usage)),
        .assistantMessage(
          AssistantMessage(
            messageId: messageId, message: Message(role: .assistant, content: []), stopReason: .endTurn, usage: usage)),
      ])
    default:
      let calls = (0..<Int.random(in: 1...3, using: &random)).map { _ -> ToolCall in
        let id = makeId("call_")
        if random.chance(0.1) {
          return ToolCall(id: id, name: "look", arguments: .unparsed(text: "{\"a\":", reason: "cut"))
        }
        return ToolCall(id: id, name: random.pick(["look", "set", "pay", "send", "nothing"]), arguments: ["n": 1])
      }
      append([
        .modelCallEnded(ModelCallEnded(usage: usage)),
        .assistantMessage(
          AssistantMessage(
            messageId: messageId, message: .assistant(text: random.chance(0.5) ? "Let me see." : "", toolCalls: calls),
            stopReason: random.chance(0.1) ? .maxTokens : .toolUse, usage: usage)),
      ])
    }
  }

  private var isModelCallOpen: Bool {
    for record in records.reversed() {
      switch record.event {
      case .modelCall: return true
      case .modelCallEnded, .runStarted, .compacted: return false
      default: continue
      }
    }
    return false
  }

  private var lastStopReason: StopReason? {
    for record in records.reversed() {
      if case .assistantMessage(let reply) = record.event { return reply.stopReason }
    }
    return nil
  }

  private mutating func checkRequest(_ call: PendingModelCall) {
    let request = loop.request(for: call, session: "s")
    let messages = Array(request.messages)
    problems += MessageRules.violations(in: messages, continuesReply: lastStopReason == .pauseTurn).map { "I1: \($0)" }
    let epoch = request.prefix?.epoch ?? 0
    if let last = requests.last, last.epoch == epoch, !messages.starts(with: last.messages) {
      problems.append("I2: the request does not begin with the one before it")
    }
    requests.append((epoch, messages))
  }

  private mutating func runTool(_ call: ToolCall, approved: Bool) {
    let definition = Self.tools.first { $0.name == call.name }
    guard let definition, case .object = call.arguments else {
      append([.toolFinished(ToolFinished(.failure(call, code: .unknownTool, "No such tool.")))])
      return
    }
    if definition.requiresPermission, !approved {
      append([
        .approvalRequested(ApprovalRequested(approvalId: makeId("a"), call: call, options: []))
      ])
      return
    }
    if !hasStarted(call) {
      effects[call.id] = definition.effect
      append([.toolStarted(ToolStarted(call: call, effect: definition.effect))])
      runs[call.id, default: 0] += 1
      if random.chance(0.3) { return }
    } else if isLost(call) {
      append([.toolStarted(ToolStarted(call: call, effect: definition.effect))])
      runs[call.id, default: 0] += 1
    }
    append([
      .toolFinished(
        ToolFinished(
          ToolResult(callId: call.id, name: call.name, content: [.text("ok" + filler())], isError: random.chance(0.2))))
    ])
  }

  private func hasStarted(_ call: ToolCall) -> Bool {
    records.contains { if case .toolStarted(let started) = $0.event { started.call.id == call.id } else { false } }
  }

  private func isLost(_ call: ToolCall) -> Bool {
    for record in records.reversed() {
      switch record.event {
      case .runResumed: return true
      case .toolStarted(let started) where started.call.id == call.id: return false
      default: continue
      }
    }
    return false
  }
}

extension AgentLoop {
  func run(isOpen: Bool) -> Bool { (phase != .idle) == isOpen }
}
