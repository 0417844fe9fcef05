import MartletSync

/// Work that several wait for and that is done once. Its task ends when the work is done, or is cancelled and waited for
/// when nobody waits any more.
final class SharedWork: Sendable {
  private struct State {
    var outcome: Result<Void, any Error>?
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    var cancelled: Set<Int> = []
    var interested = 0
    var nextID = 0
    var isAbandoned = false
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())

  /// Starts the work.
  init(_ body: @escaping @Sendable () async throws -> Void) {
    let task = Task { [self] in
      do {
        try await body()
        finish(.success(()))
      } catch {
        finish(.failure(error))
      }
    }
    state.withLock { $0.task = task }
  }

  /// Waits for the work. A waiter that is cancelled goes at once; the last one takes the work with it.
  /// - Returns: false when the work was given up by those who waited before; it may be started again.
  func wait() async throws -> Bool {
    let id = state.withLock { state -> Int in
      state.nextID += 1
      state.interested += 1
      return state.nextID
    }
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
          let outcome = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            if let outcome = state.outcome { return outcome }
            state.waiters[id] = continuation
            return nil
          }
          if let outcome { continuation.resume(with: outcome) }
        }
      } onCancel: {
        let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
          guard let waiter = state.waiters.removeValue(forKey: id) else {
            if state.outcome == nil { state.cancelled.insert(id) }
            return nil
          }
          return waiter
        }
        waiter?.resume(throwing: CancellationError())
      }
    } catch {
      await leave()
      if error is CancellationError, !Task.isCancelled, state.withLock({ $0.isAbandoned }) { return false }
      throw error
    }
    await leave()
    return true
  }

  private func leave() async {
    let abandoned = state.withLock { state -> Task<Void, Never>? in
      state.interested -= 1
      guard state.interested == 0, state.outcome == nil else { return nil }
      state.isAbandoned = true
      return state.task
    }
    abandoned?.cancel()
    await abandoned?.value
  }

  private func finish(_ outcome: Result<Void, any Error>) {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
      state.outcome = outcome
      state.task = nil
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: outcome) }
  }
}
