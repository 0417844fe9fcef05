import Foundation
import Martlet
import MartletJSON
import MartletSync
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct ReplayTests {
  private func text(_ records: [EventRecord]) -> [String] { records.map { $0.json.text() } }

  private func calls(_ numbers: ClosedRange<Int>, name: String = "count") -> ScriptedModel.Turn {
    .calls(numbers.map { ToolCall(id: "", name: name, arguments: .object(["n": JSONValue($0)])) })
  }

  @Test func `a run with tools replays byte for byte, without running them`() async throws {
    let tool = CountingTool()
    let recorded = RecordedAgent(turns: [calls(1...1), .text("One.")], tools: [tool])
    defer { recorded.remove() }
    let events = try await recorded.record {
      let answer = try await $0.send("Count.")
      #expect(answer == "One.")
    }
    let replayed = try await recorded.replay()
    #expect(replayed.failure == nil)
    #expect(text(replayed.events) == text(events))
    #expect(text(try Recording(path: recorded.path).events) == text(events))
    #expect(tool.calls.withLock { $0 } == 1)
    #expect(try Recording(path: recorded.path).isComplete)
  }

  @Test func `what a tool had the model say on the run's behalf replays as it was counted`() async throws {
    let side = Locked<(any LanguageModel)?>(nil)
    var tool = CountingTool()
    tool.body = { _, _ in
      guard let model = side.withLock({ $0 }) else { return .failure("no model") }
      var text = ""
      for try await event in model.stream(ModelRequest(messages: [.user("Aside?")])) {
        if case .block(let block, _) = event { text += block.text ?? "" }
      }
      return .text(text)
    }
    let recorded = RecordedAgent(
      turns: [calls(1...1), .reply([.text("Aside.")], usage: Usage(input: 7, output: 3)), .text("Done.")],
      tools: [tool])
    defer { recorded.remove() }
    let events = try await recorded.record { agent in
      side.withLock { $0 = agent.sideModel(for: .sampling) }
      _ = try await agent.send("Go.")
    }
    let purposes = events.compactMap { if case .modelCall(let call) = $0.event { call.purpose } else { nil } }
    #expect(purposes == [.turn, .sampling, .turn])
    let replayed = try await recorded.replay()
    #expect(replayed.failure == nil)
    #expect(text(replayed.events) == text(events))
  }

  @Test func `the file is its user's alone, and no other is written over`() async throws {
    let recorded = RecordedAgent(turns: [.text("Hi.")])
    defer { recorded.remove() }
    try await recorded.record { _ = try await $0.send("Hi") }
    var status = stat()
    #expect(stat(recorded.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    let error = #expect(throws: RecordingError.self) { try Recorder(path: recorded.path) }
    #expect(error?.code == .exists)
  }

  @Test(arguments: 0..<12)
  func `calls side by side replay in the order they came in`(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let waits = (0..<6).map { _ in Int.random(in: 0...3, using: &random) }
    var tool = CountingTool()
    tool.body = { arguments, _ in
      let number = arguments["n"]?.intValue ?? 0
      for _ in 0..<waits[number % 6] * 20 { await Task.yield() }
      if number == 4 { throw ToolRegistryTestFailure() }
      return .text("counted \(number)")
    }
    let recorded = RecordedAgent(turns: [calls(0...5), calls(6...8), .text("Done.")], tools: [tool])
    defer { recorded.remove() }
    let events = try await recorded.record { _ = try await $0.send("Count.") }
    for _ in 0..<3 {
      let replayed = try await recorded.replay()
      #expect(replayed.failure == nil, "seed \(seed)")
      #expect(text(replayed.events) == text(events), "seed \(seed)")
    }
  }

  struct ToolRegistryTestFailure: Error, CustomStringConvertible { var description: String { "four is too many" } }

  struct Answers: Approver {
    func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
      switch request.call.arguments {
      case .object(let arguments) where arguments["n"]?.intValue == 1:
        ApprovalDecision(.deny, reason: "not one", by: "user")
      default: ApprovalDecision(.allow, by: "user")
      }
    }
  }

  @Test(arguments: 0..<8)
  func `answers of an approver replay, refusals too`(_ round: Int) async throws {
    var asking = CountingTool()
    asking.requiresPermission = true
    var free = CountingTool()
    free.name = "free"
    var recorded = RecordedAgent(
      turns: [
        .calls(
          (0...2).map { ToolCall(id: "", name: "count", arguments: .object(["n": JSONValue($0)])) } + [
            ToolCall(id: "", name: "free", arguments: .object([:])),
            ToolCall(id: "", name: "none", arguments: .object([:])),
            ToolCall(id: "", name: "free", arguments: .object(["n": "x"])),
          ]), .text("Done."),
      ], tools: [asking, free])
    recorded.configuration.approver = Answers()
    defer { recorded.remove() }
    let events = try await recorded.record { _ = try await $0.send("Count.") }
    let replayed = try await recorded.replay()
    #expect(replayed.failure == nil)
    #expect(text(replayed.events) == text(events))
  }

  @Test func `a run that waits, is answered from outside and resumed replays`() async throws {
    var tool = CountingTool()
    tool.requiresPermission = true
    let recorded = RecordedAgent(turns: [calls(1...1), .text("One.")], tools: [tool])
    defer { recorded.remove() }
    let events = try await recorded.record { agent in
      await #expect(throws: AgentError.self) { try await agent.send("Count.") }
      var open: String?
      for try await record in agent.events(after: 0) {
        if case .approvalRequested(let request) = record.event { open = request.approvalId }
        if case .waiting = record.event { break }
      }
      let asked = try #require(open)
      try await agent.resolve(approval: asked, .allow)
      let answer = try await agent.resume()
      #expect(answer == "One.")
    }
    let replayed = try await recorded.replay()
    #expect(replayed.failure == nil)
    #expect(text(replayed.events) == text(events))
  }

  @Test func `several runs, queued messages and steering replay`() async throws {
    let gate = Gate()
    let recorded = RecordedAgent(
      turns: [
        ScriptedModel.Turn(
          ScriptedModel.Turn.text("First.").events, before: { _ in await gate.wait() }), .text("Steered."),
        .text("Second."), .text("Queued."),
      ])
    defer { recorded.remove() }
    let events = try await recorded.record { agent in
      async let answer = agent.send("One")
      await gate.arrived()
      _ = try await agent.steer("And this")
      let dropped = try await agent.enqueue("Forget it")
      let isDropped = try await agent.unqueue(dropped)
      #expect(isDropped)
      gate.open()
      _ = try await answer
      _ = try await agent.enqueue("Later")
      _ = try await agent.send("Two")
    }
    let replayed = try await recorded.replay()
    #expect(replayed.failure == nil)
    #expect(text(replayed.events) == text(events))
  }

  @Test func `failures, retries and cut replies replay`() async throws {
    let limited = ModelError(code: .rateLimited, message: "slow down", retryAfter: .milliseconds(5))
    let recorded = RecordedAgent(
      turns: [
        .failure(limited), .failure(ModelError(code: .overloaded, message: "busy")), .text("At last."),
        ScriptedModel.Turn([.text("Half an", index: 0)], error: ModelError(code: .connection, message: "gone")),
        .failure(ToolRegistryTestFailure()),
      ])
    defer { recorded.remove() }
    let events = try await recorded.record { agent in
      let answer = try await agent.send("One")
      #expect(answer == "At last.")
      for _ in 0..<2 { await #expect(throws: AgentError.self) { try await agent.send("Go on") } }
    }
    #expect(events.contains { if case .assistantMessage(let reply) = $0.event { reply.interrupted } else { false } })
    let replayed = try await recorded.replay()
    #expect(replayed.failure == nil)
    #expect(text(replayed.events) == text(events))
  }

  @Test(arguments: [ToolEffect.once, .readOnly], [true, false])
  func `a call that is cancelled replays`(_ effect: ToolEffect, _ obeys: Bool) async throws {
    let gate = Gate()
    var tool = CountingTool()
    tool.effect = effect
    tool.body = { _, _ in
      if obeys { try await gate.waitUnlessCancelled() } else { await gate.wait() }
      return .text("late")
    }
    let recorded = RecordedAgent(turns: [calls(1...1), .text("Never.")], tools: [tool])
    defer { recorded.remove() }
    let events = try await recorded.record { agent in
      async let answer = agent.send("Count.")
      await gate.arrived()
      async let cancelled: Void = agent.cancel()
      if !obeys { gate.open() }
      await cancelled
      do { _ = try await answer } catch { #expect((error as? AgentError)?.code == .cancelled) }
    }
    let replayed = try await recorded.replay()
    #expect(replayed.failure == nil)
    #expect(text(replayed.events) == text(events))
  }

  @Test(arguments: [true, false])
  func `a timeout replays as it was, without waiting`(_ obeys: Bool) async throws {
    let gate = Gate()
    var tool = CountingTool()
    tool.timeout = .milliseconds(5)
    tool.body = { _, _ in
      if obeys { try await Task.sleep(for: .seconds(600)) } else { await gate.wait() }
      return .text("late")
    }
    var recorded = RecordedAgent(turns: [calls(1...1), .text("Slow.")], tools: [tool])
    recorded.configuration.cancellationGrace = obeys ? .seconds(60) : .milliseconds(5)
    defer { recorded.remove() }
    let events = try await recorded.record {
      let answer = try await $0.send("Count.")
      #expect(answer == "Slow.")
    }
    gate.open()
    #expect(
      events.contains {
        if case .toolFinished(let end) = $0.event {
          end.result.code == (obeys ? .timeout : .toolAbandoned)
        } else {
          false
        }
      })
    let replayed = try await recorded.replay()
    #expect(replayed.failure == nil)
    #expect(text(replayed.events) == text(events))
  }

  // MARK: Differences

  @Test func `a changed prompt is named with its event, field and byte`() async throws {
    var recorded = RecordedAgent(turns: [.text("Hi.")])
    defer { recorded.remove() }
    try await recorded.record { _ = try await $0.send("Hello there") }
    recorded.configuration.instructions = "Be long."
    let failure = try await recorded.replay().failure
    #expect(failure?.code == .diverged)
    #expect(failure?.seq == 3)
    #expect(failure?.path == "instructions[0].text")
    let line = try Recording(path: recorded.path).events[2].json.text()
    let place = try #require(line.firstRange(of: "brief"))
    #expect(failure?.offset == line.utf8.distance(from: line.startIndex, to: place.lowerBound))
    #expect(failure?.message.contains("event 3 (context): instructions[0].text, byte ") == true)
  }

  @Test func `a tool that is missing or new is named`() async throws {
    var recorded = RecordedAgent(turns: [calls(1...1), .text("One.")], tools: [CountingTool()])
    defer { recorded.remove() }
    try await recorded.record { _ = try await $0.send("Count.") }
    recorded.tools = []
    #expect(try await recorded.replay().failure?.path == "tools[0]")
    var other = CountingTool()
    other.name = "other"
    recorded.tools = [CountingTool(), other]
    #expect(try await recorded.replay().failure?.path == "tools[1]")
  }

  /// The recording with one of its lines changed.
  private func changed(_ recorded: RecordedAgent, _ change: ([String]) -> [String]) throws -> Recording {
    try Recording(parsing: Array((change(try recorded.lines).joined(separator: "\n") + "\n").utf8))
  }

  @Test func `another output of a tool, another reply and another end are named`() async throws {
    let recorded = RecordedAgent(turns: [calls(1...1), .text("One.")], tools: [CountingTool()])
    defer { recorded.remove() }
    try await recorded.record { _ = try await $0.send("Count.") }
    let output = try changed(recorded) { lines in
      lines.map { $0.contains("\"tool_end\"") ? $0.replacing("counted 1", with: "counted 2") : $0 }
    }
    #expect(try await recorded.replay(output).failure?.path == "result.content[0].text")
    let reply = try changed(recorded) { lines in
      lines.map { $0.contains("\"model_events\"") ? $0.replacing("One.", with: "Two.") : $0 }
    }
    #expect(try await recorded.replay(reply).failure?.path == "message.content[0].text")
    let request = try changed(recorded) { lines in
      lines.map { $0.contains("\"model_request\"") ? $0.replacing("\"hash\":\"", with: "\"hash\":\"0") : $0 }
    }
    #expect(try await recorded.replay(request).failure?.message.contains("is asked") == true)
    let shorter = try changed(recorded) { lines in
      lines.filter { !$0.contains("\"record\"") || !$0.contains("\"type\":\"finished\"") }
    }
    let failure = try await recorded.replay(shorter).failure
    #expect(failure?.message.contains("ends with event") == true, "\(String(describing: failure))")
  }

  @Test func `what does not come at all ends the replay with its name`() async throws {
    let recorded = RecordedAgent(turns: [calls(1...1), .text("One.")], tools: [CountingTool()])
    defer { recorded.remove() }
    try await recorded.record { _ = try await $0.send("Count.") }
    // A call that nobody makes is to start first.
    let strange = try changed(recorded) { lines in
      lines.map {
        $0.contains("\"type\":\"tool_started\"") ? $0.replacing("\"id\":\"call_", with: "\"id\":\"xall_") : $0
      }
    }
    let failure = try await recorded.replay(strange, stallLimit: .milliseconds(300)).failure
    #expect(failure?.code == .stalled || failure?.code == .diverged, "\(String(describing: failure))")
    #expect(failure?.message.contains("tool_started") == true, "\(String(describing: failure))")
  }

  // MARK: Going on live, and being cut off

  @Test func `after any event a replay goes on live`() async throws {
    let tool = CountingTool()
    let recorded = RecordedAgent(turns: [calls(1...2), .text("Two.")], tools: [tool])
    defer { recorded.remove() }
    let events = try await recorded.record { _ = try await $0.send("Count.") }
    for last in 1...events.count {
      let model = ScriptedModel(keepsRequests: true) { _, request in
        request.messages.contains { $0.role == .tool } ? .text("Live.") : self.calls(7...7)
      }
      let replayed = try await recorded.replay(through: last, live: model)
      #expect(replayed.failure == nil, "\(last): \(String(describing: replayed.failure))")
      #expect(text(Array(replayed.events.prefix(last))) == text(Array(events.prefix(last))), "\(last)")
      guard case .finished(let end)? = replayed.events.last?.event else {
        Issue.record("after \(last) the run did not finish")
        continue
      }
      #expect(end.reason == .answered)
    }
  }

  @Test func `a recording cut at any line, or within one, replays up to there`() async throws {
    let recorded = RecordedAgent(turns: [calls(1...2), .text("Two.")], tools: [CountingTool()])
    defer { recorded.remove() }
    let events = try await recorded.record { _ = try await $0.send("Count.") }
    let lines = try recorded.lines
    for count in 1..<lines.count {
      let cut = Array((lines.prefix(count).joined(separator: "\n") + "\n" + lines[count].prefix(9)).utf8)
      let recording = try Recording(parsing: cut)
      #expect(!recording.isComplete)
      guard let last = recording.events.last?.seq else { continue }
      let replayed = try await recorded.replay(recording)
      #expect(replayed.failure?.code == .cut, "\(count): \(String(describing: replayed.failure))")
      #expect(replayed.failure?.message.contains("after event \(last)") == true, "\(count): \(lines[count].prefix(90))")
      #expect(text(replayed.events) == text(Array(events.prefix(last))), "\(count)")
    }
  }

  // MARK: Secrets

  @Test func `no secret is in a recording, in pieces neither, and it replays`() async throws {
    let key = "sk-ant-api03-" + String(repeating: "aB3", count: 20)
    let own = "correct-horse-battery"
    var tool = CountingTool()
    tool.body = { arguments, _ in .text("the key is \(key), the password \(own), \(arguments.text())") }
    let letters = "It is \(key) and \(own) here.".map { ModelEvent.text(String($0), index: 0) }
    let answer =
      letters + [
        .block(.text("It is \(key) and \(own) here."), index: 0), .finished(.endTurn, Usage(input: 1, output: 1)),
      ]
    let recorded = RecordedAgent(
      turns: [
        .calls([ToolCall(id: "", name: "count", arguments: .object(["key": .string(key), "n": 1]))]),
        ScriptedModel.Turn(answer),
        ScriptedModel.Turn(letters.dropLast(6), error: ModelError(code: .connection, message: "gone with \(key)")),
      ], tools: [tool], secrets: [own])
    defer { recorded.remove() }
    try await recorded.record { agent in
      _ = try await agent.send("My key is \(key), my password \(own).")
      await #expect(throws: AgentError.self) { try await agent.send("Again") }
    }
    let file = try String(contentsOfFile: recorded.path, encoding: .utf8)
    #expect(!file.contains(key) && !file.contains(own) && !file.contains("aB3aB3"))
    // The pieces of the reply, put together.
    let pieces = try Recording(path: recorded.path).textOfPieces
    #expect(pieces.contains("It is [redacted]*") && !pieces.contains("aB3") && !pieces.contains("horse"), "\(pieces)")
    let replayed = try await recorded.replay()
    #expect(
      replayed.failure == nil,
      "\(String(describing: replayed.failure)) \(String(describing: replayed.failure?.recorded)) \(String(describing: replayed.failure?.replayed))"
    )
    #expect(text(replayed.events) == text(try Recording(path: recorded.path).events))
  }

  // MARK: Files from elsewhere

  @Test func `a bit that was flipped anywhere is named where it shows, and harms nothing`() async throws {
    let recorded = RecordedAgent(turns: [calls(1...2), .text("Two.")], tools: [CountingTool()])
    defer { recorded.remove() }
    try await recorded.record { _ = try await $0.send("Count.") }
    let bytes = Array(try recorded.lines.joined(separator: "\n").utf8) + [0x0A]
    let offset = Int.random(in: 0..<23)
    for index in stride(from: offset, to: bytes.count, by: 23) {
      var changed = bytes
      changed[index] ^= 1 << (index % 7)
      guard let recording = try? Recording(parsing: changed) else { continue }
      let replayed = try await recorded.replay(recording, stallLimit: .milliseconds(60))
      guard let failure = replayed.failure else { continue }
      #expect(!failure.message.isEmpty)
      if failure.code == .diverged, failure.message.contains("differs from the recording at") {
        #expect(failure.seq != nil && failure.offset != nil, "byte \(index): \(failure)")
      }
    }
  }

  @Test func `bytes that are no recording are an error and nothing worse`() async throws {
    let recorded = RecordedAgent(turns: [calls(1...1), .text("One.")], tools: [CountingTool()])
    defer { recorded.remove() }
    try await recorded.record { _ = try await $0.send("Count.") }
    let bytes = Array(try recorded.lines.joined(separator: "\n").utf8) + [0x0A]
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<300 {
      var mutated = bytes
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let index = Int.random(in: 0..<mutated.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: mutated[index] = UInt8.random(in: 0...255, using: &random)
        case 1: mutated.remove(at: index)
        case 2: mutated.insert(contentsOf: mutated[index..<min(mutated.count, index + 40)], at: index)
        default: mutated.removeLast(min(mutated.count - 1, Int.random(in: 0..<200, using: &random)))
        }
      }
      do {
        let recording = try Recording(parsing: mutated)
        if round % 20 == 0 { _ = try await recorded.replay(recording, stallLimit: .milliseconds(200)) }
      } catch is RecordingError {
        // Said and done.
      } catch {
        Issue.record("seed \(seed), round \(round): \(error)")
      }
    }
    #expect(throws: RecordingError.self) { try Recording(parsing: []) }
    let newer = #expect(throws: RecordingError.self) {
      try Recording(parsing: Array("{\"martlet_recording\":2}\n".utf8))
    }
    #expect(newer?.code == .tooNew)
  }
}
