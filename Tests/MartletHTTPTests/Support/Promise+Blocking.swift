import Dispatch
import MartletSync
import MartletTesting

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
  func wait() { waitForValue() }
}
