import Dispatch
import Martlet
import MartletJSON
import MartletSync
import MartletTesting
import Testing

/// What users of other harnesses ran into, one test each; `docs/failure-cases.md` tells the stories.
@Suite struct AgentFailureCaseTests {
  /// Says one more thing on the same session and expects an answer to a valid request.
  func expectAnswer(_ agent: Agent, _ model: ScriptedModel, sourceLocation: SourceLocation = #_sourceLocation) async {
    do {
      _ = try await agent.send("Are you still there?")
      let problems = MessageRules.violations(in: model.requests.last?.messages ?? [])
      #expect(problems.isEmpty, sourceLocation: sourceLocation)
    } catch {
      Issue.record("the session is bricked: \(error)", sourceLocation: sourceLocation)
    }
  }

  @Test func `cancelling after a result and before the reply answers the next message and leaves the old task`()
    async throws
  {
    let gate = Gate()
    let model = ScriptedModel([
      .calls([call("call_a")]),
      .init([], error: CancellationError()) { _ in try await gate.waitUnlessCancelled() },
      .text("Here."),
    ])
    let agent = try Agent(model: model, tools: [EchoTool()])
    let run = Task { try await agent.send("Go") }
    await gate.arrived()
    await agent.cancel()
    await #expect(throws: AgentError.self) { try await run.value }
    await expectAnswer(agent, model)
    #expect(model.requests.count == 3)
  }

  @Test func `cancelling the caller's task cancels the run and throws CancellationError`() async throws {
    let gate = Gate()
    let model = ScriptedModel([
      .init([], error: CancellationError()) { _ in try await gate.waitUnlessCancelled() }, .text("Here."),
    ])
    let agent = try Agent(model: model)
    let run = Task { try await agent.send("Go") }
    await gate.arrived()
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    await expectAnswer(agent, model)
  }

  @Test func `dropping the stream cancels its run`() async throws {
    let gate = Gate()
    let model = ScriptedModel([
      .init([], error: CancellationError()) { _ in try await gate.waitUnlessCancelled() }, .text("Here."),
    ])
    let agent = try Agent(model: model)
    for try await record in agent.stream("Go") {
      if case .modelCall = record.event { break }
    }
    // The reader is gone: the run ends by itself, and what the session says of it is that it was cancelled.
    var reasons: [FinishReason] = []
    for try await record in agent.events(after: 0) {
      if case .finished(let finished) = record.event {
        reasons.append(finished.reason)
        break
      }
    }
    #expect(reasons == [.cancelled])
  }

  @Test func `results stay in call order when a later call is refused before an earlier one has run`() async throws {
    let gate = Gate()
    let slow = EchoTool(name: "slow") { _, _ in
      await gate.wait()
      return .text("slow result")
    }
    let model = ScriptedModel([
      .calls([call("call_1", "slow"), call("call_2", "missing"), call("call_3", "echo", ["wrong": 1])]), .text("Done."),
    ])
    let agent = try Agent(model: model, tools: [slow, EchoTool()])
    let run = Task { try await agent.send("Go") }
    await gate.arrived()
    gate.open()
    #expect(try await run.value == "Done.")
    let results = await agent.messages[2].toolResults
    #expect(results.map(\.callId) == ["call_1", "call_2", "call_3"])
    #expect(results.map(\.code) == [nil, .unknownTool, .invalidArguments])
  }

  @Test func `exclusive calls run in order and one at a time, read-only ones together`() async throws {
    let order = Locked<[String]>([])
    let together = Gate()
    let look = EchoTool(name: "look") { _, context in
      await together.wait()
      order.withLock { $0.append(context.callId) }
      return .text("looked")
    }
    let write = EchoTool(name: "write", effect: .once) { _, context in
      order.withLock { $0.append(context.callId) }
      return .text("written")
    }
    let model = ScriptedModel([
      .calls([call("a", "look"), call("b", "look"), call("c", "write"), call("d", "write"), call("e", "look")]),
      .text("Done."),
    ])
    let agent = try Agent(model: model, tools: [look, write])
    let run = Task { try await agent.send("Go") }
    await together.arrived(2)
    #expect(order.withLock { $0 }.isEmpty)
    together.open()
    #expect(try await run.value == "Done.")
    let ran = order.withLock { $0 }
    #expect(Set(ran.prefix(2)) == ["a", "b"])
    #expect(Array(ran.dropFirst(2)) == ["c", "d", "e"])
  }

