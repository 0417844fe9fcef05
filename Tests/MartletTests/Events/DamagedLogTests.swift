import Foundation
import MartletJSON
import MartletTesting
import Testing

@testable import Martlet

/// Logs as a store or a client may get them: torn, out of order, damaged, of another version. `MARTLET_FUZZ_ROUNDS` sets
/// how many are tried, `MARTLET_FUZZ_SEED` where they begin.
@Suite struct DamagedLogTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let rounds = environment["MARTLET_FUZZ_ROUNDS"].flatMap(Int.init) ?? 400
  private static let firstSeed = environment["MARTLET_FUZZ_SEED"].flatMap(UInt64.init) ?? 1

  /// The records of a session with calls, an approval, a correction and a cancelled run.
  private static func log() async throws -> [JSONValue] {
    let store = InMemorySessionStore()
    let model = ScriptedModel([
      .calls([
        ToolCall(id: "c1", name: "look", arguments: ["x": 1]), ToolCall(id: "c2", name: "send", arguments: [:]),
        ToolCall(id: "c3", name: "nothing", arguments: [:]),
      ]), .text("no"), .text("{\"days\":3}"), .failure(ModelError(code: .authentication, message: "no key")),
    ])
    let tools = try ToolRegistry([Look(), Send()])
    let agent = Agent(
      model: model, tools: tools,
      configuration: AgentConfiguration(outputSchema: ["type": "object", "required": ["days"]]), session: "s",
      store: store)
    await #expect(throws: AgentError.self) { try await agent.send("Go") }  // parked
    let approval = try #require(await agent.loop.openApprovals.first)
    try await agent.resolve(approval: approval.approvalId, ApprovalDecision(.allow))
    #expect(try await agent.resume() == "{\"days\":3}")
    _ = try await agent.enqueue("And then?")
    await #expect(throws: AgentError.self) { try await agent.send("More") }
    return try await store.records(of: "s", owner: "local", after: 0, limit: 1_000).map(\.json)
  }

  private struct Look: Tool {
    let name = "look"
    let description = "Looks."
    let effect = ToolEffect.readOnly
    let parameters: JSONValue = ["type": "object"]
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput { .text("seen") }
  }

  private struct Send: Tool {
    let name = "send"
    let description = "Sends."
    let requiresPermission = true
    let parameters: JSONValue = ["type": "object"]
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput { .text("sent") }
  }

  private static func damaged(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
    let others: [JSONValue] = [
      .null, true, -1, 0, 1.5, 9_007_199_254_740_993, "", "x", "2026-11-30T09:14:05.123Z", [], [:], [[:]], ["c1"],
      ["type": "text"], ["role": "tool", "content": []],
    ]
    switch value {
    case .object(var object) where !object.isEmpty && random.chance(0.9):
      let key = random.pick(Array(object.keys))
      if random.chance(0.15) {
        _ = object.removeValue(forKey: key)
      } else if let inner = object[key] {
        object[key] = damaged(inner, &random)
      }
      return .object(object)
    case .array(var array) where !array.isEmpty && random.chance(0.9):
      let index = Int.random(in: 0..<array.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: array.remove(at: index)
      case 1: array.append(array[index])
      default: array[index] = damaged(array[index], &random)
      }
      return .array(array)
    default: return random.pick(others)
    }
  }

  @Test func `a damaged log is read as far as it goes, and nothing in it ends the program`() async throws {
    let log = try await Self.log()
    try #require(log.count > 20)
    for round in 0..<Self.rounds {
      let seed = Self.firstSeed &+ UInt64(round)
      var random = SeededGenerator(seed: seed)
      var records = log
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<records.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: records.remove(at: index)
        case 1: records.insert(records[index], at: Int.random(in: 0...records.count, using: &random))
        case 2: records.swapAt(index, Int.random(in: 0..<records.count, using: &random))
        case 3: records = Array(records.prefix(max(1, index)))
        default: records[index] = Self.damaged(records[index], &random)
        }
      }
      // With or without numbers: a foreign log may have none that follow.
      let isNumbered = random.chance(0.5)
      var loop = AgentLoop()
      var transcript = Transcript()
      for json in records {
        guard let record = try? EventRecord(json: json) else { continue }
        let again = try? EventRecord(json: record.json)
        #expect(again == record, "seed \(seed): \(record.json.text())")
        if isNumbered { loop.apply(record) } else { loop.apply(record.event) }
        _ = transcript.apply(record)
        _ = loop.pendingEffects
      }
      for case .callModel(let call) in loop.pendingEffects {
        let request = loop.request(for: call, session: "s")
        #expect(request.messages.count == loop.history.count, "seed \(seed)")
      }
      // What an app assigns from such a log is repaired to something that every provider takes.
      let repaired = HistoryRepair.repaired(Array(loop.history) + [.user("And now?")])
      #expect(MessageRules.violations(in: repaired).isEmpty, "seed \(seed)")
      #expect(HistoryRepair.repaired(repaired) == repaired, "seed \(seed)")
    }
  }

  @Test func `a line that was cut anywhere is an error and never another record`() async throws {
    let text = try await Self.log().map { $0.text() }
    for line in text {
      let whole = try EventRecord(json: JSONValue(parsing: line))
      let bytes = Array(line.utf8)
      for count in stride(from: 0, to: bytes.count, by: 7) {
        let cut = try? EventRecord(json: JSONValue(parsing: bytes[..<count]))
        #expect(cut == nil || cut == whole)
      }
    }
  }
}
