import MartletJSON
import MartletSync

/// Plays a recording back: an agent that takes its world from here does what the recorded one did, event by event, without
/// network, keys, model files or any effect of a tool.
///
/// ```swift
/// let replay = Replay(try Recording(path: "run.jsonl"))
/// let agent = Agent(
///   model: replay.model(), tools: tools, session: replay.session, store: replay.store(),
///   environment: replay.environment())
/// try await replay.run(agent)
/// ```
///
/// What goes on at the same time comes in the recorded order: a tool's output, an answer, a reply is held until the event
/// that follows from it is next. Every event is compared with the recorded one; the first that differs ends the replay.
public final class Replay: RunScript {
  let recording: Recording
  /// The last event that is replayed; what follows is live. Nil for all.
  let last: Int?
  private let stallLimit: Duration
  private let mask = SecretMask()
  private let state: Locked<State>

  private struct Session {
    var turns: [ReplayTurn]
    /// The number of the record before the first turn.
    var base: Int
    /// Records that the agent has.
    var applied: Int
    /// Records that were compared.
    var compared: Int
    /// What the drive loop has seen.
    var seen: Int
  }

  private struct Waiter {
    var session: String
    var isNext: @Sendable (ReplayTurn?) -> Bool
    /// Whether the drive loop must have seen everything first.
    var waitsForLoop: Bool
    /// Whether something of the agent is held, and not only watched.
    var isHeld: Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var sessions: [String: Session] = [:]
    var waiters: [Int: Waiter] = [:]
    var cancelled: Set<Int> = []
    var nextWaiter = 0
    var failure: RecordingError?
    var isLive = false
    /// Whether the runs of the recording are over.
    var isOver = false
    var ids: ArraySlice<String> = []
    var callIds: ArraySlice<String> = []
    var randoms: ArraySlice<Double> = []
    /// How often each call was run.
    var toolRuns: [Recording.CallKey: Int] = [:]
    /// How often the tools of each session were looked at.
    var offers: [String: Int] = [:]
    var readings: [String: Int] = [:]
    var news: [String: Int] = [:]
    /// Which of the replies were replayed.
    var replied: Set<Int> = []
    /// Which of the exchanges were replayed.
    var exchanged: Set<Int> = []
    /// Grows with everything that happens.
    var progress = 0

    /// Whether nothing is held any more.
    var isOpen: Bool { isLive || isOver || failure != nil }
  }

  /// - Parameters:
  ///   - last: the durable event after which the run goes on live; nil replays all.
  ///   - stallLimit: how long the replay may stand still before it is given up. Nothing in it waits for the world, so only
  ///     a difference that shows in no event can stop it. Default 10 s.
  public init(_ recording: Recording, through last: Int? = nil, stallLimit: Duration = .seconds(10)) {
    self.recording = recording
    self.last = last
    self.stallLimit = stallLimit
    var state = State()
    for (id, track) in recording.tracks {
      let base = track.prior.count
      state.sessions[id] = Session(
        turns: ReplayTurn.all(track, decisions: recording.decisions), base: base, applied: base, compared: base,
        seen: base)
    }
    state.ids = recording.ids[...]
    // A session's own id is given to the agent, not drawn again.
    if let first = recording.sessions.first, state.ids.first == first { state.ids.removeFirst() }
    state.callIds = recording.callIds[...]
    state.randoms = recording.randoms[...]
    if let last, let first = recording.sessions.first.flatMap({ state.sessions[$0] }), last <= first.base {
      state.isLive = true
    }
    self.state = Locked(state)
  }

  /// The recording's session.
  public var session: String { recording.sessions.first ?? "" }
  /// Whose session it is.
  public var owner: String { recording.tracks[session]?.owner ?? "local" }
  /// Why the replay ended early; nil while it has not.
  public var failure: RecordingError? { state.withLock { $0.failure } }
  /// Whether the replayed part is over and the run goes on by itself.
  public var isLive: Bool { state.withLock { $0.isLive } }

  // MARK: What takes the world's place

  /// An environment with the recorded clock, ids and chance; what is live is the base's.
  public func environment(_ base: AgentEnvironment = AgentEnvironment()) -> AgentEnvironment {
    var environment = base
    environment.clock = ReplayClock(base: base.clock, replay: self)
    environment.now = { [self] in currentTime ?? base.now() }
    environment.makeID = { [self] in draw { $0.ids.popFirst() } ?? base.makeID() }
    environment.makeCallID = { [self] in draw { $0.callIds.popFirst() } ?? base.makeCallID() }
    environment.random = { [self] in draw { $0.randoms.popFirst() } ?? base.random() }
    environment.script = self
    return environment
  }

