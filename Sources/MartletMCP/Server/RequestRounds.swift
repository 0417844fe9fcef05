import MartletJSON
import MartletSync

/// The questions of one request, and their answers: over several rounds, over the session, or within a task.
final class RequestRounds: Sendable {
  /// Ends a round: the client is asked.
  struct InputNeeded: Error {
    let requests: JSONObject
    let answered: JSONObject
    let state: JSONValue?
  }

  /// Answers from earlier rounds and this one that can be used.
  private let answers: JSONObject
  private let kept: Locked<JSONValue?>
  /// What was put down in an earlier round.
  let state: JSONValue?
  /// Within a task, who waits for answers.
  let task: ServerTask?
  /// Whether the client would take a task.
  let canDetach: Bool

  init(answers: JSONObject = [:], state: JSONValue? = nil, task: ServerTask? = nil, canDetach: Bool = false) {
    self.answers = answers
    self.state = state
    self.task = task
    self.canDetach = canDetach
    kept = Locked(state)
  }

  func keep(_ state: JSONValue) { kept.withLock { $0 = state } }

  func ask(
    _ questions: [(key: String, method: String, params: JSONObject)], _ call: ServerCall
  ) async throws -> [String: JSONObject] {
    var found: [String: JSONObject] = [:]
    var open = JSONObject()
    for (key, method, params) in questions {
      if let answer = answers[object: key], Self.isAnswer(answer, to: method) {
        found[key] = answer
      } else {
        var request: JSONObject = ["method": .string(method)]
        // Roots need none, and a client may insist on their absence or not.
        if !params.isEmpty || method != Method.listRoots { request["params"] = .object(params) }
        open[key] = .object(request)
      }
    }
    if open.isEmpty { return found }
    if let ask = call.channel.ask {
      for (key, request) in open {
        found[key] = try await ask(request["method"]?.stringValue ?? "", request["params"]?.objectValue ?? [:])
      }
      return found
    }
    if let task {
      found.merge(try await task.ask(open)) { $1 }
      return found
    }
    throw InputNeeded(requests: open, answered: answers, state: kept.withLock { $0 })
  }

  /// Whether an answer has the form that its question wants. Anything else is as good as none.
  static func isAnswer(_ answer: JSONObject, to method: String) -> Bool {
    switch method {
    case Method.elicit: MCPElicitationResult(fields: answer).action != nil
    case Method.sample: answer["content"] != nil && answer["error"] == nil
    case Method.listRoots: answer["roots"]?.arrayValue != nil
    default: false
    }
  }
}