  @Test func `at most so many tools run at once`() async throws {
    let gate = Gate()
    let running = Locked((now: 0, most: 0))
    let tool = EchoTool { _, _ in
      running.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
      await gate.wait()
      running.withLock { $0.now -= 1 }
      return .text("ok")
    }
    let model = ScriptedModel([.calls((0..<10).map { call("call_\($0)") }), .text("Done.")])
    let agent = try Agent(model: model, tools: [tool])
    let run = Task { try await agent.send("Go") }
    await gate.arrived(4)
    gate.open()
    #expect(try await run.value == "Done.")
    #expect(running.withLock { $0.most } == 4)
  }

  @Test func `a steering message is said after the results of the running tools, once`() async throws {
    let gate = Gate()
    let model = ScriptedModel([.calls([call("call_a")]), .text("Done.")])
    let agent = try Agent(
      model: model,
      tools: [
        EchoTool { _, _ in
          await gate.wait(); return .text("ok")
        }
      ])
    let run = Task { try await agent.send("Go") }
    await gate.arrived()
    _ = try await agent.steer("Be quick.")
    gate.open()
    #expect(try await run.value == "Done.")
    #expect(await agent.messages.map(\.role) == [.user, .assistant, .tool, .user, .assistant])
    #expect(MessageRules.violations(in: model.requests[1].messages).isEmpty)
  }

  @Test func `a steering message that a cancelled run did not say is said once in the next`() async throws {
    let gate = Gate()
    let model = ScriptedModel([.calls([call("call_a")]), .text("First."), .text("Second.")])
    let agent = try Agent(
      model: model,
      tools: [
        EchoTool { _, _ in
          try await gate.waitUnlessCancelled(); return .text("ok")
        }
      ])
    let run = Task { try await agent.send("Go") }
    await gate.arrived()
    _ = try await agent.steer("Be quick.")
    await agent.cancel()
    await #expect(throws: AgentError.self) { try await run.value }
    _ = try await agent.send("Go on")
    let said = await agent.messages.filter { $0.text == "Be quick." }
    #expect(said.count == 1)
    #expect(MessageRules.violations(in: await agent.messages + [.user("next")]).isEmpty)
  }

  @Test func `a queued follow-up is said when the run would be over, and a withdrawn one is not`() async throws {
    let gate = Gate()
    let model = ScriptedModel([
      .init([.block(.text("One."), index: 0), .finished(.endTurn, Usage())]) { _ in await gate.wait() }, .text("Two."),
    ])
    let agent = try Agent(model: model)
    let run = Task { try await agent.send("Go") }
    await gate.arrived()
    let withdrawn = try await agent.enqueue("Never mind.")
    _ = try await agent.enqueue("And then?")
    #expect(try await agent.unqueue(withdrawn))
    gate.open()
    #expect(try await run.value == "Two.")
    #expect(await agent.messages.map(\.text) == ["Go", "One.", "And then?", "Two."])
  }

  @Test func `a stream that ends without its last event is a failure, and what was said stays as interrupted`()
    async throws
  {
    let model = ScriptedModel([
      .init([.text("Half an ans", index: 0)]), .text("Here."),
    ])
    let agent = try Agent(model: model)
    do {
      _ = try await agent.send("Go")
      Issue.record("a cut stream counted as an answer")
    } catch let error as AgentError {
      #expect(error.code == .model)
      #expect(error.partial == "Half an ans")
      #expect((error.underlying as? ModelError)?.code == .truncatedStream)
    }
    await expectAnswer(agent, model)
    #expect(await agent.messages.map(\.text) == ["Go", "Half an ans", "Are you still there?", "Here."])
  }

