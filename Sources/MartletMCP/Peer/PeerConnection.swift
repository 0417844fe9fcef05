import MartletJSON
import MartletSync

/// One connection to a peer, over any transport: performs what ``PeerEngine`` decides.
final class PeerConnection: Sendable {
  /// Who answers the peer.
  struct Handlers: Sendable {
    /// Answers a request. Cancelled when the peer cancels it or the connection ends.
    var request: @Sendable (_ id: MCPRequestID, _ method: String, _ params: JSONObject) async throws -> JSONObject
    /// Takes a notification; called one after the other, in order, so it must not take long.
    var notification: @Sendable (_ method: String, _ params: JSONObject) -> Void
    var incident: @Sendable (MCPIncident) -> Void
    /// Told once, when the connection is over and its requests have failed.
    var ended: @Sendable (MCPError) -> Void = { _ in }
    /// Takes the result of a request of ours that came when nobody waited for it any more.
    var unwanted: @Sendable (_ result: JSONObject) -> Void = { _ in }
    /// Takes a result for the peer that was not sent, as the peer has given up the request.
    var unsent: @Sendable (_ result: JSONObject) -> Void = { _ in }
    /// Told when the connection is about to end, so that requests of the peer that would go on for ever end well; tells
    /// which they are.
    var closing: @Sendable () -> [MCPRequestID] = { [] }
  }

  private struct Waiter {
    let settlement: Settlement<JSONObject>
    let onProgress: (@Sendable (MCPProgress) -> Void)?
  }

  private enum Errand {
    case send(MCPMessage)
    case abandon(MCPRequestID)
    case release(MCPRequestID)
  }

  private struct State {
    var engine = PeerEngine()
    var waiters: [Int64: Waiter] = [:]
    var errands: [Errand] = []
    /// Work on requests of the peer.
    var work: [MCPRequestID: Task<Void, Never>] = [:]
    /// Until when the timekeeper sleeps.
    var alarm: Duration?
    var end: MCPError?
    var context: MCPSendContext
  }

  let transport: any MCPTransport
  private let clock: PeerClock
  private let handlers: Handlers
  /// How long work for the peer may go on after its last message.
  private let drainTime: Duration
  /// How long the last answers may take when this side ends the connection: a peer that reads is quick.
  private static let goodbyeTime = Duration.seconds(1)
  private let state: Locked<State>
  private let errandSignal = Wakeup()
  private let alarmSignal = Wakeup()
  /// Set when some work is done.
  private let workSignal = Wakeup()

  init(
    _ transport: any MCPTransport, clock: PeerClock, context: MCPSendContext, drainTime: Duration = .zero,
    handlers: Handlers
  ) {
    self.drainTime = drainTime
    self.transport = transport
    self.clock = clock
    self.handlers = handlers
    state = Locked(State(context: context))
  }

  /// Why it is over; nil while it is not.
  var end: MCPError? { state.withLock { $0.end } }

  /// What was agreed on.
  func agree(on revision: MCPRevision) {
    let facts = revision.facts
    state.withLock { state in
      state.context.revision = revision
      state.engine.takesBatches = facts.takesBatches
      state.engine.notifiesCancellation = !(transport.hasStreamPerRequest && facts.httpCancellation == .closedStream)
    }
  }

  /// Sends a request and waits for its answer.
  /// - Throws: ``MCPError``; `CancellationError` when the task is cancelled, and the peer is told then.
  func request(
    _ method: String, _ params: JSONObject = [:], patience: PeerEngine.Patience, headers: [(String, String)] = [],
    revision: MCPRevision? = nil, related: MCPRequestID? = nil, onProgress: (@Sendable (MCPProgress) -> Void)? = nil,
    onSend: (@Sendable (MCPRequestID) -> Void)? = nil
  ) async throws -> JSONObject {
    try Task.checkCancellation()
    let settlement = Settlement<JSONObject>()
    let now = clock.now()
    let (id, message, context) = try state.withLock { state throws(MCPError) in
      if let end = state.end { throw end }
      let (id, message) = state.engine.begin(method, params, patience: patience, now: now)
      state.waiters[id] = Waiter(settlement: settlement, onProgress: onProgress)
      var context = state.context
      context.headers = headers
      context.related = related
      if let revision { context.revision = revision }
      return (id, message, context)
    }
    keepAlarm()
    onSend?(.integer(id))
    do {
      try await transport.send(message, context)
    } catch is CancellationError {
      // Whether the peer has it is not known.
      perform(state.withLock { $0.engine.cancel(id) })
      throw CancellationError()
    } catch {
      state.withLock { state in
        state.engine.withdraw(id)
        state.waiters[id] = nil
      }
      throw error
    }
    do {
      return try await settlement.value()
    } catch is CancellationError {
      if !settlement.settle(.failure(CancellationError())), case .success(let result)? = settlement.outcome {
        // It came in between.
        handlers.unwanted(result)
      }
      perform(state.withLock { $0.engine.cancel(id) })
      throw CancellationError()
    }
  }

