import Foundation
import Martlet
import MartletCLI
import MartletJSON
import MartletProcess

/// Gives, under any name, the model whose script is the JSON file that `MARTLET_SCRIPT` names: a list of turns.
///
/// A turn: `{"text", "calls": [{"name", "arguments"}], "stop", "error": {"code", "message"}, "waits": true}`; one that
/// waits says its text and then nothing more until it is cancelled.
struct ScriptedCatalog: ModelCatalog {
  struct Failure: Error { let message: String }

  func model(named name: String, settings: ModelSettings, context: CommandContext) async throws -> any LanguageModel {
    guard let path = context.environment["MARTLET_SCRIPT"], let file = FileManager.default.contents(atPath: path) else {
      throw Failure(message: "MARTLET_SCRIPT names no file")
    }
    let turns = try JSONValue(parsing: [UInt8](file)).arrayValue ?? []
    return ScriptModel(turns: turns)
  }
}

struct ScriptModel: LanguageModel {
  let info = ModelInfo(provider: "scripted", id: "script", price: .free)
  let turns: [JSONValue]

  func stream(_ request: ModelRequest) -> ModelStream {
    // Which turn it is follows from the request: one assistant message for each turn before.
    let index = request.messages.count { $0.role == .assistant }
    guard index < turns.count else {
      return ModelStream([], error: ModelError(code: .invalidRequest, message: "the script has no turn \(index + 1)"))
    }
    return ModelStream { [turn = turns[index]] in Playing(turn: turn) }
  }

  private struct Playing: ModelStream.Source {
    let turn: JSONValue
    var step = 0

    mutating func next() async throws -> [ModelEvent]? {
      defer { step += 1 }
      switch step {
      case 0: return previews.isEmpty ? [.requestId("r")] : previews
      case 1:
        if turn["waits"] == true { try await Task.sleep(for: .seconds(3600)) }
        if let error = turn["error"] {
          throw ModelError(
            code: .init(rawValue: error["code"]?.stringValue ?? "server_error"),
            message: error["message"]?.stringValue ?? "failed", isRetryable: false)
        }
        return blocks
      default: return nil
      }
    }

    private var text: String { turn["text"]?.stringValue ?? "" }

    private var previews: [ModelEvent] {
      text.unicodeScalars.map { .text(String($0), index: 0) }
    }

    private var blocks: [ModelEvent] {
      var events: [ModelEvent] = text.isEmpty ? [] : [.block(.text(text), index: 0)]
      let calls = turn["calls"]?.arrayValue ?? []
      for (index, call) in calls.enumerated() {
        let call = ToolCall(
          id: "", name: call["name"]?.stringValue ?? "",
          arguments: call["arguments"]?.objectValue.map { .object($0) }
            ?? .unparsed(text: call["arguments"]?.text() ?? "", reason: "not an object"))
        events.append(.block(.toolCall(call), index: index + 1))
      }
      let stop = turn["stop"]?.stringValue.map(StopReason.init(rawValue:)) ?? (calls.isEmpty ? .endTurn : .toolUse)
      return events + [.finished(stop, Usage(input: 10, output: 5))]
    }
  }
}

struct ScriptedTools: ToolCatalog {
  func tools(directory: String) throws -> [any Tool] { [Echo(), Keep(), Hold()] }
}

/// Says what it is told; changes nothing.
struct Echo: Tool {
  struct Arguments: Decodable, Sendable { var text: String }
  let name = "echo"
  let description = "Says the text again. Use it in tests."
  let effect = ToolEffect.readOnly
  let parameters: JSONValue = [
    "type": "object", "properties": ["text": ["type": "string"]], "required": ["text"],
  ]

  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput { .text(arguments.text) }
}

/// Writes a file in the working directory; needs permission.
struct Keep: Tool {
  struct Arguments: Decodable, Sendable { var name: String }
  let name = "keep"
  let description = "Writes an empty file. Use it in tests."
  let requiresPermission = true
  let parameters: JSONValue = [
    "type": "object", "properties": ["name": ["type": "string"]], "required": ["name"],
  ]

  func call(arguments: Arguments, context: ToolContext) async throws -> ToolOutput {
    let path = "\(context.workingDirectory)/\(arguments.name)"
    return FileManager.default.createFile(atPath: path, contents: nil) ? .text("kept") : .failure("not kept")
  }
}

/// Starts a program that does not end by itself and takes no hint, says its id, and waits for it.
struct Hold: Tool {
  let name = "hold"
  let description = "Waits for ever. Use it in tests."
  let parameters: JSONValue = ["type": "object", "properties": [:]]

  func call(arguments: JSONValue, context: ToolContext) async throws -> ToolOutput {
    let child = try await ChildProcess.start(
      ProcessCommand("/bin/sh", ["-c", "trap '' TERM INT; echo up; while :; do sleep 60; done"]))
    for try await _ in child.output {
      context.progress(0, message: "\(child.id)")
      break
    }
    _ = try await child.waitForExit()
    return .text("ended")
  }
}