  @Test func `of a cut reply unsigned thinking and unfinished calls go, finished text stays`() async throws {
    let model = ScriptedModel([
      .init(
        [
          .thinking("Hm", index: 0), .block(.text("Finished."), index: 1),
          .block(.toolCall(call("call_x")), index: 2),
          .toolCallDelta(ToolCallDelta(name: "echo", arguments: "{"), index: 3),
        ], error: ModelError(code: .connection, message: "the connection broke")), .text("Here."),
    ])
    let agent = try Agent(model: model, tools: [EchoTool()])
    await #expect(throws: AgentError.self) { try await agent.send("Go") }
    await expectAnswer(agent, model)
    #expect(await agent.messages[1] == .assistant(text: "Finished."))
  }

  @Test(arguments: ["null", "[1,2]", "\"text\"", "{\"text\": NaN}", "{\"text\":"])
  func `arguments that are no JSON object run nothing and come back as a bounded error with the schema`(text: String)
    async throws
  {
    let ran = Locked(0)
    let tool = EchoTool { _, _ in
      ran.withLock { $0 += 1 }
      return .text("ran")
    }
    let model = ScriptedModel([
      .calls([ToolCall(id: "call_a", name: "echo", argumentsText: text)]), .text("Sorry."),
    ])
    let agent = try Agent(model: model, tools: [tool])
    #expect(try await agent.send("Go") == "Sorry.")
    #expect(ran.withLock { $0 } == 0)
    let result = try #require(await agent.messages[2].toolResults.first)
    #expect(result.code == .invalidArguments)
    #expect(result.text.contains("\"properties\""))
    #expect(result.text.utf8.count < 4_000)
  }

  @Test func `the output limit inside a call runs nothing and leaves the agent usable`() async throws {
    let ran = Locked(0)
    let tool = EchoTool { _, _ in
      ran.withLock { $0 += 1 }
      return .text("ran")
    }
    let model = ScriptedModel([
      .reply([.text("I will"), .toolCall(call("call_a"))], stop: .maxTokens), .text("Here."),
    ])
    let agent = try Agent(model: model, tools: [tool])
    do {
      _ = try await agent.send("Go")
      Issue.record("a cut reply counted as an answer")
    } catch let error as AgentError {
      #expect(error.code == .truncated)
    }
    #expect(ran.withLock { $0 } == 0)
    await expectAnswer(agent, model)
  }

  @Test(arguments: [[], [ContentBlock.text("")], [.thinking(Thinking(text: "only thought"))], [.text("  \n")]])
  func `a reply of nothing, of empty text or of thinking alone leaves nothing empty in the next request`(
    blocks: [ContentBlock]
  ) async throws {
    let model = ScriptedModel([.reply(blocks), .text("Here.")])
    let agent = try Agent(model: model)
    _ = try await agent.send("Go")
    await expectAnswer(agent, model)
  }

  @Test func `an empty tool result says that there was no output`() async throws {
    let model = ScriptedModel([.calls([call("call_a")]), .text("Done.")])
    let agent = try Agent(model: model, tools: [EchoTool { _, _ in .text("") }])
    _ = try await agent.send("Go")
    #expect(await agent.messages[2].text == "(no output)")
  }

