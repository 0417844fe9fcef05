import MartletSync

/// Lets replies use an engine one after the other, in the order they asked.
///
/// Two replies that took turns token by token would each find the cache full of the other's conversation, and compute
/// their prompts anew for every token.
final class ReplyQueue: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    var nextID = 0
    /// Waiters that were cancelled before they stood in line.
    var cancelled: Set<Int> = []
  }

  private let state = Locked(State())

  /// The right to use the engine; it is given back when the last reference goes.
  final class Turn: Sendable {
    private let queue: ReplyQueue

    fileprivate init(_ queue: ReplyQueue) { self.queue = queue }

    deinit { queue.passOn() }
  }

  /// Waits until all who came before are done.
  /// - Throws: `CancellationError`.
  func turn() async throws -> Turn {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          guard state.isTaken else {
            state.isTaken = true
            return .success(())
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waiting.remove(at: index).continuation
      }
      waiter?.resume(throwing: CancellationError())
    }
    // Cancelled while or after it was let in: nothing waits under this id any more.
    state.withLock { _ = $0.cancelled.remove(id) }
    return Turn(self)
  }

  private func passOn() {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume()
  }
}
