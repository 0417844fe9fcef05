import MartletJSON
import MartletSync

extension Agent {
  /// The agent's model, for requests that others make on behalf of the open run: an MCP server that one of its tools asks,
  /// for example. What they use is reserved before and counted after in the run's usage, cost and budget, and stands in its
  /// log, as calls with this purpose.
  ///
  /// A request that the budget has no room for fails with ``ModelError/Code/quotaExceeded``. Outside a run there is nothing
  /// to count in.
  public nonisolated func sideModel(for purpose: ModelCallPurpose) -> any LanguageModel {
    SideModel(agent: WeakAgent(self), model: model, purpose: purpose)
  }

  /// Reserves what a request may use, and bounds its reply by what the budget leaves.
  fileprivate func reserve(
    _ request: ModelRequest, for purpose: ModelCallPurpose
  ) throws -> (request: ModelRequest, call: SideCall?) {
    recordSideCalls()
    guard loop.run != nil else { return (request, nil) }
    let info = model.info
    let refusal = ModelError(
      code: .quotaExceeded, message: "the run's budget does not allow this call", isRetryable: false)
    let input = Self.estimatedTokens(of: request)
    var request = request
    var output = request.options.maxOutputTokens ?? AgentLoop.defaultMaxOutputTokens
    if let limit = loop.budget?.tokens {
      let left = limit - loop.runUsage.total - sideCalls.withLock { $0.reservedTokens } - input
      // Less than a few tokens is no reply.
      guard left >= 16 else { throw refusal }
      output = min(output, left)
    }
    request.options.maxOutputTokens = output
    let reserved = Usage(input: input, output: output)
    let cost = info.price?.cost(of: reserved)
    if let limit = loop.budget?.usd {
      guard let cost, (loop.runCost ?? 0) + sideCalls.withLock({ $0.reservedCost }) + cost <= limit else {
        throw refusal
      }
    }
    let started = ModelCallStarted(
      purpose: purpose, model: info.name, messageId: ToolCall.makeId(),
      reserved: Reservation(tokens: reserved.total, usd: cost))
    return (request, SideCall(started, input: input, price: info.price, calls: sideCalls, wakeup: wakeup))
  }

  /// Three bytes a token: rather too many than too few.
  private static func estimatedTokens(of request: ModelRequest) -> Int {
    let bytes =
      request.instructions.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) }
      + request.messages.reduce(0) { $0 + $1.json.bytes().count }
      + request.tools.reduce(0) { $0 + $1.description.utf8.count + $1.parameters.bytes().count }
    return bytes / 3 + 16
  }

  /// Puts calls that are over into the log. The two records of one stand together, and never within a call of the
  /// conversation itself.
  func recordSideCalls() {
    guard let run = loop.run, run.modelCall == nil else { return }
    for call in sideCalls.withLock({ $0.takeEnded() }) {
      append([.modelCall(call.started), .modelCallEnded(call.ended)])
    }
  }
}

/// Whether a model is asked beside a run's conversation. A recording has what such a call came to, and not the call: whoever
/// made it is not there when it is replayed.
package enum SideCallScope {
  @TaskLocal package static var isActive = false
}

/// Model calls on behalf of a run that are not its conversation's.
struct SideCalls: Sendable {
  var reservedTokens = 0
  var reservedCost = 0.0
  private var ended: [(started: ModelCallStarted, ended: ModelCallEnded)] = []

  mutating func begin(_ started: ModelCallStarted) {
    reservedTokens += started.reserved.tokens
    reservedCost += started.reserved.usd ?? 0
  }

  mutating func end(_ started: ModelCallStarted, _ ended: ModelCallEnded) {
    self.ended.append((started, ended))
  }

  /// What has ended is counted by the log from here on.
  mutating func takeEnded() -> [(started: ModelCallStarted, ended: ModelCallEnded)] {
    defer { ended = [] }
    for call in ended {
      reservedTokens -= call.started.reserved.tokens
      reservedCost -= call.started.reserved.usd ?? 0
    }
    return ended
  }
}

