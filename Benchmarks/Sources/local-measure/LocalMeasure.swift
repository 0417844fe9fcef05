import Foundation
import Martlet
import MartletLocal
import MartletTools

/// `local-measure MODEL.gguf`: how many of ten wordings an on-device model answers rightly with the built-in tools, at
/// temperature 0. Right is: the tools that are needed were called without an error, and the answer states what they said.
@main
struct LocalMeasure {
  let model: LocalModel
  let tools: ToolRegistry

  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: local-measure MODEL.gguf")
      exit(2)
    }
    setvbuf(stdout, nil, _IOLBF, 0)  // each answer is seen when it is there
    let measure = try await LocalMeasure(
      model: LocalModel.open(CommandLine.arguments[1]), tools: ToolRegistry(BuiltInTools.all()))
    await measure.count("arithmetic", Wordings.arithmetic) { $0.calls == ["calculator"] && $0.answer.contains("92") }
    await measure.count("weekday", Wordings.weekday) {
      $0.calls == ["currentDateTime"] && $0.answer.contains(weekdayInTokyo())
    }
    await measure.count("both", Wordings.joint) {
      Set($0.calls) == ["calculator", "currentDateTime"] && $0.answer.contains("92")
        && $0.answer.contains(weekdayInTokyo())
    }
    await measure.count("no tool needed", Wordings.chat) { $0.isFinished && $0.calls.isEmpty }
  }

  /// What came of one prompt.
  struct Outcome {
    var calls: [String] = []
    var answer = ""
    var isFinished = false
  }

  private func count(_ title: String, _ prompts: [String], _ isRight: (Outcome) -> Bool) async {
    var right = 0
    var finished = 0
    let start = ContinuousClock.now
    print("\n\(title)")
    for prompt in prompts {
      let outcome = await ask(prompt)
      let isGood = isRight(outcome)
      right += isGood ? 1 : 0
      finished += outcome.isFinished ? 1 : 0
      let answer = outcome.answer.split(whereSeparator: \.isNewline).joined(separator: "⏎").prefix(110)
      print("  \(isGood ? "right" : "WRONG") \(prompt) → \(outcome.calls) \(answer)")
    }
    let each = (ContinuousClock.now - start) / .seconds(1) / Double(prompts.count)
    let seconds = each.formatted(.number.precision(.fractionLength(1)))
    print("RESULT \(title): right \(right) of \(prompts.count), finished \(finished), \(seconds) s each")
  }

  private func ask(_ prompt: String) async -> Outcome {
    let agent = Agent(
      model: model, tools: tools,
      configuration: AgentConfiguration(options: ModelOptions(maxOutputTokens: 120, temperature: 0)))
    var outcome = Outcome()
    do {
      outcome.answer = try await agent.send(prompt)
      outcome.isFinished = true
    } catch {
      outcome.answer = "\(error)"
    }
    for message in await agent.messages where message.role == .tool {
      outcome.calls += message.toolResults.filter { !$0.isError }.map(\.name)
    }
    await agent.close()
    return outcome
  }

  private static func weekdayInTokyo() -> String {
    let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 9 * 3600) ?? .current  // Japan has no summer time
    return names[calendar.component(.weekday, from: Date()) - 1]
  }
}
