import Foundation
import Martlet
import MartletHTTP
import MartletJSON
import MartletProviders
import MartletSimulators
import MartletSync
import MartletTesting
import Testing

/// Recordings of each client of ours against the simulator of its provider, byte by byte.
@Suite(.timeLimit(.minutes(2))) struct RecordedWireTests {
  static let key = "sk-very-secret-key-0123456789"
  /// Not of any known shape, so only the process knows that it is a secret.
  static let plainKey = "open sesame, please"

  private struct NoNetwork: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      Issue.record("a replay sent a request")
      throw HTTPError(.cannotConnect, "There is no network.")
    }
  }

  private func agent(
    _ model: any LanguageModel, _ environment: AgentEnvironment, _ store: any SessionStore, session: String? = nil
  ) throws -> Agent {
    Agent(
      model: model, tools: try ToolRegistry([AddTool()]), configuration: AgentConfiguration(instructions: "Add."),
      session: session, store: store, environment: environment)
  }

  /// Records runs against a simulator and replays them without one.
  private func check(
    _ tested: ProviderUnderTest, _ simulator: ProviderSimulator, key: String = key,
    clock: any Clock<Duration> = ContinuousClock(),
    prompts: [String] = ["Add."],
    look: (String, [EventRecord]) throws -> Void = { _, _ in }
  ) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "martlet-\(UUID().uuidString).jsonl").path
    defer { unlink(path) }
    let recorder = try Recorder(path: path, secrets: [Self.plainKey])
    let base = AgentEnvironment(clock: clock)
    let store = InMemorySessionStore()
    let recorded = try agent(
      tested.makeModel(key, "http://simulator", RecordingTransport(simulator.transport, recorder: recorder)),
      recorder.environment(base), recorder.recording(store))
    for prompt in prompts {
      do { _ = try await recorded.send(prompt) } catch is AgentError {
        // Failures replay as well.
      }
    }
    await recorded.close()
    try recorder.finish()
    let file = try String(contentsOfFile: path, encoding: .utf8)
    #expect(!file.contains(key) && !file.contains(Self.plainKey) && !file.contains("\"x-api-key\""))
    let recording = try Recording(path: path)
    try look(file, recording.events)

    let replay = Replay(recording)
    let replayStore = InMemorySessionStore()
    let replayed = try agent(
      tested.makeModel("another key", "http://simulator", ReplayTransport(replay, live: NoNetwork())),
      replay.environment(base), replay.store(replayStore), session: replay.session)
    do { try await replay.run(replayed) } catch let error as RecordingError {
      Issue.record("\(error); recorded \(error.recorded ?? "") replayed \(error.replayed ?? "")")
    }
    await replayed.close()
    let events = try await replayStore.records(of: replay.session, owner: "local", after: 0, limit: 1_000)
    #expect(events.map { $0.json.text() } == recording.events.map { $0.json.text() })
  }

  @Test(arguments: ProviderUnderTest.all)
  func `a run with tools replays byte for byte`(_ tested: ProviderUnderTest) async throws {
    let simulator = ProviderSimulator(tested.provider, script: AgentAgainstSimulatorTests.script)
    try await check(tested, simulator) { _, events in
      guard case .finished(let end)? = events.last?.event else {
        Issue.record("not finished")
        return
      }
      #expect(end.reason == .answered)
    }
  }

  @Test(arguments: ProviderUnderTest.all, AgentAgainstSimulatorTests.misbehaviours)
  func `misbehaviour of a provider replays`(
    _ tested: ProviderUnderTest, _ misbehaviour: AgentAgainstSimulatorTests.Misbehaviour
  ) async throws {
    let text = "The answer is a longer text, so that the middle of it is somewhere."
    let simulator = ProviderSimulator(
      tested.provider,
      script: SimulatorScript([.text(text, pieceSize: 1)], repeatsLastReply: true, faults: misbehaviour.faults),
      clock: HastyClock())
    try await check(tested, simulator, clock: HastyClock(), prompts: ["Go"])
  }

  @Test(arguments: ProviderUnderTest.all, [1, 2, 7, 10_000])
  func `a secret in a reply, in any pieces, is not recorded and replays`(
    _ tested: ProviderUnderTest, _ pieceSize: Int
  ) async throws {
    let secret = "ghp_" + String(repeating: "aB3d", count: 9)
    let own = Self.plainKey
    let text = "Here: \(secret) and \(own). Ende — é"
    let simulator = ProviderSimulator(
      tested.provider,
      script: SimulatorScript(
        [
          SimulatedReply(
            [
              .thinking("They say \(secret)…"), .text(text),
              .call(SimulatedCall("add", ["a": 2, "b": 2, "note": .string(secret)])),
            ], pieceSize: pieceSize), .text(text, pieceSize: pieceSize),
        ], faults: [SimulatedFault(chunkSize: pieceSize)], repeatsFaults: true))
    try await check(tested, simulator, prompts: ["My token is \(secret)."]) { file, events in
      #expect(!file.contains(secret))
      // What the pieces come to.
      let replies = events.compactMap {
        if case .assistantMessage(let reply) = $0.event { reply.message.text } else { nil }
      }
      #expect(replies.contains { $0.contains("[redacted]***") }, "\(replies)")
      #expect(!replies.joined().contains("aB3d"))
      let chunks = file.split(separator: "\n").filter { $0.contains("\"chunk\"") }.joined()
      #expect(!chunks.contains("aB3da") && !chunks.contains("sesame"))
    }
  }
}