  /// A store in which the recorded session goes on; every event is compared on its way there.
  public func store(_ base: any SessionStore = InMemorySessionStore()) -> any SessionStore {
    ReplayStore(base, replay: self)
  }

  /// A model that says what was recorded event by event.
  /// - Parameter live: the model that the run goes on with after the replayed part.
  public func model(_ info: ModelInfo? = nil, live: (any LanguageModel)? = nil) -> any LanguageModel {
    ReplayModel(
      info: info ?? self.info(ofModel: 0), replay: self, live: live)
  }

  /// An approver that answers as was recorded.
  /// - Parameter live: who is asked after the replayed part; nobody if nil.
  public func approver(live: (any Approver)? = nil) -> any Approver { ReplayApprover(replay: self, live: live) }

  private func draw<Value: Sendable>(_ body: (inout State) -> Value?) -> Value? {
    state.withLock { state in state.isLive ? nil : body(&state) }
  }

  private var currentTime: Timestamp? {
    state.withLock { state in
      guard !state.isLive, let current = state.sessions[session] else { return nil }
      let index = min(current.applied - current.base, current.turns.count - 1)
      return index >= 0 ? current.turns[index].record.time : recording.time
    }
  }

  // MARK: The agent's script

  package var ownsTime: Bool { !isLive }

  package func appending(_ count: Int, after seq: Int, to id: String) -> Timestamp? {
    let (time, resumed) = state.withLock { state -> (Timestamp?, [CheckedContinuation<Void, Never>]) in
      guard !state.isLive, var current = state.sessions[id] else { return (nil, []) }
      let index = seq - current.base
      let time = current.turns.indices.contains(index) ? current.turns[index].record.time : nil
      current.applied = seq + count
      state.sessions[id] = current
      if let last, id == session, current.applied >= last { state.isLive = true }
      return (time ?? current.turns.last?.record.time, ready(&state))
    }
    for continuation in resumed { continuation.resume() }
    return time
  }

  package func sees(_ seq: Int, in id: String) {
    let ready = state.withLock { state in
      state.sessions[id]?.seen = seq
      return self.ready(&state)
    }
    for continuation in ready { continuation.resume() }
  }

  package func turn(_ point: ScriptPoint, in session: String) async {
    switch point {
    case .drive(let isAlone):
      await wait(in: session) { turn in
        guard let turn, !turn.isOutside else { return turn == nil }
        if case .call = turn.actor { return isAlone }
        return true
      }
    case .model: await wait(in: session) { $0?.isOutside != true }
    case .checks(let callId): await wait(in: session) { $0?.actor == .call(callId: callId) || $0 == nil }
    case .call(let callId):
      // One that was recorded as started and yet not run was stopped in between.
      let key = Recording.CallKey(session: session, callId: callId)
      let runs = state.withLock { $0.toolRuns[key] ?? 0 }
      guard runs >= recording.tools[key]?.count ?? 0 else { return }
      await wait(in: session) { $0?.actor == .call(callId: callId) || $0 == nil }
    }
  }

  package func duration(of callId: String, in session: String) -> Duration? {
    let next = next(in: session)
    guard case .toolFinished(let finished)? = next?.record.event, finished.callId == callId else { return nil }
    let nanoseconds = (finished.durationMs * 1_000_000).rounded()
    return abs(nanoseconds) < 0x1p62 ? .nanoseconds(Int(nanoseconds)) : nil
  }

  package func tools(_ tools: [AnyTool], in session: String) -> [AnyTool] {
    let turn = draw { state -> Int in
      state.offers[session, default: -1] += 1
      return state.offers[session] ?? 0
    }
    guard turn != nil, let offered = offered(in: session) else { return tools }
    let names = Set(offered.map(\.definition.name))
    return tools.filter { !$0.isRemote && !names.contains($0.definition.name) }
      + offered.compactMap { standIn($0, nil) }
  }

  package func tool(named name: String, _ own: AnyTool?, in session: String) -> AnyTool? {
    guard let offered = offered(in: session), !isLive || own == nil else { return own }
    guard let tool = offered.first(where: { $0.definition.name == name }) else {
      return own?.isRemote == true ? nil : own
    }
    return standIn(tool, own)
  }

