import MartletSync

/// A call to look again, given once: it carries no value, so nothing is lost when its waiter was cancelled.
final class Latch: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, any Error>)
    case settled(Result<Void, any Error>)
  }

  private let state = Locked(State.idle)

  /// Wakes the waiter, now or when it comes. Only the first call counts.
  func settle(_ result: Result<Void, any Error> = .success(())) {
    let waiter: CheckedContinuation<Void, any Error>? = state.withLock { state in
      switch state {
      case .idle:
        state = .settled(result)
        return nil
      case .waiting(let continuation):
        state = .settled(result)
        return continuation
      case .settled:
        return nil
      }
    }
    waiter?.resume(with: result)
  }

  /// Waits for `settle`. One waiter only.
  ///
  /// - Throws: what `settle` was given, or `CancellationError` as soon as the task is cancelled.
  func wait() async throws {
    try await withTaskCancellationHandler {
      try await waitUntilSettled()
    } onCancel: {
      settle(.failure(CancellationError()))
    }
  }

  /// Waits for `settle` even when the task is cancelled meanwhile. One waiter only.
  func waitUntilSettled() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let result: Result<Void, any Error>? = state.withLock { state in
        if case .settled(let result) = state { return result }
        state = .waiting(continuation)
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
