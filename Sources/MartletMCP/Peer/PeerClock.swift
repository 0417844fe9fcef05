/// Time on some clock.
struct PeerClock: Sendable {
  /// Time since this was made.
  let now: @Sendable () -> Duration
  let sleep: @Sendable (_ until: Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// Returns when `body` does or the time is up, whichever is first; whether it was `body`.
  @discardableResult
  func race(until deadline: Duration, _ body: @escaping @Sendable () async -> Void) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await body()
        return true
      }
      group.addTask {
        try? await sleep(deadline)  // ended early only by the other
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}