  private func standIn(_ tool: RecordedTool, _ own: AnyTool?) -> AnyTool? {
    do { return try tool.standIn(for: own) } catch {
      // It was offered, so its schema was one; the recording was changed since, and differs there.
      return nil
    }
  }

  /// The tools of other programs that there are by now; nil where none were ever recorded.
  private func offered(in session: String) -> [RecordedTool]? {
    guard let offers = recording.offers[session] else { return nil }
    let turn = state.withLock { $0.offers[session] ?? 0 }
    return offers.last { $0.turn <= turn }?.tools ?? []
  }

  package func tool(_ tool: AnyTool, callId: String, in session: String) -> AnyTool {
    let key = Recording.CallKey(session: session, callId: callId)
    let run = state.withLock { state -> Int in
      state.toolRuns[key, default: 0] += 1
      return state.toolRuns[key, default: 1] - 1
    }
    return tool.performing { [self] arguments, context in
      await wait(in: session, noticesCancellation: false) { $0?.actor == .call(callId: callId) || $0 == nil }
      if isLive, next(in: session)?.actor != .call(callId: callId) {
        var context = context
        context.environment.script = nil
        return try await tool.call(arguments, context: context)
      }
      if let deadlines = recording.deadlines[key] {
        // Its deadline stops it, as it did then.
        await wait(in: session) { _ in false }
        if deadlines.contains(.abandon) {
          await wait(in: session, noticesCancellation: false) { $0?.actor != .call(callId: callId) }
        }
      }
      let ends = recording.tools[key] ?? []
      switch ends.indices.contains(run) ? ends[run] : nil {
      case .output(let output)?: return output
      case .failure(let failure)?: throw failure.error
      case nil:
        // Dropped when it was abandoned, or cut off with the program.
        throw CancellationError()
      }
    }
  }

  package func reading(of source: any ContextSource) async -> ContextReading? {
    draw { state in Self.next(of: source.name, recording.readings, &state.readings) }
  }

  package func news(of source: any ContextSource, since told: ToldContext) async -> ContextNews? {
    draw { state in Self.next(of: source.name, recording.news, &state.news) }
  }

  private static func next<Value>(of name: String, _ all: [String: [Value]], _ counts: inout [String: Int]) -> Value? {
    let count = counts[name, default: 0]
    guard let values = all[name], count < values.count else { return nil }
    counts[name] = count + 1
    return values[count]
  }

  // MARK: Waiting

  /// The next recorded event of a session; nil at the end, and where the replay is over.
  func next(in session: String) -> ReplayTurn? { state.withLock { Self.next($0, session) } }

  private static func next(_ state: State, _ id: String) -> ReplayTurn? {
    guard !state.isOver, state.failure == nil, let current = state.sessions[id] else { return nil }
    let index = current.applied - current.base
    return current.turns.indices.contains(index) ? current.turns[index] : nil
  }

