import MartletHTTP
import MartletSync
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestLimiterTests {
  @Test func `no more than the limit run at the same time, and all run`() async throws {
    let limiter = RequestLimiter(concurrent: 3)
    let counts = Locked((running: 0, highest: 0, done: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await limiter.withPermit {
            counts.withLock { counts in
              counts.running += 1
              counts.highest = max(counts.highest, counts.running)
            }
            for _ in 0..<20 { await Task.yield() }
            counts.withLock { counts in
              counts.running -= 1
              counts.done += 1
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(counts.withLock { $0.highest } == 3)
    #expect(counts.withLock { $0.done } == 50)
  }

  @Test func `a permit that is let go is given back, once`() async throws {
    let limiter = RequestLimiter(concurrent: 1)
    do { _ = try await limiter.acquire() }
    let permit = try await limiter.acquire()
    permit.release()
    permit.release()
    let (first, third) = (try await limiter.acquire(), Promise<Void>())
    let task = Task {
      let permit = try await limiter.acquire()
      third.keep()
      return permit
    }
    first.release()
    await third.value
    try await task.value.release()
  }

  @Test func `a cancelled wait passes its turn on`() async throws {
    let limiter = RequestLimiter(concurrent: 1)
    let permit = try await limiter.acquire()
    let cancelled = Task { try await limiter.acquire() }
    let waiting = Task { try await limiter.acquire() }
    cancelled.cancel()
    let result = await cancelled.result
    #expect(throws: CancellationError.self) { _ = try result.get() }
    permit.release()
    try await waiting.value.release()
  }

  @Test func `starts keep to the number for a minute, in the order of the calls`() async throws {
    let clock = ManualClock()
    let limiter = RequestLimiter(perMinute: 2, clock: clock)
    _ = try await limiter.acquire()
    clock.advance(by: .seconds(10))
    _ = try await limiter.acquire()
    let third = Task {
      _ = try await limiter.acquire()
      return clock.now.offset
    }
    await clock.waitForSleepers(1)
    let fourth = Task {
      _ = try await limiter.acquire()
      return clock.now.offset
    }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(50))
    #expect(try await third.value == .seconds(60))
    clock.advance(by: .seconds(10))
    #expect(try await fourth.value == .seconds(70))
  }

  @Test func `a cancelled start frees its place in the minute`() async throws {
    let clock = ManualClock()
    let limiter = RequestLimiter(concurrent: 5, perMinute: 1, clock: clock)
    _ = try await limiter.acquire()
    let cancelled = Task { try await limiter.acquire() }
    await clock.waitForSleepers(1)
    cancelled.cancel()
    let result = await cancelled.result
    #expect(throws: CancellationError.self) { _ = try result.get() }
    let next = Task {
      _ = try await limiter.acquire()
      return clock.now.offset
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(60))
    #expect(try await next.value == .seconds(60))
  }
}
