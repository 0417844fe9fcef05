import Martlet
import MartletHTTP
import MartletJSON
import MartletMCP

/// Asks the user at the terminal for what calls need. What is not asked in words stays open.
struct TerminalInputs: InputProvider {
  let terminal: Terminal
  /// One question at a time: what is typed answers the one that is on the screen.
  private let turns = RequestLimiter(concurrent: 1)

  init(terminal: Terminal) { self.terminal = terminal }

  func input(for request: InputRequested) async throws -> JSONValue? {
    switch InputNeeded.Kind(rawValue: request.kind) {
    case .question:
      guard let question = request.payload["question"]?.stringValue ?? request.payload.stringValue else {
        throw InputDeferred()
      }
      return try await turns.withPermit {
        try terminal.output.write(ControlFilter.line(question) + "\n> ")
        // The end of input is no answer.
        guard let line = try await terminal.input.nextLine() else { throw InputDeferred() }
        return .string(line)
      }
    case .elicitation:
      guard let needed = MCPInputNeeded(payload: request.payload) else { throw InputDeferred() }
      return try await turns.withPermit { try await answer(needed) }
    default: throw InputDeferred()
    }
  }

  private func answer(_ needed: MCPInputNeeded) async throws -> JSONValue {
    let elicitor = TerminalElicitor(terminal: terminal)
    var answers = JSONObject()
    for (key, question) in needed.questions {
      let answer = try await elicitor.answer(question, of: needed.server)
      if answer.action == .cancel { throw InputDeferred() }
      answers[key] = .object(answer.fields)
    }
    return .object(answers)
  }
}

/// Leaves open what is asked for while a run is replayed; what is live is put to somebody.
struct ReplayedInputs: InputProvider {
  let replay: Replay
  let live: any InputProvider

  func input(for request: InputRequested) async throws -> JSONValue? {
    guard replay.isLive else { throw InputDeferred() }
    return try await live.input(for: request)
  }
}
