import Foundation
import Martlet
import MartletJSON
import MartletTesting

/// What one pass of the loop costs beside the model and the tool, and what an agent weighs.
@main struct LoopBench {
  static func main() async throws {
    print("\nOne pass of the loop: instant model, trivial tool, in-memory log")
    print("  messages before        µs/pass      passes/s       of 10 messages")
    var first: Double?
    for length in [10, 100, 1_000, 10_000] {
      var best = Double.infinity
      for _ in 0..<7 { best = min(best, try await secondsPerPass(history: length, passes: 400)) }
      let base = first ?? best
      first = base
      print(
        "  \(pad(length, 15)) \(pad(String(format: "%.1f", best * 1e6), 14)) \(pad(Int(1 / best), 13)) "
          + pad(String(format: "%.2f ×", best / base), 20))
    }

    print("\nIdle agents, each after one answered prompt")
    let before = residentBytes()
    var agents: [Agent] = []
    let count = 10_000
    for index in 0..<count {
      let agent = try Agent(model: ScriptedModel([.text("Hello.")]), tools: [Trivial()], instructions: "Be brief.")
      _ = try await agent.send("Hi \(index)")
      agents.append(agent)
    }
    let used = residentBytes() - before
    print(
      "  \(count) agents: \(used / 1_048_576) MiB, \(String(format: "%.1f", Double(used) / Double(count) / 1024)) KiB each"
    )
    withExtendedLifetime(agents) {}
  }

  struct Trivial: Tool {
    let name = "echo"
    let description = "Repeats a text."
    let effect = ToolEffect.readOnly
    var parameters: JSONValue { ["type": "object", "properties": ["text": ["type": "string"]]] }
    func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput { .text("ok") }
  }

  static func secondsPerPass(history length: Int, passes: Int) async throws -> Double {
    var messages: [Message] = []
    for index in 0..<length / 2 {
      messages.append(.user("Question \(index) about something of ordinary length."))
      messages.append(.assistant(text: "Answer \(index), which is about as long as the question was."))
    }
    let clock = ContinuousClock()
    let times = Times()
    let model = ScriptedModel(keepsRequests: false) { index, _ in
      if index == 0 { times.start = clock.now }
      if index == passes {
        times.end = clock.now
        return .text("Done.")
      }
      return .calls([ToolCall(id: "", name: "echo", arguments: ["text": .string("\(index)")])])
    }
    let agent = Agent(
      model: model, tools: try ToolRegistry([Trivial()]),
      configuration: AgentConfiguration(budget: Budget(iterations: passes + 1)), messages: messages)
    _ = try await agent.send("Go")
    return (times.end - times.start) / .seconds(1) / Double(passes)
  }

  /// Written by the model's calls, one after the other, and read when they are over.
  final class Times: @unchecked Sendable {
    var start = ContinuousClock.now
    var end = ContinuousClock.now
  }

  static func residentBytes() -> Int {
    // Linux tells pages; elsewhere the memory is not measured.
    do {
      let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4_096
    } catch {
      return 0
    }
  }

  static func pad(_ value: some CustomStringConvertible, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - value.description.count)) + value.description
  }
}
