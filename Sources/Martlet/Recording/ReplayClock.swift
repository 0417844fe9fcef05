/// A clock that does not wait while a replay lasts.
struct ReplayClock: Clock {
  typealias Instant = ReplayInstant

  let base: any Clock<Duration>
  let replay: Replay
  private let elapsed: @Sendable () -> Duration

  init(base: any Clock<Duration>, replay: Replay) {
    self.base = base
    self.replay = replay
    elapsed = Self.elapsed(on: base)
  }

  private static func elapsed(on clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  var now: ReplayInstant { ReplayInstant(offset: elapsed()) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ReplayInstant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    guard replay.isLive else {
      // Only the wait before another try comes here: it is over when the next event is the agent's.
      await replay.modelTurn()
      return try Task.checkCancellation()
    }
    try await base.sleep(for: max(.zero, deadline.offset - elapsed()))
  }
}

/// A moment of a replay.
struct ReplayInstant: InstantProtocol {
  var offset: Duration
  func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
  func duration(to other: Self) -> Duration { other.offset - offset }
  static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
}
