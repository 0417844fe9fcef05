import MartletJSON
import MartletSync

extension Agent {
  /// Records that are in memory at once while a log is read: results in them may have 32 KiB each, and more.
  static let pageSize = 250
  /// The most records of a log that are read at once, where they are small.
  private static let largestPage = 2_000
  /// About so many bytes of messages are read at once.
  private static let pageBytes = 256 << 10

  /// How many records to read next, by what the last ones had.
  private static func pageSize(after page: [EventRecord]) -> Int {
    var bytes = 1
    for record in page {
      switch record.event {
      case .assistantMessage(let reply): bytes += reply.message.approximateBytes
      case .toolFinished(let finished): bytes += finished.result.content.reduce(0) { $0 + $1.approximateBytes }
      case .prompt(let prompt): bytes += prompt.message.approximateBytes
      default: break
      }
    }
    return min(largestPage, max(pageSize, page.count * pageBytes / bytes))
  }

  /// Takes the session's lease and folds its log, once.
  func open() async throws {
    guard !isClosed else { throw AgentError(code: .closed, message: "the agent was closed") }
    await lettingGo?.value
    if lease != nil, !needsReload { return }
    if let opening { return try await opening.value }
    let task = Task { try await self.load() }
    opening = task
    defer { opening = nil }
    try await task.value
  }

  private func load() async throws {
    do {
      if lease == nil {
        lease = try await store.acquire(session: id, owner: owner, holder: SessionLease.thisProcess)
        // Others may have appended since this agent let go of the session.
        for subscription in subscriptions.values { subscription.fallBehind() }
      }
      loop = try await foldedLog()
      outbox = []
      durableSeq = loop.lastSeq
      needsReload = false
      storageFailure = nil
    } catch let error as CancellationError {
      throw error
    } catch {
      throw Self.storageError(error)
    }
    if let reason = loop.readOnlyReason {
      throw AgentError(code: .storage, message: reason, underlying: SessionError(code: .readOnly, message: reason))
    }
    if loop.lastSeq == 0 { try await commit([.sessionCreated(SessionCreated(owner: owner))]) }
    if let warning = logWarning {
      logWarning = nil
      try await commit([.warning(warning)])
    }
  }

  /// Lets go of the session while nothing is done for it, so that any process can.
  func letGo() async {
    guard let lease, storageFailure == nil, outbox.isEmpty, !isFlushing, !isStarting else { return }
    self.lease = nil
    let release = Task { [store] in await store.release(lease) }
    lettingGo = release
    await release.value
    lettingGo = nil
  }

  /// The loop after the stored log. What cannot be read at its end is put aside, and a warning says so.
  private func foldedLog() async throws -> AgentLoop {
    var loop = AgentLoop()
    while true {
      do {
        var limit = Self.pageSize
        var page = try await store.records(of: id, owner: owner, after: loop.lastSeq, limit: limit)
        while let last = page.last?.seq {
          // The store reads on meanwhile.
          let size = limit
          async let next = store.records(of: id, owner: owner, after: last, limit: size)
          loop.apply(page)
          limit = Self.pageSize(after: page)
          page = try await next
        }
        return loop
      } catch let error as SessionError where error.code == .damaged {
        guard let seq = error.seq, let lease, logWarning == nil else { throw error }
        let place = try await store.quarantine(from: seq, lease: lease)
        logWarning = Warning(
          code: "log_damaged", message: "\(error.message); what followed was put aside in \(place)")
      }
    }
  }

  /// Looks at the loop in place: it is large, and reading it from an actor's property copies all of it. For what is asked
  /// at every step.
  func look<Result>(_ question: (inout AgentLoop) -> Result) -> Result { question(&loop) }

  /// Stamps events, applies them and puts them in line to be stored. Observers see them when they are.
  func append(_ events: [AgentEvent]) {
    let time = stamp(events.count)
    let run = activeRunId
    for event in events {
      let record = EventRecord(seq: loop.lastSeq + 1, time: time, session: id, run: run, event: event)
      loop.apply(record)
      outbox.append(record)
    }
  }

