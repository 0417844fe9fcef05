import MartletSync

/// A clock that stands still until it is told to go on, and tells when somebody sleeps on it.
public final class ManualClock: Clock, Sendable {
  /// A moment on the clock.
  public struct Instant: InstantProtocol {
    /// Time since the clock was made.
    public var offset: Duration
    /// A later moment.
    public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    /// The time between two moments.
    public func duration(to other: Self) -> Duration { other.offset - offset }
    public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// So many sleepers, due within so much time.
  private struct Wish {
    var count: Int
    var within: Duration
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Sleeper] = []
    var nextID = 0
    var cancelled: Set<Int> = []
    var watchers: [(wish: Wish, continuation: CheckedContinuation<Void, Never>)] = []

    /// Watchers whose wish is fulfilled.
    mutating func readyWatchers() -> [CheckedContinuation<Void, Never>] {
      let ready = watchers.filter { isFulfilled($0.wish) }.map(\.continuation)
      watchers = watchers.filter { !isFulfilled($0.wish) }
      return ready
    }

    func isFulfilled(_ wish: Wish) -> Bool {
      sleepers.count { $0.deadline <= now.advanced(by: wish.within) } >= wish.count
    }
  }

  private let state = Locked(State())

  /// A clock at zero.
  public init() {}

  /// The moment that the clock stands at.
  public var now: Instant { state.withLock { $0.now } }
  /// None: moments are exact.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the clock was moved to the deadline, or throws `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state -> Int in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enum Next { case wake, cancel, wait([CheckedContinuation<Void, Never>]) }
        let next = state.withLock { state -> Next in
          if state.cancelled.remove(id) != nil { return .cancel }
          if deadline <= state.now { return .wake }
          state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          return .wait(state.readyWatchers())
        }
        switch next {
        case .wake: continuation.resume()
        case .cancel: continuation.resume(throwing: CancellationError())
        case .wait(let watchers): for watcher in watchers { watcher.resume() }
        }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass; sleepers whose time has come wake up, earliest first.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state -> [Sleeper] in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.deadline <= state.now }.sorted { $0.deadline < $1.deadline }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return due
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Waits until at least so many tasks sleep on the clock that will wake within a time.
  public func sleepers(atLeast count: Int = 1, dueWithin duration: Duration = .seconds(1_000_000)) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state -> Bool in
        let wish = Wish(count: count, within: duration)
        if state.isFulfilled(wish) { return true }
        state.watchers.append((wish, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