  /// Sends a notification without waiting for anything. An equal one that is still on its way is enough.
  func tell(_ method: String, _ params: JSONObject? = nil) {
    let message = MCPMessage.notification(method: method, params: params)
    let isNew = state.withLock { state -> Bool in
      let isThere = state.errands.contains { if case .send(message) = $0 { true } else { false } }
      if !isThere { state.errands.append(.send(message)) }
      return !isThere
    }
    if isNew { errandSignal.set() }
  }

  /// Sends a request whose answer nobody waits for, without waiting for anything.
  func post(_ method: String, _ params: JSONObject) {
    let now = clock.now()
    let patience = PeerEngine.Patience(silence: .seconds(30), total: .seconds(30))
    let message = state.withLock { state in state.engine.begin(method, params, patience: patience, now: now).message }
    add(.send(message))
  }

  /// Sends a notification.
  func notify(_ method: String, _ params: JSONObject? = nil, related: MCPRequestID? = nil) async throws {
    var context = state.withLock { $0.context }
    context.related = related
    try await transport.send(.notification(method: method, params: params), context)
  }

  /// Reads, keeps the time and sends what is due until the transport ends or the task is cancelled. When it returns, no
  /// work for the peer is left.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.read() }
      group.addTask { await self.runErrands() }
      group.addTask { await self.keepTime() }
      await group.next()
      group.cancelAll()
    }
    // Also for who is cancelled, in a task that is not.
    await Task { await self.sayGoodbye() }.value
    finish(MCPError(.closed, "the connection was closed"))
    while true {
      let work = state.withLock { Array($0.work.values) }
      if work.isEmpty { return }
      for task in work {
        task.cancel()
        await task.value
      }
    }
  }

  // MARK: Tasks of `run`

  private func read() async {
    do {
      while true {
        let incoming = try await transport.receive()
        let now = clock.now()
        perform(state.withLock { $0.engine.receive(incoming, now: now) })
      }
    } catch is CancellationError {
      return
    } catch {
      await drain()
      finish(error as? MCPError ?? MCPError(.connectionClosed, "the connection broke", underlying: error))
    }
  }

  /// Lets requests of the peer that would go on for ever end well, and sends their answers.
  private func sayGoodbye() async {
    guard end == nil else { return }
    let ids = handlers.closing()
    guard !ids.isEmpty else { return }
    await clock.race(until: clock.now() + Self.goodbyeTime) {
      while !Task.isCancelled, self.state.withLock({ state in ids.contains { state.work[$0] != nil } }) {
        await self.workSignal.wait()
      }
      await self.sendErrands()
    }
  }

  /// The peer says nothing more, and may still listen: lets what it asked for come to its end for a while.
  private func drain() async {
    guard drainTime > .zero else { return }
    _ = handlers.closing()
    await clock.race(until: clock.now() + drainTime) {
      while !Task.isCancelled, !self.state.withLock({ $0.work.isEmpty }) { await self.workSignal.wait() }
    }
    await sendErrands()
  }

  /// Sends what is still to be sent, where nobody else does.
  private func sendErrands() async {
    let (errands, context) = state.withLock { state in
      defer { state.errands = [] }
      return (state.errands, state.context)
    }
    for case .send(let message) in errands { try? await transport.send(message, context) }
  }

  private func runErrands() async {
    while !Task.isCancelled {
      let (errands, context) = state.withLock { state in
        defer { state.errands = [] }
        return (state.errands, state.context)
      }
      if errands.isEmpty { await errandSignal.wait() }
      for errand in errands {
        switch errand {
        // A connection that takes nothing more is noticed by its reader.
        case .send(let message): try? await transport.send(message, context)
        case .abandon(let id): await transport.abandon(id)
        case .release(let id): await transport.release(id)
        }
      }
    }
  }

  private func keepTime() async {
    while !Task.isCancelled {
      let now = clock.now()
      let (effects, deadline) = state.withLock { state -> ([PeerEngine.Effect], Duration?) in
        let effects = state.engine.pass(now: now)
        state.alarm = state.engine.nextDeadline
        return (effects, state.alarm)
      }
      perform(effects)
      if let deadline {
        await clock.race(until: deadline) { await self.alarmSignal.wait() }
      } else {
        await alarmSignal.wait()
      }
    }
  }

  /// Wakes the timekeeper if it would sleep too long. Most requests have the same patience, so it seldom has to.
  private func keepAlarm() {
    let isEarlier = state.withLock { state -> Bool in
      guard let deadline = state.engine.lastDeadline else { return false }
      if let alarm = state.alarm, alarm <= deadline { return false }
      state.alarm = deadline
      return true
    }
    if isEarlier { alarmSignal.set() }
  }

  // MARK: Effects

  private func finish(_ error: MCPError) {
    let effects = state.withLock { state -> [PeerEngine.Effect]? in
      guard state.end == nil else { return nil }
      state.end = error
      return state.engine.end(error)
    }
    guard let effects else { return }
    perform(effects)
    handlers.ended(error)
  }

  private func perform(_ effects: [PeerEngine.Effect]) {
    for effect in effects {
      switch effect {
      case .finish(let id, let outcome):
        guard let waiter = state.withLock({ $0.waiters.removeValue(forKey: id) }) else { continue }
        switch outcome {
        case .result(let result): if !waiter.settlement.settle(.success(result)) { handlers.unwanted(result) }
        case .failure(let error): waiter.settlement.settle(.failure(error))
        case .cancelled: waiter.settlement.settle(.failure(CancellationError()))
        }
      case .send(let message): add(.send(message))
      case .abandon(let id): if transport.hasStreamPerRequest { add(.abandon(id)) }
      case .progress(let id, let progress): state.withLock { $0.waiters[id]?.onProgress }?(progress)
      case .serve(let id, let method, let params): serve(id, method, params ?? [:])
      case .stop(let id): state.withLock { $0.work[id] }?.cancel()
      case .notify(let method, let params): handlers.notification(method, params ?? [:])
      case .unwanted(let result): handlers.unwanted(result)
      case .report(let incident): handlers.incident(incident)
      }
    }
  }

  private func add(_ errand: Errand) {
    state.withLock { $0.errands.append(errand) }
    errandSignal.set()
  }

  private func serve(_ id: MCPRequestID, _ method: String, _ params: JSONObject) {
    // Owned by `run`, which cancels and awaits it.
    state.withLock { state in
      guard state.end == nil else { return }
      state.work[id] = Task { await self.work(on: id, method, params) }
    }
  }

  private func work(on id: MCPRequestID, _ method: String, _ params: JSONObject) async {
    let answer: Result<JSONObject, MCPErrorObject>
    do {
      answer = .success(try await handlers.request(id, method, params))
    } catch {
      answer = .failure(MCPErrorObject(answering: error))
    }
    // At once: who sees that the work is over finds its answer among the errands.
    let isWanted = state.withLock { state in
      state.work[id] = nil
      let effects = state.engine.answer(id, answer)
      for case .send(let message) in effects { state.errands.append(.send(message)) }
      return !effects.isEmpty
    }
    if isWanted {
      errandSignal.set()
    } else {
      add(.release(id))
      if case .success(let result) = answer { handlers.unsent(result) }
    }
    workSignal.set()
  }
}

extension MCPErrorObject {
  /// What a peer is told about an error of ours: nothing that it should not know.
  init(answering error: any Error) {
    switch error {
    case let error as MCPErrorObject: self = error
    case let error as MCPError:
      switch error.code {
      case .refused: self = error.reply ?? Self(.internalError, error.message)
      case .toolNotSupported: self.init(.invalidParams, error.message)
      case .notSupported: self.init(.methodNotFound, error.message)
      default: self.init(.internalError, error.message)
      }
    case is CancellationError: self.init(.internalError, "the request was cancelled")
    default: self.init(.internalError, "the request failed")
    }
  }
}
