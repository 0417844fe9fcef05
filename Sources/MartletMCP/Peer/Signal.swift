import MartletSync

/// Wakes one task that waits for something to change.
final class Signal: Sendable {
  private struct State {
    var isSet = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Wakes the waiting task, or lets the next wait return at once.
  func set() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isSet = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Returns once it was set since the last wait, or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state -> Bool in
          if state.isSet || Task.isCancelled { return true }
          state.waiter = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      set()
    }
    state.withLock { $0.isSet = false }
  }
}
