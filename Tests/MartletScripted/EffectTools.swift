import Foundation
import Martlet
import MartletCLI
import MartletJSON

/// Tools whose effects stay on the disk, so that a test can count them after the program was killed: each call adds a line
/// with its id to a file of the directory that `MARTLET_EFFECTS` names.
struct EffectTools: ToolCatalog {
  let directory: String

  func tools(directory: String) throws -> [any Tool] {
    ToolEffect.allCases.map { EffectTool(effect: $0, directory: self.directory) }
  }
}

struct EffectTool: Tool {
  let effect: ToolEffect
  let directory: String
  var name: String { effect.rawValue }
  var description: String { "Leaves a trace. Use it in tests." }
  let parameters: JSONValue = ["type": "object", "properties": [:]]

  struct Failure: Error {}

  func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
    let descriptor = open("\(directory)/\(name)", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure() }
    defer { close(descriptor) }
    let line = Array("\(context.callId)\n".utf8)
    guard write(descriptor, line, line.count) == line.count else { throw Failure() }
    // So that there is time in which the effect is there and its result is not.
    try await Task.sleep(for: .milliseconds(2))
    return .text("done")
  }
}

/// A model that calls the tools of `EffectTools` for three turns and then answers. Which turn it is follows from the results
/// since the user's last word, so that it goes on rightly in any process.
struct EffectModel: LanguageModel {
  let info = ModelInfo(provider: "scripted", id: "effects", price: .free)

  func stream(_ request: ModelRequest) -> ModelStream {
    let start = request.messages.lastIndex { $0.role == .user } ?? 0
    let turn = request.messages[start...].count { $0.role == .tool }
    var events: [ModelEvent] = []
    if turn < 3 {
      events.append(.block(.text("Turn \(turn)."), index: 0))
      for (index, effect) in [ToolEffect.once, .readOnly, .idempotent, .once].enumerated() {
        events.append(
          .block(.toolCall(ToolCall(id: "", name: effect.rawValue, arguments: .object([:]))), index: index + 1))
      }
      events.append(.finished(.toolUse, Usage(input: 10, output: 5)))
    } else {
      events = [
        .text("Done.", index: 0), .block(.text("Done."), index: 0), .finished(.endTurn, Usage(input: 10, output: 5)),
      ]
    }
    return ModelStream(events)
  }
}

/// Gives `EffectModel` under any name.
struct EffectModels: ModelCatalog {
  func model(named name: String, settings: ModelSettings, context: CommandContext) async throws -> any LanguageModel {
    EffectModel()
  }
}
