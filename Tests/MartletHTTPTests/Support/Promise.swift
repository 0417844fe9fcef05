import Dispatch
import MartletSync

/// A value that one side gives and the other waits for. The first one given counts.
final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case open([CheckedContinuation<Value, Never>])
    case kept(Value)
  }
  private let state = Locked(State.open([]))

  func keep(_ value: Value) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, Never>] in
      guard case .open(let waiters) = state else { return [] }
      state = .kept(value)
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  var value: Value {
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

extension Promise {
  /// Blocks this thread, which must not be one that runs tasks, until the promise is kept.
  func waitForValue() -> Value {
    let isKept = DispatchSemaphore(value: 0)
    let result = Locked<Value?>(nil)
    Task {
      let value = await value
      result.withLock { $0 = value }
      isKept.signal()
    }
    while true {
      isKept.wait()
      if let value = result.withLock({ $0 }) { return value }
    }
  }
}

extension Promise<Void> {
  func keep() { keep(()) }
  func wait() { waitForValue() }
}
