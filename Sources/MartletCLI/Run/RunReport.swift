import Martlet
import MartletJSON

/// What came of a run, folded from its events.
struct RunReport: Sendable {
  /// A call in the report.
  struct Call: Sendable {
    var id: String
    var name: String
    var arguments: ToolCall.Arguments
    var started: Timestamp
    var durationMs: Double?
    var outcome: ToolOutcome?
  }

  private(set) var session: String?
  private(set) var run: String?
  /// The text of the last reply that called no tool; of the reply under way, as far as it came, when the run was cut.
  private(set) var answer: String?
  private(set) var iterations = 0
  private(set) var usage = Usage()
  private(set) var cost: Double?
  private(set) var calls: [Call] = []
  private(set) var end: End?
  /// Approvals that are open.
  private(set) var open: [ApprovalRequested] = []
  /// Inputs that are open.
  private(set) var inputs: [InputRequested] = []

  enum End: Sendable {
    case finished(Finished)
    case failed(Failed)
    case waiting(Waiting)
  }

  mutating func take(_ record: EventRecord) {
    session = session ?? record.session
    run = record.run ?? run
    switch record.event {
    case .runStarted:
      (answer, iterations, usage, cost, calls, end) = (nil, 0, Usage(), nil, [], nil)
    case .runResumed: end = nil
    case .iterationStarted(let iteration): iterations = iteration
    case .modelCallEnded(let ended):
      usage += ended.usage
      if let amount = ended.cost { cost = (cost ?? 0) + amount }
    case .assistantMessage(let reply):
      if reply.message.toolCalls.isEmpty { answer = reply.message.text }
    case .approvalRequested(let request): open.append(request)
    case .approvalResolved(let answer): open.removeAll { $0.approvalId == answer.approvalId }
    case .inputRequested(let request): inputs.append(request)
    case .inputResolved(let answer): inputs.removeAll { $0.inputId == answer.inputId }
    case .toolStarted(let started):
      // One that was cut short, or waited for something, runs again.
      if calls.contains(where: { $0.id == started.call.id && $0.outcome == nil }) { break }
      calls.append(
        Call(id: started.call.id, name: started.call.name, arguments: started.call.arguments, started: record.time))
    case .toolFinished(let finished):
      let index = calls.lastIndex { $0.id == finished.callId }
      if let index {
        calls[index].outcome = finished.result
        calls[index].durationMs = finished.durationMs
      } else {
        // It was never run: denied, unknown, unreadable.
        calls.append(
          Call(
            id: finished.callId, name: finished.name, arguments: wanted[finished.callId] ?? .object([:]),
            started: record.time, durationMs: finished.durationMs, outcome: finished.result))
      }
    case .finished(let finished):
      end = .finished(finished)
      (iterations, usage, cost) = (finished.iterations, finished.usage, finished.cost ?? cost)
    case .failed(let failed): end = .failed(failed)
    case .waiting(let waiting): end = .waiting(waiting)
    default: break
    }
    if case .assistantMessage(let reply) = record.event {
      for call in reply.message.toolCalls { wanted[call.id] = call.arguments }
    }
  }

  /// Arguments of the calls that were asked for, by id.
  private var wanted: [String: ToolCall.Arguments] = [:]

  /// The word for how it ended: a finish reason, `failed` or `waiting`.
  var reason: String {
    switch end {
    case .finished(let finished): finished.reason.rawValue
    case .waiting: "waiting"
    case .failed, nil: "failed"
    }
  }

  var status: ExitStatus {
    switch end {
    case .finished(let finished):
      switch finished.reason {
      case .answered: .answered
      case .budget: .budget
      case .cancelled: .cancelled
      case .refused: .refused
      case .truncated: .failed
      }
    case .waiting: .waiting
    case .failed, nil: .failed
    }
  }

  /// The object of `--output json`.
  var json: JSONValue {
    var answer: JSONValue = self.answer.map { .string($0) } ?? .null
    if case .finished(let finished) = end, let output = finished.output { answer = output }
    var object: JSONObject = [
      "session": session.map { .string($0) } ?? .null, "run": run.map { .string($0) } ?? .null, "answer": answer,
      "reason": .string(reason), "iterations": JSONValue(iterations), "usage": usage.json,
      "cost": cost.flatMap { JSONValue($0) } ?? .null, "tools": .array(calls.map(\.json)),
    ]
    if case .failed(let failed) = end {
      object["error"] = ["code": .string(failed.code), "message": .string(failed.message)]
    }
    return .object(object)
  }
}

extension RunReport.Call {
  var json: JSONValue {
    let arguments: JSONValue =
      switch self.arguments {
      case .object(let object): .object(object)
      case .unparsed(let text, _): .string(text)
      }
    return [
      "name": .string(name), "arguments": arguments, "result": outcome.map(\.reportValue) ?? .null,
      "is_error": outcome.map { .bool($0.isError) } ?? .null, "started": .string(started.description),
      "duration_ms": durationMs.flatMap { JSONValue($0) } ?? .null,
    ]
  }
}

extension ToolOutcome {
  /// The text where there is nothing but text, otherwise the blocks.
  var reportValue: JSONValue {
    content.allSatisfy { $0.text != nil }
      ? .string(content.compactMap(\.text).joined()) : .array(content.map(\.json))
  }
}