/// A call under way. Settles itself when it is dropped: then what it used is not known, and what was reserved counts.
private final class SideCall: Sendable {
  private let started: ModelCallStarted
  private let input: Int
  private let price: ModelInfo.Price?
  private let calls: Locked<SideCalls>
  private let wakeup: Wakeup
  private let isSettled = Locked(false)

  init(_ started: ModelCallStarted, input: Int, price: ModelInfo.Price?, calls: Locked<SideCalls>, wakeup: Wakeup) {
    self.started = started
    self.input = input
    self.price = price
    self.calls = calls
    self.wakeup = wakeup
    calls.withLock { $0.begin(started) }
  }

  deinit {
    settle(
      usage: nil, hasContent: true, requestId: nil,
      error: CallFailure(code: ModelError.Code.cancelled.rawValue, message: "the call was given up"))
  }

  /// - Parameter usage: nil where the model did not say.
  func settle(usage: Usage?, hasContent: Bool, requestId: String?, error: CallFailure?) {
    let isFirst = isSettled.withLock { isSettled in
      defer { isSettled = true }
      return !isSettled
    }
    guard isFirst else { return }
    // What failed before anything came is not charged.
    let used = usage ?? (hasContent ? Usage(input: input, output: started.reserved.tokens - input) : Usage())
    let ended = ModelCallEnded(usage: used, cost: price?.cost(of: used), requestId: requestId, error: error)
    calls.withLock { $0.end(started, ended) }
    wakeup.set()
  }
}

/// Whoever uses the model may be the agent's own, and must not keep it.
private final class WeakAgent: Sendable {
  private struct State {
    weak var agent: Agent?
  }
  private let state: Locked<State>

  init(_ agent: Agent) { state = Locked(State(agent: agent)) }

  var agent: Agent? { state.withLock { $0.agent } }
}

private struct SideModel: LanguageModel {
  let agent: WeakAgent
  let model: any LanguageModel
  let purpose: ModelCallPurpose

  var info: ModelInfo { model.info }

  func stream(_ request: ModelRequest) -> ModelStream {
    ModelStream { Reply(agent: agent, model: model, purpose: purpose, request: request) }
  }

  func tokenCount(of request: ModelRequest) async throws -> Int? { try await model.tokenCount(of: request) }

  private struct Reply: ModelStream.Source {
    let agent: WeakAgent
    let model: any LanguageModel
    let purpose: ModelCallPurpose
    let request: ModelRequest
    var events: ModelStream.AsyncIterator?
    var call: SideCall?
    var requestId: String?
    var hasContent = false

    mutating func next() async throws -> [ModelEvent]? {
      if events == nil {
        var bounded = request
        if let agent = agent.agent { (bounded, call) = try await agent.reserve(request, for: purpose) }
        events = model.stream(bounded).makeAsyncIterator()
      }
      do {
        var reader = events
        let next = try await SideCallScope.$isActive.withValue(true) { try await reader?.nextBatch() }
        events = reader
        guard let batch = next else {
          settle(
            nil,
            CallFailure(
              code: ModelError.Code.truncatedStream.rawValue, message: "the reply ended before it was complete"))
          return nil
        }
        for event in batch { take(event) }
        return batch
      } catch {
        let failure = Agent.modelError(error)
        settle(nil, CallFailure(code: failure.code.rawValue, message: failure.message))
        throw error
      }
    }

    private mutating func take(_ event: ModelEvent) {
      switch event {
      case .requestId(let id): requestId = id
      case .finished(_, let usage): settle(usage == Usage() ? nil : usage, nil)
      case .metrics, .warning, .rateLimits: break
      default: hasContent = true
      }
    }

    private func settle(_ usage: Usage?, _ error: CallFailure?) {
      call?.settle(usage: usage, hasContent: hasContent, requestId: requestId, error: error)
    }
  }
}
