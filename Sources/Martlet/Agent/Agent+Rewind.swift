extension Agent {
  // MARK: - Going back

  /// Takes back everything after a record: the conversation is what it was then. Nothing leaves the log, where a `rewound`
  /// event says so, and effects of tools stay as they are. Within a turn of tools, calls that had no result yet are
  /// answered as interrupted, or with an unknown outcome where they may have had an effect.
  ///
  /// An interrupted run that is open is over then. Assigned `messages` that no run has recorded yet are forgotten.
  /// - Parameter seq: the last record that counts; as one that was taken back, it comes back.
  /// - Throws: `AgentError` with `.busy` while a run is under way, with `.notFound` when there is no such record.
  public func rewind(to seq: Int) async throws {
    try await whileIdle { agent in try await agent.goBack(to: seq) }
  }

  /// Takes back what was said last and everything that came of it. What was said into its run goes with it.
  /// - Returns: what was said; nil when there is nothing to take back.
  /// - Throws: `AgentError` with `.busy` while a run is under way.
  @discardableResult
  public func undo() async throws -> Message? {
    try await whileIdle { agent in
      guard let turn = try await agent.readTurns().last else { return nil }
      try await agent.goBack(to: turn.before)
      return turn.message
    }
  }

  /// Everything that was said and still counts, oldest first. Reads the whole log.
  ///
  /// To say something else in the place of one of them, here or beside this conversation:
  /// ```swift
  /// try await agent.rewind(to: turn.before)
  /// let other = try await agent.fork(at: turn.before)
  /// ```
  public var turns: [SessionTurn] {
    get async throws {
      try await open()
      try await flush()
      return try await readTurns()
    }
  }

  /// An agent on a new session that shares this one's past up to a record, by reference: nothing is copied, and both go on
  /// by themselves. It has this agent's model, tools and configuration. A run that was open at that record is interrupted
  /// in the fork: say something new, or `resume()` it.
  /// - Parameter seq: the last record that is shared; nil for all so far.
  /// - Throws: `AgentError` with `.notFound` when there is no such record.
  public func fork(at seq: Int? = nil) async throws -> Agent {
    try await open()
    try await flush()
    let seq = seq ?? durableSeq
    try checkRecord(seq)
    let fork = environment.makeID()
    let created = SessionCreated(owner: owner, forkedFrom: SessionOrigin(session: id, seq: seq))
    do {
      try await store.fork(
        EventRecord(seq: seq + 1, time: environment.now(), session: fork, event: .sessionCreated(created)),
        owner: owner)
    } catch let error as SessionError {
      throw Self.storageError(error)
    }
    var configuration = configuration
    configuration.resources = []
    return Agent(
      model: model, tools: tools, configuration: configuration, session: fork, owner: owner, store: store,
      environment: environment)
  }

  private func whileIdle<Result>(
    _ body: (isolated Agent) async throws -> Result
  ) async throws -> Result {
    guard activeRun == nil, !isStarting else { throw Self.busy }
    isStarting = true
    defer { isStarting = false }
    try await open()
    return try await body(self)
  }

  private func goBack(to seq: Int) async throws {
    try checkRecord(seq)
    if seq < loop.lastSeq || loop.phase != .idle {
      var events: [AgentEvent] = [.rewound(Rewound(toSeq: seq))]
      if !loop.canRewind(to: seq) {
        let then = try await foldedPrefix(through: seq)
        events.append(.historyReplaced(HistoryReplaced(messages: Array(then.settledHistory))))
      }
      activeRunId = nil
      try await commit(events)
    }
    assignedMessages = nil
  }

  private func checkRecord(_ seq: Int) throws {
    guard seq >= 1, seq <= loop.lastSeq else {
      throw AgentError(
        code: .notFound, message: "session \(id) has no record \(seq): the records are 1 to \(loop.lastSeq)")
    }
  }

  private func readTurns() async throws -> [SessionTurn] {
    var turns = SessionTurns()
    try await eachRecord { turns.take($0) }
    return turns.turns
  }

  private func foldedPrefix(through seq: Int) async throws -> AgentLoop {
    var loop = AgentLoop()
    try await eachRecord(through: seq) { loop.apply($0) }
    return loop
  }

  /// Gives the stored records to `body`, oldest first.
  func eachRecord(through last: Int = .max, _ body: (EventRecord) -> Void) async throws {
    do {
      var seq = 0
      while seq < last {
        let page = try await store.records(of: id, owner: owner, after: seq, limit: min(Self.pageSize, last - seq))
        guard let end = page.last?.seq else { return }
        for record in page { body(record) }
        seq = end
      }
    } catch let error as SessionError {
      throw Self.storageError(error)
    }
  }
}
