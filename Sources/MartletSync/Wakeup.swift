/// Wakes a task that waits for something to change. Set from anywhere, waited for by one task at a time.
package final class Wakeup: Sendable {
  private struct State {
    var isSet = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  package init() {}

  /// Wakes the waiting task, or lets the next wait return at once.
  package func set() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isSet = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Returns once it was set since the last wait; with `noticesCancellation`, the default, also when the task is
  /// cancelled.
  package func wait(noticesCancellation: Bool = true) async {
    if noticesCancellation {
      await withTaskCancellationHandler {
        await sleep()
      } onCancel: {
        set()
      }
    } else {
      await sleep()
    }
    state.withLock { $0.isSet = false }
  }

  private func sleep() async {
    await withCheckedContinuation { continuation in
      let isSet = state.withLock { state -> Bool in
        if !state.isSet { state.waiter = continuation }
        return state.isSet
      }
      if isSet { continuation.resume() }
    }
  }
}
