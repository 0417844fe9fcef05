import MartletJSON
import MartletSync

/// A call that goes on after its answer.
final class ServerTask: Sendable {
  private struct State {
    var status = MCPTask.Status.working
    var updated: String
    /// Questions that wait, by key: never used twice.
    var questions = JSONObject()
    var waiting: [String: Settlement<JSONObject>] = [:]
    var usedKeys: Set<String> = []
    var outcome: Result<MCPCallResult, MCPErrorObject>?
    var work: Task<Void, Never>?
  }

  let id: String
  let caller: MCPCaller
  let created: String
  /// On the server's clock.
  let expiry: Duration
  let lifetime: Duration
  let pollInterval: Duration
  private let now: @Sendable () -> String
  private let onChange: @Sendable (ServerTask) -> Void
  /// Settled when it is over.
  let end = Settlement<Void>()
  private let state: Locked<State>

  init(
    id: String, caller: MCPCaller, lifetime: Duration, expiry: Duration, pollInterval: Duration,
    now: @escaping @Sendable () -> String, onChange: @escaping @Sendable (ServerTask) -> Void
  ) {
    self.id = id
    self.caller = caller
    self.lifetime = lifetime
    self.expiry = expiry
    self.pollInterval = pollInterval
    self.now = now
    self.onChange = onChange
    created = now()
    state = Locked(State(updated: created))
  }

  var status: MCPTask.Status { state.withLock { $0.status } }
  var outcome: Result<MCPCallResult, MCPErrorObject>? { state.withLock { $0.outcome } }

  /// Owned by the task, which is owned by its store.
  func run(_ body: @escaping @Sendable () async throws -> MCPCallResult) {
    state.withLock { state in
      state.work = Task { [self] in
        do {
          finish(.completed, .success(try await body()))
        } catch {
          finish(.failed, .failure(MCPErrorObject(answering: error)))
        }
      }
    }
  }

  private func finish(_ status: MCPTask.Status, _ outcome: Result<MCPCallResult, MCPErrorObject>?) {
    let isNew = state.withLock { state -> Bool in
      guard !state.status.isFinal else { return false }
      state.status = status
      state.outcome = outcome
      state.questions = [:]
      state.updated = now()
      return true
    }
    guard isNew else { return }
    end.settle(.success(()))
    onChange(self)
  }

  /// Ends it early. Nothing happens to one that is over.
  func cancel() {
    finish(.cancelled, nil)
    let (work, waiting) = state.withLock { state in
      defer { state.waiting = [:] }
      return (state.work, Array(state.waiting.values))
    }
    work?.cancel()
    for settlement in waiting { settlement.settle(.failure(CancellationError())) }
  }

  /// Waits until the work is over, after `cancel`.
  func drained() async { await state.withLock { $0.work }?.value }

  /// Asks by showing the questions to whoever asks about the task, and waits for all answers.
  func ask(_ questions: JSONObject) async throws -> [String: JSONObject] {
    let settlements = try state.withLock {
      state throws(CancellationError) -> [(String, String, Settlement<JSONObject>)] in
      if state.status.isFinal { throw CancellationError() }
      var settlements: [(String, String, Settlement<JSONObject>)] = []
      for (key, question) in questions {
        var unique = key
        var count = 1
        while !state.usedKeys.insert(unique).inserted {
          count += 1
          unique = "\(key)-\(count)"
        }
        let settlement = Settlement<JSONObject>()
        state.questions[unique] = question
        state.waiting[unique] = settlement
        settlements.append((key, unique, settlement))
      }
      state.status = .inputRequired
      state.updated = now()
      return settlements
    }
    onChange(self)
    var answers: [String: JSONObject] = [:]
    for (key, _, settlement) in settlements { answers[key] = try await settlement.value() }
    return answers
  }

  /// Takes answers. What is no answer, or answers nothing that waits, is passed over.
  func update(_ responses: JSONObject) {
    let (settled, hasChanged) = state.withLock { state -> ([(Settlement<JSONObject>, JSONObject)], Bool) in
      var settled: [(Settlement<JSONObject>, JSONObject)] = []
      for (key, response) in responses {
        guard let response = response.objectValue, let question = state.questions[key],
          RequestRounds.isAnswer(response, to: question["method"]?.stringValue ?? ""),
          let settlement = state.waiting.removeValue(forKey: key)
        else { continue }
        state.questions[key] = nil
        settled.append((settlement, response))
      }
      if state.waiting.isEmpty, state.status == .inputRequired { state.status = .working }
      if !settled.isEmpty { state.updated = now() }
      return (settled, !settled.isEmpty)
    }
    for (settlement, response) in settled { settlement.settle(.success(response)) }
    if hasChanged { onChange(self) }
  }

  /// As the revision shows it.
  func fields(_ facts: RevisionFacts, isDetailed: Bool = true) -> JSONObject {
    state.withLock { state in
      var fields: JSONObject = [
        "taskId": .string(id), "status": .string(state.status.rawValue), "createdAt": .string(created),
        "lastUpdatedAt": .string(state.updated),
      ]
      let isExtension = facts.tasks == .extension
      fields[isExtension ? "ttlMs" : "ttl"] = JSONValue(lifetime.wholeMilliseconds)
      fields[isExtension ? "pollIntervalMs" : "pollInterval"] = JSONValue(pollInterval.wholeMilliseconds)
      guard isExtension, isDetailed else { return fields }
      if !state.questions.isEmpty { fields["inputRequests"] = .object(state.questions) }
      switch state.outcome {
      case .success(let result): fields["result"] = result.json
      case .failure(let error): fields["error"] = error.json
      case nil: break
      }
      return fields
    }
  }
}
