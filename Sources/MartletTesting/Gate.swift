import MartletSync

/// A door in a test: something arrives and waits, the test notices and lets it through.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextID = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  /// A closed gate.
  public init() {}

  /// Arrives, and waits until the gate is open. Ignores cancellation.
  public func wait() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
        state.arrivals += 1
        if !state.isOpen {
          state.nextID += 1
          state.waiting[state.nextID] = continuation
        }
        let arrivals = state.arrivals
        let ready = state.watchers.filter { $0.count <= arrivals }.map(\.continuation)
        state.watchers.removeAll { $0.count <= arrivals }
        return (state.isOpen, ready)
      }
      for watcher in watchers { watcher.resume() }
      if isOpen { continuation.resume() }
    }
  }

  /// Arrives, and waits until the gate is open or the task is cancelled.
  public func waitUnlessCancelled() async throws {
    let cancelled = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait() }
      group.addTask {
        await withTaskCancellationHandler {
          await cancelled.wait()
        } onCancel: {
          cancelled.open()
          self.open()
        }
      }
      try await group.next()
      cancelled.open()
      try Task.checkCancellation()
    }
  }

  /// Lets everybody through, now and later.
  public func open() {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until at least so many have arrived.
  public func arrived(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state -> Bool in
        if state.arrivals >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