  @Test func `ids that are empty or used before are replaced and the original is kept`() async throws {
    let model = ScriptedModel([
      .calls([call("call_a"), call("call_a"), call("")]), .calls([call("call_a")]), .text("Done."),
    ])
    let agent = try Agent(model: model, tools: [EchoTool()])
    #expect(try await agent.send("Go") == "Done.")
    let calls = await agent.messages.flatMap(\.toolCalls)
    #expect(Set(calls.map(\.id)).count == 4)
    #expect(calls[0].id == "call_a")
    for request in model.requests { #expect(MessageRules.violations(in: request.messages).isEmpty) }
  }

  @Test func `identical calls are noticed, also with reordered keys and when they succeed, and not stopped`()
    async throws
  {
    let model = ScriptedModel { index, _ in
      guard index < 4 else { return .text("Done.") }
      let arguments: JSONObject = index % 2 == 0 ? ["text": "x", "n": 1] : ["n": 1, "text": "x"]
      return .calls([call("call_\(index)", "echo", arguments)])
    }
    let agent = try Agent(model: model, tools: [EchoTool()])
    var warnings: [String] = []
    var answer = ""
    for try await record in agent.stream("Go") {
      if case .warning(let warning) = record.event { warnings.append(warning.code) }
      if case .assistantMessage(let reply) = record.event { answer = reply.message.text }
    }
    #expect(warnings == ["repeated_call"])
    #expect(answer == "Done.")
  }

  @Test func `a tool that throws gives the model an error it can read`() async throws {
    struct Broken: Error, CustomStringConvertible { var description: String { "the disk is on fire" } }
    let model = ScriptedModel([.calls([call("call_a")]), .text("I see.")])
    let agent = try Agent(model: model, tools: [EchoTool { _, _ in throw Broken() }])
    #expect(try await agent.send("Go") == "I see.")
    let result = try #require(await agent.messages[2].toolResults.first)
    #expect(result.isError)
    #expect(result.code == .toolFailed)
    #expect(result.text.contains("the disk is on fire"))
  }

  @Test func `a tool that takes too long is stopped and reported`() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let tool = EchoTool { _, _ in
      try await gate.waitUnlessCancelled()
      return .text("late")
    }
    let model = ScriptedModel([.calls([call("call_a")]), .text("Too slow.")])
    let agent = Agent(
      model: model, tools: try ToolRegistry([tool]), environment: AgentEnvironment(clock: clock))
    let run = Task { try await agent.send("Go") }
    await gate.arrived()
    await clock.sleepers()
    clock.advance(by: .seconds(120))
    #expect(try await run.value == "Too slow.")
    #expect(await agent.messages[2].toolResults.first?.code == .timeout)
  }

  @Test func `a tool that does not stop is abandoned after the grace, and what it says later is dropped`() async throws
  {
    let clock = ManualClock()
    let gate = Gate()
    let tool = EchoTool(effect: .once) { _, _ in
      await gate.wait()
      return .text("much later")
    }
    let model = ScriptedModel([.calls([call("call_a")]), .text("Here.")])
    let agent = Agent(
      model: model, tools: try ToolRegistry([tool]), environment: AgentEnvironment(clock: clock))
    let run = Task { try await agent.send("Go") }
    await gate.arrived()
    let cancelling = Task { await agent.cancel() }
    await clock.sleepers(dueWithin: .seconds(5))
    clock.advance(by: .seconds(5))
    await cancelling.value
    await #expect(throws: AgentError.self) { try await run.value }
    #expect(await agent.messages[2].toolResults.first?.code == .toolAbandoned)
    gate.open()
    await expectAnswer(agent, model)
  }

  #if os(Linux)
    @Test func `a tool that blocks its thread is abandoned, where agents run on a thread of their own, too`()
      async throws
    {
      let clock = ManualClock()
      let started = Promise<Void>()
      let end = DispatchSemaphore(value: 0)
      defer { end.signal() }
      let tool = EchoTool { _, _ in
        started.keep(())
        Self.block(until: end)
        return .text("much later")
      }
      let model = ScriptedModel([.calls([call("call_a")]), .text("Here.")])
      var environment = AgentEnvironment(clock: clock)
      environment.executor = OneThread()
      let agent = Agent(model: model, tools: try ToolRegistry([tool]), environment: environment)
      let run = Task { try await agent.send("Go") }
      await started.value
      let cancelling = Task { await agent.cancel() }
      await clock.sleepers(dueWithin: .seconds(5))
      clock.advance(by: .seconds(5))
      await cancelling.value
      await #expect(throws: AgentError.self) { try await run.value }
      #expect(await agent.messages[2].toolResults.first?.code == .toolAbandoned)
    }

    private static func block(until end: DispatchSemaphore) { end.wait() }

    private final class OneThread: TaskExecutor {
      private let queue = DispatchQueue(label: "one thread")

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }
  #endif

