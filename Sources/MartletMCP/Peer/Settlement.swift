import MartletSync

/// An outcome that several tasks may wait for. The first one given counts.
final class Settlement<Value: Sendable>: Sendable {
  private enum State {
    case open(nextID: Int, [Int: CheckedContinuation<Value, any Error>])
    case settled(Result<Value, any Error>)
  }

  private let state = Locked(State.open(nextID: 0, [:]))

  /// Whether it was the first.
  @discardableResult
  func settle(_ result: Result<Value, any Error>) -> Bool {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>]? in
      guard case .open(_, let waiters) = state else { return nil }
      state = .settled(result)
      return Array(waiters.values)
    }
    for waiter in waiters ?? [] { waiter.resume(with: result) }
    return waiters != nil
  }

  /// The outcome, if there is one yet.
  var outcome: Result<Value, any Error>? {
    state.withLock { if case .settled(let result) = $0 { result } else { nil } }
  }

  /// The outcome. A cancelled task stops waiting; the others go on.
  func value() async throws -> Value {
    let id = state.withLock { state -> Int in
      guard case .open(let id, let waiters) = state else { return 0 }
      state = .open(nextID: id + 1, waiters)
      return id
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let settled = state.withLock { state -> Result<Value, any Error>? in
          switch state {
          case .settled(let result): return result
          case .open(let next, var waiters):
            if Task.isCancelled { return .failure(CancellationError()) }
            waiters[id] = continuation
            state = .open(nextID: next, waiters)
            return nil
          }
        }
        if let settled { continuation.resume(with: settled) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
        guard case .open(let next, var waiters) = state else { return nil }
        let waiter = waiters.removeValue(forKey: id)
        state = .open(nextID: next, waiters)
        return waiter
      }
      waiter?.resume(throwing: CancellationError())
    }
  }
}
