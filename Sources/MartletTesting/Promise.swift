import MartletSync

/// A value that one side gives and the other waits for. The first one given counts.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case open([CheckedContinuation<Value, Never>])
    case kept(Value)
  }
  private let state = Locked(State.open([]))

  package init() {}

  package func keep(_ value: Value) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>] in
      guard case .open(let waiters) = state else { return [] }
      state = .kept(value)
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  package var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state -> Value? in
          switch state {
          case .kept(let value): return value
          case .open(let waiters):
            state = .open(waiters + [continuation])
            return nil
          }
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}

extension Promise<Void> {
  package func keep() { keep(()) }
}