  /// Waits until everything appended so far is stored. Records that are ready together are stored together.
  ///
  /// Not cut short by cancellation: what was decided must become durable.
  func flush() async throws {
    let target = loop.lastSeq
    while durableSeq < target, storageFailure == nil {
      if isFlushing {
        await withCheckedContinuation { flushWaiters.append($0) }
      } else {
        await storeOutbox()
      }
    }
    if let storageFailure { throw Self.storageError(storageFailure) }
  }

  private func storeOutbox() async {
    isFlushing = true
    let batch = outbox
    outbox = []
    do {
      guard let lease else { throw SessionError(code: .leaseLost, message: "the session is not open") }
      try await store.append(batch, lease: lease)
      durableSeq = batch.last?.seq ?? durableSeq
      for record in batch { publish(record) }
    } catch {
      storageFailure = error
      needsReload = true
    }
    isFlushing = false
    let waiters = flushWaiters
    flushWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Appends events and waits until they are stored.
  func commit(_ events: [AgentEvent]) async throws {
    append(events)
    signal()
    try await flush()
  }

  static func storageError(_ error: any Error) -> AgentError {
    if let error = error as? AgentError { return error }
    let reason = (error as? SessionError)?.message ?? "the session could not be written: \(error)"
    return AgentError(code: .storage, message: reason, underlying: error)
  }

  // MARK: - Observers

  /// Shows an ephemeral event.
  func publish(_ event: AgentEvent) {
    guard !subscriptions.isEmpty else { return }
    publish(EventRecord(time: environment.now(), session: id, run: activeRunId, event: event))
  }

  private func publish(_ record: EventRecord) {
    for subscription in subscriptions.values {
      subscription.push(record) { partialRecord() }
    }
  }

  private func partialRecord() -> EventRecord? {
    guard let reply else { return nil }
    return EventRecord(
      time: environment.now(), session: id, run: activeRunId,
      event: .partial(Partial(messageId: reply.messageId, blocks: reply.partialBlocks)))
  }

  /// Adds an observer that has everything up to `seq`.
  func subscribe(after seq: Int, onDrop: @escaping @Sendable () -> Void) -> EventSubscription {
    let store = store
    let (session, owner) = (id, owner)
    let subscription = EventSubscription(
      after: seq, isBehind: seq < loop.lastSeq,
      read: { after in
        do {
          return try await store.records(of: session, owner: owner, after: after, limit: 256)
        } catch let error as SessionError where error.code == .notFound {
          return []
        }
      }, onDrop: onDrop)
    subscriptions = subscriptions.filter { !$0.value.isDropped }
    subscriptions[nextSubscription] = subscription
    nextSubscription += 1
    return subscription
  }

  func openSubscription(after seq: Int) async throws -> EventSubscription {
    try await open()
    let subscription = subscribe(after: seq) {}
    if let partial = partialRecord() { subscription.push(partial) { nil } }
    return subscription
  }

  /// A stream of a run that `begin` begins.
  func openStream(
    _ begin: @Sendable (isolated Agent) async throws -> ActiveRun
  ) async throws -> EventSubscription {
    try await open()
    guard activeRun == nil else { throw Self.busy }
    let run = Locked<Task<RunOutcome, Never>?>(nil)
    // The reader is gone: the run ends. Its drive loop, which the agent owns, notices that it is cancelled.
    let subscription = subscribe(after: loop.lastSeq) { run.withLock { $0 }?.cancel() }
    do {
      let active = try await begin(self)
      run.withLock { $0 = active.task }
      if activeRun?.id == active.id { runSubscription = subscription } else { subscription.finish() }
      if subscription.isDropped { active.task.cancel() }
    } catch {
      subscription.finish()
      throw error
    }
    return subscription
  }
}