  @Test func `a retryable failure is tried again after the time the provider asks for, and shown`() async throws {
    let clock = ManualClock()
    let model = ScriptedModel([
      .failure(ModelError(code: .rateLimited, message: "too many requests", retryAfter: .seconds(7))), .text("Hello."),
    ])
    let agent = Agent(model: model, tools: ToolRegistry(), environment: AgentEnvironment(clock: clock))
    let retries = Locked<[Retrying]>([])
    let reader = Task {
      for try await record in agent.stream("Go") {
        if case .retrying(let retrying) = record.event { retries.withLock { $0.append(retrying) } }
      }
    }
    await clock.sleepers()
    clock.advance(by: .seconds(7))
    try await reader.value
    #expect(retries.withLock { $0.map(\.afterMs) } == [7_000])
    #expect(await agent.messages.last?.text == "Hello.")
  }

  // MARK: Fallbacks

  private func named(_ id: String, _ turns: [ScriptedModel.Turn]) -> ScriptedModel {
    ScriptedModel(turns, info: ModelInfo(provider: "scripted", id: id, price: .free))
  }

  /// The model and the try of each call, and the reasons of the retries.
  private func calls(_ agent: Agent) async throws -> (calls: [String], reasons: [String]) {
    var calls: [String] = []
    var reasons: [String] = []
    for try await record in agent.stream("Go") {
      if case .modelCall(let call) = record.event { calls.append("\(call.model) \(call.attempt)") }
      if case .retrying(let retrying) = record.event { reasons.append(retrying.reason) }
    }
    return (calls, reasons)
  }