  /// Waits until the next event is one of a kind; returns early where nothing is held any more, and when the task is
  /// cancelled.
  func wait(
    in session: String, forLoop: Bool = false, noticesCancellation: Bool = true,
    isHeld: Bool = true,
    until isNext: @escaping @Sendable (ReplayTurn?) -> Bool
  ) async {
    let id = state.withLock { state -> Int in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(
          session: session, isNext: isNext, waitsForLoop: forLoop, isHeld: isHeld, continuation: continuation)
        let isReady = state.withLock { state -> Bool in
          if state.cancelled.remove(id) != nil || Self.isReady(waiter, state) {
            state.progress += 1
            return true
          }
          state.waiters[id] = waiter
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      guard noticesCancellation else { return }
      let waiter = state.withLock { state -> Waiter? in
        if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
        state.cancelled.insert(id)
        return nil
      }
      waiter?.continuation.resume()
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }

  private static func isReady(_ waiter: Waiter, _ state: State) -> Bool {
    if state.isOpen { return true }
    let turn = next(state, waiter.session)
    guard waiter.isNext(turn) else { return false }
    guard waiter.waitsForLoop, turn?.isInRun == true, let current = state.sessions[waiter.session] else { return true }
    return current.seen >= current.applied
  }

  /// Takes out the waiters whose turn it is.
  private func ready(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    state.progress += 1
    var ready: [CheckedContinuation<Void, Never>] = []
    for (id, waiter) in state.waiters where Self.isReady(waiter, state) {
      state.waiters[id] = nil
      ready.append(waiter.continuation)
    }
    return ready
  }

  /// Ends the replay. The first reason counts.
  func fail(_ error: RecordingError) {
    let ready = state.withLock { state in
      if state.failure == nil { state.failure = error }
      return self.ready(&state)
    }
    for continuation in ready { continuation.resume() }
  }

  func end() {
    let ready = state.withLock { state in
      state.isOver = true
      return self.ready(&state)
    }
    for continuation in ready { continuation.resume() }
  }

  /// Ends the replay when nothing has happened for too long.
  func watch() async {
    var before = -1
    while !Task.isCancelled {
      let (progress, isOpen, isHeld) = state.withLock { state in
        (state.progress, state.isOpen, state.waiters.values.contains(where: \.isHeld))
      }
      if isOpen { return }
      if progress == before, isHeld {
        let turn = next(in: session)
        return fail(
          RecordingError(
            .stalled,
            turn.map {
              "the recording goes on with event \($0.record.seq ?? 0) (\($0.record.event.type)), and nothing here leads to it"
            } ?? "the replay stands still after the last recorded event", seq: turn?.record.seq))
      }
      before = progress
      do { try await Task.sleep(for: stallLimit) } catch { return }
    }
  }

  // MARK: Comparing

  /// Compares an event with the recorded one.
  /// - Throws: `RecordingError` with `.diverged`, or with `.cut` after the last recorded event.
  func compare(_ record: EventRecord) throws {
    let expected = try state.withLock { state -> ReplayTurn? in
      if let failure = state.failure { throw failure }
      guard var current = state.sessions[record.session] else { return nil }
      let index = current.compared - current.base
      if let last, record.session == session, current.compared >= last { return nil }
      guard current.turns.indices.contains(index) else {
        throw Self.tooMany(record, after: current.compared, isComplete: recording.isComplete)
      }
      current.compared += 1
      state.sessions[record.session] = current
      return current.turns[index]
    }
    guard let expected else {
      if isLive { return }
      throw RecordingError(.diverged, "the recording has no session \(record.session)", seq: record.seq)
    }
    guard let difference = Difference(expected.record.json.bytes(), mask.mask(record.json).bytes()) else { return }
    throw RecordingError.diverged(
      "event \(record.seq ?? 0) (\(expected.record.event.type))", difference, seq: record.seq)
  }

  private static func tooMany(_ record: EventRecord, after seq: Int, isComplete: Bool) -> RecordingError {
    isComplete
      ? RecordingError(
        .diverged,
        "the recording ends with event \(seq), and the replay goes on with \(record.event.type)", seq: record.seq)
      : RecordingError(
        .cut, "the recording was cut off after event \(seq): its program ended there; all up to it was replayed",
        seq: seq)
  }

  /// Whether all recorded events came.
  func checkEnd() throws {
    if let failure { throw failure }
    let missing = state.withLock { state -> (ReplayTurn?, Int) in
      if state.isLive { return (nil, 0) }
      for id in recording.sessions {
        if let current = state.sessions[id], current.compared - current.base < current.turns.count {
          return (current.turns[current.compared - current.base], current.compared)
        }
      }
      return (nil, state.sessions[session]?.compared ?? 0)
    }
    if let turn = missing.0, recording.isComplete {
      throw RecordingError(
        .diverged,
        "the replay ends after event \(missing.1), and the recording goes on with \(turn.record.event.type)",
        seq: turn.record.seq)
    }
    if !recording.isComplete, !isLive {
      throw RecordingError(
        .cut,
        "the recording was cut off after event \(missing.1): its program ended there; all up to it was replayed",
        seq: missing.1)
    }
  }

  // MARK: The model's part

  /// The next reply that was recorded event by event; nil where the run is live.
  func nextReply(_ request: ModelRequest, _ model: ModelInfo) throws -> Recording.Reply? {
    let hash = RecordedRequest.hash(mask.mask(RecordedRequest.json(request)))
    let reply = try state.withLock { state -> Recording.Reply? in
      if let failure = state.failure { throw failure }
      if state.isLive { return nil }
      let left = recording.replies.indices.filter { !state.replied.contains($0) }
      // Others may have asked in between, such as a server that is no part of the replay.
      guard let index = left.first(where: { recording.replies[$0].hash == hash }) ?? left.first else {
        throw RecordingError(.cut, "the recording has no further reply of a model")
      }
      state.replied.insert(index)
      return recording.replies[index]
    }
    guard let reply else { return nil }
    guard reply.hash == hash else {
      throw RecordingError(
        .diverged,
        "the replay differs from the recording in what \(model.name) is asked in call \(reply.number) "
          + "(\(reply.messages) messages then, \(request.messages.count) now): instructions, tools, messages or options",
        seq: next(in: session)?.record.seq)
    }
    return reply
  }

  /// The exchange that was recorded for a request; nil where the run is live.
  package func nextExchange(_ method: String, _ url: String, body: [UInt8]) throws -> Recording.Exchange? {
    let address = mask.mask(url)
    let body = mask.mask(body)
    let exchange = try state.withLock { state -> Recording.Exchange? in
      if let failure = state.failure { throw failure }
      if state.isLive { return nil }
      // Requests of other kinds, such as counts of tokens, or of others, such as a server that is no part of the replay, may
      // have come in between.
      let left = recording.exchanges.indices.filter { !state.exchanged.contains($0) }
      let same = left.filter { recording.exchanges[$0].method == method && recording.exchanges[$0].url == address }
      guard let index = same.first(where: { recording.exchanges[$0].body == body }) ?? same.first ?? left.first else {
        throw RecordingError(.cut, "the recording has no further exchange with a model")
      }
      state.exchanged.insert(index)
      return recording.exchanges[index]
    }
    guard let exchange else { return nil }
    let seq = next(in: session)?.record.seq
    if let difference = Difference(
      Array("\(exchange.method) \(exchange.url)".utf8), Array("\(method) \(address)".utf8))
    {
      throw RecordingError.diverged("the address of request \(exchange.number)", difference, seq: seq)
    }
    if let difference = Difference(exchange.body, body) {
      throw RecordingError.diverged("the body of request \(exchange.number)", difference, seq: seq)
    }
    return exchange
  }

  /// Keeps the reason for which a model's reply cannot go on; the agent meets it with its next event.
  package func stop(_ error: any Error) {
    if let error = error as? RecordingError, error.code == .diverged { fail(error) }
  }

  /// Waits for the model's turn.
  package func modelTurn() async { await turn(.model, in: session) }
}

extension Replay {
  /// Whether a session has had one of its events.
  func hasBegun(_ id: String) -> Bool { state.withLock { $0.sessions[id].map { $0.applied > $0.base } ?? false } }

  /// The last record that the agent has.
  var applied: Int { state.withLock { $0.sessions[session]?.applied ?? 0 } }

  /// Waits until the reader of a reply is cancelled, as the recorded one was.
  package func cancelled() async { await wait(in: session) { _ in false } }
}

extension Replay {
  /// The facts of one of the models that replied event by event: the agent's own, or one of its fallbacks in their order.
  /// Where none is known, those of a model of the name that the session had.
  package func info(ofModel index: Int) -> ModelInfo {
    if recording.models.indices.contains(index) { return recording.models[index] }
    let name = AgentLoop(folding: recording.events).context?.model ?? "recorded/none"
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    return ModelInfo(provider: parts.first ?? "recorded", id: parts.count > 1 ? parts[1] : "none", price: .free)
  }
}

extension Replay {
  /// A store of rules that has the scopes of another one and keeps nothing: what was kept then is kept.
  public func permissions(_ store: any PermissionStore) -> any PermissionStore {
    ReplayedPermissions(scopes: store.scopes)
  }

  private struct ReplayedPermissions: PermissionStore {
    let scopes: Set<ApprovalScope>
    func keep(_ rule: PermissionRule, _ verdict: ApprovalVerdict, for scope: ApprovalScope) async throws {}
  }

  func tokenCount(of request: ModelRequest) -> Int? {
    recording.tokenCounts[RecordedRequest.hash(mask.mask(RecordedRequest.json(request)))]
  }

  /// What others wrote to the session before it was taken again.
  func takeForeign(_ id: String) -> [EventRecord] {
    state.withLock { state in
      var records: [EventRecord] = []
      while !state.isOpen, var current = state.sessions[id] {
        let index = current.applied - current.base
        guard current.turns.indices.contains(index), current.turns[index].actor == .elsewhere else { break }
        records.append(current.turns[index].record)
        current.applied += 1
        (current.compared, current.seen) = (current.applied, current.applied)
        state.sessions[id] = current
      }
      return records
    }
  }
}
