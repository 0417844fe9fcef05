import Martlet
import MartletHTTP
import MartletJSON
import MartletProviders
import MartletSimulators
import MartletSync
import MartletTesting
import Testing

/// The agent with each client of ours, against the simulator of its provider.
@Suite(.timeLimit(.minutes(5))) struct AgentAgainstSimulatorTests {
  /// Thinking, text, a call, then two at once, then the answer; pieces of one character.
  static let script = SimulatorScript([
    SimulatedReply(
      [.thinking("Two and two… é"), .text("Let me add."), .call(SimulatedCall("add", ["a": 2, "b": 2]))], pieceSize: 1),
    .calls(SimulatedCall("add", ["a": -1, "b": 1000]), SimulatedCall("add", ["b": 5, "a": 4]), pieceSize: 1),
    .text("It is 4 — “vier”, 999 and 9. 🐦", pieceSize: 1),
  ])
  static let answer = "It is 4 — “vier”, 999 and 9. 🐦"

  private func agent(_ model: any LanguageModel, clock: any Clock<Duration> = ContinuousClock()) throws -> Agent {
    Agent(
      model: model, tools: try ToolRegistry([AddTool()]),
      configuration: AgentConfiguration(instructions: "Add."),
      environment: AgentEnvironment(clock: clock, random: { 0 }))
  }

  @Test(arguments: ProviderUnderTest.all)
  func `a run with tools keeps every rule of the provider`(_ tested: ProviderUnderTest) async throws {
    let simulator = ProviderSimulator(tested.provider, script: Self.script)
    let agent = try agent(tested.model(simulator))
    #expect(try await agent.send("Add.") == Self.answer)
    #expect(simulator.violations == [])
    #expect(simulator.exchanges.map(\.status) == [200, 200, 200])
    #expect(simulator.exchanges.map(\.end) == [.complete, .complete, .complete])
    let messages = await agent.messages
    #expect(messages[2].toolResults.map(\.text) == ["4"])
    #expect(messages[4].toolResults.map(\.text) == ["999", "9"])
    // And the conversation goes on.
    simulator.script = SimulatorScript([.text("Fine.")], repeatsLastReply: true)
    #expect(try await agent.send("And?") == "Fine.")
    #expect(simulator.violations == [])
  }

  @Test(arguments: ProviderUnderTest.all)
  func `what a tool call says too much or wrongly goes back as a result that the rules allow`(
    _ tested: ProviderUnderTest
  ) async throws {
    var replies: [SimulatedReply] = [
      .calls(SimulatedCall("add", ["a": "x"]), SimulatedCall("subtract", ["a": 1])), .text("Sorry."),
    ]
    if tested.provider != .gemini, tested.provider != .ollama {
      // Arguments that are no JSON can only come where they come as text.
      replies.insert(.calls(SimulatedCall("add", text: #"{"a": 1, "b"#)), at: 1)
    }
    let simulator = ProviderSimulator(tested.provider, script: SimulatorScript(replies))
    #expect(try await agent(tested.model(simulator)).send("Add.") == "Sorry.")
    #expect(simulator.violations == [])
  }

  // MARK: Misbehaviour

  /// What goes wrong with the first requests, and what must come of it.
  struct Misbehaviour: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
      /// Answered after waiting so often and so long (milliseconds).
      case answered(after: [Int])
      case failed(ModelError.Code, isPartial: Bool = false)
    }

    var name: String
    var faults: [SimulatedFault?]
    var outcome: Outcome
    var testDescription: String { name }

    init(_ name: String, _ faults: SimulatedFault?..., outcome: Outcome) {
      self.name = name
      self.faults = faults
      self.outcome = outcome
    }
  }

  static let misbehaviours: [Misbehaviour] = [
    Misbehaviour("429, seconds", .rateLimited(headers: ["retry-after": "2"]), outcome: .answered(after: [2_000])),
    Misbehaviour("429, fraction", .rateLimited(headers: ["retry-after": "0.25"]), outcome: .answered(after: [250])),
    Misbehaviour("429, ms", .rateLimited(headers: ["retry-after-ms": "1500"]), outcome: .answered(after: [1_500])),
    Misbehaviour(
      "429, date",
      .rateLimited(
        headers: ["date": "Thu, 01 Jan 2026 00:00:00 GMT", "retry-after": "Thu, 01 Jan 2026 00:00:03 GMT"]),
      outcome: .answered(after: [3_000])),
    Misbehaviour(
      "429, a date that has passed", .rateLimited(headers: ["retry-after": "Thu, 01 Jan 2026 00:00:00 GMT"]),
      outcome: .answered(after: [500])),
    Misbehaviour("429, none", .rateLimited(headers: ["retry-after": "0"]), outcome: .answered(after: [500])),

    Misbehaviour("429, nothing", .rateLimited(), outcome: .answered(after: [500])),
    Misbehaviour("429 twice", .rateLimited(), .rateLimited(), outcome: .answered(after: [500, 1_000])),
    Misbehaviour(
      "429 for ever", .rateLimited(), .rateLimited(), .rateLimited(), outcome: .failed(.rateLimited)),
    Misbehaviour(
      "429, not to be retried", .rateLimited(headers: ["x-should-retry": "false"]), outcome: .failed(.rateLimited)),
    Misbehaviour(
      "429, an hour", .rateLimited(headers: ["retry-after": "3600"]), outcome: .failed(.rateLimited)),
    Misbehaviour("500", SimulatedFault(status: 500), outcome: .answered(after: [500])),
    Misbehaviour("503", SimulatedFault(status: 503), outcome: .answered(after: [500])),
    Misbehaviour("529", SimulatedFault(status: 529, headers: ["retry-after": "1"]), outcome: .answered(after: [1_000])),
    Misbehaviour("401", SimulatedFault(status: 401), outcome: .failed(.authentication)),
    Misbehaviour("403", SimulatedFault(status: 403), outcome: .failed(.permission)),
    Misbehaviour("404", SimulatedFault(status: 404), outcome: .failed(.modelNotFound)),
    Misbehaviour("413", SimulatedFault(status: 413), outcome: .failed(.requestTooLarge)),
    Misbehaviour(
      "a proxy's page with 502", SimulatedFault(status: 502, body: "<html>Bad Gateway", contentType: "text/html"),
      outcome: .answered(after: [500])),
    Misbehaviour("an empty body with 503", SimulatedFault(status: 503, body: ""), outcome: .answered(after: [500])),
    Misbehaviour(
      "a page with 200", SimulatedFault(body: "<html>Welcome", contentType: "text/html"),
      outcome: .failed(.invalidResponse)),
    Misbehaviour("one document", SimulatedFault(isWhole: true), outcome: .failed(.invalidResponse)),
    Misbehaviour("nothing", SimulatedFault(endAfter: 0), outcome: .answered(after: [500])),
    Misbehaviour("an error at once", SimulatedFault(errorAfter: 0), outcome: .answered(after: [500])),
    Misbehaviour("cut at once", SimulatedFault(cutAfter: 0), outcome: .answered(after: [500])),
    Misbehaviour("a slow head", SimulatedFault(headDelay: .seconds(30)), outcome: .answered(after: [])),
    Misbehaviour("a slow first byte", SimulatedFault(firstByteDelay: .seconds(30)), outcome: .answered(after: [])),
    Misbehaviour(
      "a stream that calls itself a text", SimulatedFault(contentType: "text/plain"), outcome: .answered(after: [])),
    Misbehaviour(
      "bytes of no type, one by one", SimulatedFault(contentType: "application/octet-stream", chunkSize: 1),
      outcome: .answered(after: [])),
    Misbehaviour(
      "a text with 200", SimulatedFault(body: "default backend - 404", contentType: "text/plain"),
      outcome: .failed(.invalidResponse)),
    Misbehaviour("CRLF", SimulatedFault(lineBreak: .crlf), outcome: .answered(after: [])),
    Misbehaviour("comments", SimulatedFault(hasComments: true), outcome: .answered(after: [])),
    Misbehaviour("single bytes", SimulatedFault(chunkSize: 1), outcome: .answered(after: [])),
    Misbehaviour(
      "single bytes with CRLF and comments", SimulatedFault(lineBreak: .crlf, hasComments: true, chunkSize: 1),
      outcome: .answered(after: [])),
    Misbehaviour("cut in the middle", SimulatedFault(cutAfter: 3_000), outcome: .failed(.connection, isPartial: true)),
    Misbehaviour(
      "ended in the middle", SimulatedFault(endAfter: 3_000), outcome: .failed(.truncatedStream, isPartial: true)),
  ]

  @Test(arguments: ProviderUnderTest.all, misbehaviours)
  func `misbehaviour is a typed error or tried again, never a silent success`(
    _ tested: ProviderUnderTest, _ misbehaviour: Misbehaviour
  ) async throws {
    let text = "The answer is a longer text, so that the middle of it is somewhere."
    let simulator = ProviderSimulator(
      tested.provider,
      script: SimulatorScript([.text(text, pieceSize: 1)], repeatsLastReply: true, faults: misbehaviour.faults),
      clock: HastyClock())
    let clock = HastyClock()
    let agent = try agent(tested.model(simulator), clock: clock)
    switch misbehaviour.outcome {
    case .answered(let delays):
      #expect(try await agent.send("Go") == text)
      #expect(clock.sleeps == delays.map { .milliseconds($0) })
      #expect(simulator.violations == [])
    case .failed(let code, let isPartial):
      let error = await #expect(throws: AgentError.self) { try await agent.send("Go") }
      #expect((error?.underlying as? ModelError)?.code == code, "\(String(describing: error))")
      let kept = await agent.messages.last
      #expect((kept?.role == .assistant) == isPartial)
      if isPartial { #expect(text.hasPrefix(kept?.text ?? "?") && kept?.text.isEmpty == false) }
      // The session is not bricked.
      #expect(try await agent.send("Again") == text)
      #expect(simulator.violations == [])
    }
  }

  @Test(arguments: ProviderUnderTest.all)
  func `an error in the middle of a stream is typed, and what came is kept`(_ tested: ProviderUnderTest) async throws {
    let simulator = ProviderSimulator(
      tested.provider,
      script: SimulatorScript(
        [.text("Partial answer", pieceSize: 1), .text("Whole.")], faults: [SimulatedFault(errorAfter: 9)]))
    let agent = try agent(tested.model(simulator))
    let error = await #expect(throws: AgentError.self) { try await agent.send("Go") }
    let code = (error?.underlying as? ModelError)?.code
    #expect(code == .overloaded || code == .serverError, "\(String(describing: error))")
    #expect(await agent.messages.last?.text.isEmpty == false)
    #expect(try await agent.send("Go on") == "Whole.")
    #expect(simulator.violations == [])
  }

  @Test(arguments: ProviderUnderTest.all)
  func `a wrong key is an error that does not tell it`(_ tested: ProviderUnderTest) async throws {
    let simulator = ProviderSimulator(tested.provider, script: SimulatorScript([.text("Hi")], key: "the-right-key"))
    let agent = try agent(tested.model(simulator, key: "sk-secret-key"))
    let error = await #expect(throws: AgentError.self) { try await agent.send("Go") }
    #expect((error?.underlying as? ModelError)?.code == .authentication)
    #expect(!"\(String(describing: error))".contains("secret"))
  }
}