  @Test func `a model that will not answer is left for the next one, which the events show`() async throws {
    let first = named("a", [.failure(ModelError(code: .quotaExceeded, message: "the credit is used up"))])
    let second = named("b", [.failure(ModelError(code: .invalidRequest, message: "no tools here"))])
    let third = named("c", [.calls([call("call_a")]), .text("Hello."), .text("And now?")])
    let configuration = AgentConfiguration(fallbacks: [second, third])
    let agent = Agent(model: first, tools: try ToolRegistry([EchoTool()]), configuration: configuration)
    let seen = try await calls(agent)
    // The run stays with the one that answers.
    #expect(seen.calls == ["scripted/a 1", "scripted/b 2", "scripted/c 3", "scripted/c 1"])
    #expect(
      seen.reasons == [
        "the credit is used up; going on with scripted/b", "no tools here; going on with scripted/c",
      ])
    #expect(await agent.messages.last?.text == "Hello.")
    // The next run begins with the agent's own model.
    _ = try? await agent.send("Again")
    #expect(first.requests.count == 2)
  }

  @Test func `a failure that may pass is tried again before the next model is asked, and each has its own tries`()
    async throws
  {
    let clock = ManualClock()
    let busy = ModelError(code: .overloaded, message: "too much to do", retryAfter: .seconds(1))
    let first = named("a", [.failure(busy), .failure(busy)])
    let second = named("b", [.failure(busy), .text("Hello.")])
    let agent = Agent(
      model: first, tools: ToolRegistry(), configuration: AgentConfiguration(retries: 1, fallbacks: [second]),
      environment: AgentEnvironment(clock: clock))
    let run = Task { try await calls(agent) }
    for _ in 0..<2 {
      await clock.sleepers()
      clock.advance(by: .seconds(1))
    }
    #expect(try await run.value.calls == ["scripted/a 1", "scripted/a 2", "scripted/b 3", "scripted/b 4"])
  }

  @Test func `no other model is asked once something of the reply has come, or when the run was cancelled`()
    async throws
  {
    let second = named("b", [.text("Hello.")])
    let cut = named(
      "a", [.init([.text("Hel", index: 0)], error: ModelError(code: .truncatedStream, message: "cut off"))])
    let agent = Agent(model: cut, tools: ToolRegistry(), configuration: AgentConfiguration(fallbacks: [second]))
    await #expect(throws: AgentError.self) { try await agent.send("Go") }
    #expect(await agent.messages.last?.text == "Hel")

    let gate = Gate()
    let waiting = named("a", [.init([], error: CancellationError()) { _ in try await gate.waitUnlessCancelled() }])
    let other = Agent(model: waiting, tools: ToolRegistry(), configuration: AgentConfiguration(fallbacks: [second]))
    let run = Task { try await other.send("Go") }
    await gate.arrived()
    await other.cancel()
    await #expect(throws: AgentError.self) { try await run.value }
    #expect(second.requests.isEmpty)
  }

  @Test func `when no model answers the last failure is told`() async throws {
    let final = ModelError(code: .quotaExceeded, message: "the credit is used up")
    let agent = Agent(
      model: named("a", [.failure(ModelError(code: .authentication, message: "wrong key"))]), tools: ToolRegistry(),
      configuration: AgentConfiguration(fallbacks: [named("b", [.failure(final)])]))
    let error = await #expect(throws: AgentError.self) { try await agent.send("Go") }
    #expect(error?.message == "the credit is used up")
  }

  @Test func `waiting to try again can be cancelled`() async throws {
    let clock = ManualClock()
    let model = ScriptedModel([
      .failure(ModelError(code: .overloaded, message: "too much to do")), .text("Here."),
    ])
    let agent = Agent(model: model, tools: ToolRegistry(), environment: AgentEnvironment(clock: clock))
    let run = Task { try await agent.send("Go") }
    await clock.sleepers()
    await agent.cancel()
    await #expect(throws: AgentError.self) { try await run.value }
    await expectAnswer(agent, model)
  }

  @Test func `a failure that will not go away is not tried again`() async throws {
    let model = ScriptedModel([
      .failure(ModelError(code: .quotaExceeded, message: "the credit is used up")), .text("Here."),
    ])
    let agent = try Agent(model: model)
    await #expect(throws: AgentError.self) { try await agent.send("Go") }
    #expect(model.requests.count == 1)
    await expectAnswer(agent, model)
  }

  @Test func `a refusal is an error, and what was said before it is not sent back`() async throws {
    let model = ScriptedModel([.reply([.text("Sure, first you")], stop: .refusal), .text("Here.")])
    let agent = try Agent(model: model)
    do {
      _ = try await agent.send("Go")
      Issue.record("a refusal counted as an answer")
    } catch let error as AgentError {
      #expect(error.code == .refused)
    }
    await expectAnswer(agent, model)
    #expect(model.requests[1].messages.allSatisfy { $0.role == .user })
  }

  @Test func `a call that needs permission parks the run until somebody answers, also in another agent`() async throws {
    let ran = Locked<[JSONObject]>([])
    let tool = EchoTool(name: "send", effect: .once, requiresPermission: true) { arguments, _ in
      ran.withLock { $0.append(arguments) }
      return .text("sent")
    }
    let store = InMemorySessionStore()
    let model = ScriptedModel([.calls([call("call_a", "send", ["text": "hello"])]), .text("Sent.")])
    let first = Agent(model: model, tools: try ToolRegistry([tool]), session: "s", store: store)
    do {
      _ = try await first.send("Go")
      Issue.record("the call was not asked about")
    } catch let error as AgentError {
      #expect(error.code == .waiting)
    }
    #expect(ran.withLock { $0 }.isEmpty)
    await first.close()

    let second = Agent(model: model, tools: try ToolRegistry([tool]), session: "s", store: store)
    let records = try await store.records(of: "s", owner: "local", after: 0, limit: 100)
    let approval = try #require(AgentLoop(folding: records).openApprovals.first)
    try await second.resolve(approval: approval.approvalId, .allow)
    await #expect(throws: AgentError.self) { try await second.resolve(approval: approval.approvalId, .deny) }
    #expect(try await second.resume() == "Sent.")
    #expect(ran.withLock { $0 } == [["text": "hello"]])
  }

  @Test func `a denied call is told to the model, which answers`() async throws {
    struct No: Approver {
      func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
        ApprovalDecision(.deny, reason: "not today")
      }
    }
    let tool = EchoTool(name: "send", effect: .once, requiresPermission: true)
    let model = ScriptedModel([.calls([call("call_a", "send")]), .text("As you wish.")])
    let agent = Agent(
      model: model, tools: try ToolRegistry([tool]), configuration: AgentConfiguration(approver: No()))
    #expect(try await agent.send("Go") == "As you wish.")
    let result = try #require(await agent.messages[2].toolResults.first)
    #expect(result.code == .denied)
    #expect(result.text.contains("not today"))
  }

  @Test func `a conversation that was assigned is repaired before it is sent`() async throws {
    let model = ScriptedModel([.text("Here.")])
    let agent = Agent(
      model: model, tools: ToolRegistry(),
      messages: [
        .tool(result: "orphan", callId: "call_0", name: "echo"), .user("Hi"),
        .assistant(text: "", toolCalls: [call("call_a"), call("call_b")]),
        .tool(result: "b", callId: "call_b", name: "echo"), .user(""), .assistant(text: ""),
      ])
    await expectAnswer(agent, model)
    #expect(model.requests[0].messages.map(\.role) == [.user, .assistant, .tool, .user])
  }

  @Test func `tools registered or taken away between prompts start a new epoch, and the order stays`() async throws {
    let registry = try ToolRegistry([EchoTool()])
    let model = ScriptedModel([.text("1"), .text("2"), .text("3")])
    let agent = Agent(model: model, tools: registry)
    _ = try await agent.send("One")
    try await registry.register(EchoTool(name: "other"))
    _ = try await agent.send("Two")
    await registry.unregister("echo")
    _ = try await agent.send("Three")
    #expect(model.requests.map { $0.tools.map(\.name) } == [["echo"], ["echo", "other"], ["other"]])
    #expect(model.requests.map { $0.prefix?.epoch } == [1, 2, 3])
  }

  @Test func `two tools of one name are refused`() async throws {
    #expect(throws: ToolRegistry.Failure.self) { try ToolRegistry([EchoTool(), EchoTool()]) }
    let registry = try ToolRegistry([EchoTool()])
    await #expect(throws: ToolRegistry.Failure.self) { try await registry.register(EchoTool()) }
  }

  @Test func `the time budget ends a run that hangs`() async throws {
    let clock = ManualClock()
    let gate = Gate()
    let model = ScriptedModel([.init([]) { _ in try await gate.waitUnlessCancelled() }, .text("Here.")])
    let start = Timestamp(milliseconds: 0)
    let agent = Agent(
      model: model, tools: ToolRegistry(),
      configuration: AgentConfiguration(budget: Budget(time: .seconds(30))),
      environment: AgentEnvironment(
        clock: clock, now: { Timestamp(milliseconds: start.milliseconds + Int64(clock.now.offset / .milliseconds(1))) })
    )
    let run = Task { try await agent.send("Go") }
    await gate.arrived()
    await clock.sleepers()
    clock.advance(by: .seconds(30))
    do {
      _ = try await run.value
      Issue.record("the run did not end")
    } catch let error as AgentError {
      #expect(error.code == .budget)
    }
    await expectAnswer(agent, model)
  }

  @Test func `a token budget is kept, counting what a reply may use`() async throws {
    let model = ScriptedModel { index, _ in
      .reply([.toolCall(call("call_\(index)"))], usage: Usage(input: 400, output: 100))
    }
    let agent = Agent(
      model: model, tools: try ToolRegistry([EchoTool()]),
      configuration: AgentConfiguration(budget: Budget(iterations: 100, tokens: 1_400)))
    do {
      _ = try await agent.send("Go")
      Issue.record("the run did not end")
    } catch let error as AgentError {
      #expect(error.code == .budget)
    }
    #expect(model.requests.count == 3)
    #expect(model.requests.allSatisfy { ($0.options.maxOutputTokens ?? .max) <= 1_400 })
  }

  @Test func `a money budget with a model without a price is a configuration error`() async throws {
    let model = ScriptedModel([.text("x")], info: ModelInfo(provider: "x", id: "y"))
    let agent = Agent(
      model: model, tools: ToolRegistry(), configuration: AgentConfiguration(budget: Budget(usd: 1)))
    do {
      _ = try await agent.send("Go")
      Issue.record("it ran")
    } catch let error as AgentError {
      #expect(error.code == .configuration)
    }
  }
}
