import MartletSync

/// Keeps requests to a service below its limits: so many at the same time, so many starts in any minute. First come, first
/// served.
///
/// A class and not an actor, so that a ``Permit`` can be given back from anywhere at once, also by letting it go.
public final class RequestLimiter: Sendable {
  private struct State {
    var running = 0
    /// When requests started in the last minute or will start, counted from when the limiter was made; ascending.
    var starts: [Duration] = []
    var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    var nextID = 0
  }

  /// The most requests under way at the same time.
  public let concurrent: Int?
  /// The most requests begun in a minute.
  public let perMinute: Int?
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (_ until: Duration) async throws -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - concurrent: how many permits there are at the same time; `nil` for any number.
  ///   - perMinute: how many permits are given in any 60 seconds; `nil` for any number.
  public init<C: Clock>(concurrent: Int? = nil, perMinute: Int? = nil, clock: C = ContinuousClock())
  where C.Duration == Duration {
    self.concurrent = concurrent.map { max(1, $0) }
    self.perMinute = perMinute.map { max(1, $0) }
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// Leave to have one request under way, until it is released or the last reference to it goes.
  public final class Permit: Sendable {
    private let limiter: RequestLimiter
    private let isReleased = Locked(false)

    fileprivate init(_ limiter: RequestLimiter) { self.limiter = limiter }
    deinit { release() }

    /// Gives the permit back. The second time does nothing.
    public func release() {
      let wasReleased = isReleased.withLock { released in
        defer { released = true }
        return released
      }
      if !wasReleased { limiter.leave() }
    }
  }

  /// Waits for its turn.
  /// - Throws: `CancellationError`; the turn then goes to the next.
  public func acquire() async throws -> Permit {
    try Task.checkCancellation()
    try await enter()
    let permit = Permit(self)
    guard let start = reserveStart() else { return permit }
    do {
      try await sleep(start)
    } catch {
      state.withLock { state in
        if let index = state.starts.lastIndex(of: start) { state.starts.remove(at: index) }
      }
      throw error
    }
    return permit
  }

  /// Runs `body` with a permit.
  public func withPermit<Result>(_ body: () async throws -> Result) async throws -> Result {
    let permit = try await acquire()
    defer { permit.release() }
    return try await body()
  }

  private func enter() async throws {
    guard let concurrent else { return }
    let id = state.withLock { state -> Int? in
      if state.running < concurrent {
        state.running += 1
        return nil
      }
      state.nextID += 1
      return state.nextID
    }
    guard let id else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // `nil`: in the queue. The state may have changed since the look above, and so may the task.
        let result = state.withLock { state -> Swift.Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.running < concurrent {
            state.running += 1
            return .success(())
          }
          state.waiters.append((id, continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiters.remove(at: index).continuation
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// When the next request may start, if not now.
  private func reserveStart() -> Duration? {
    guard let perMinute else { return nil }
    let now = elapsed()
    return state.withLock { state in
      state.starts.removeFirst(state.starts.prefix { $0 + .seconds(60) <= now }.count)
      let count = state.starts.count
      let start = count < perMinute ? now : max(now, state.starts[count - perMinute] + .seconds(60))
      state.starts.insert(start, at: state.starts.firstIndex { $0 > start } ?? count)
      return start > now ? start : nil
    }
  }

  /// Hands the place on, or frees it.
  fileprivate func leave() {
    guard concurrent != nil else { return }
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if !state.waiters.isEmpty { return state.waiters.removeFirst().continuation }
      state.running -= 1
      return nil
    }
    next?.resume()
  }
}
