import Dispatch
import MartletSync

/// A bounded queue: who puts in waits while it is full, who takes out while it is empty.
final class MessageQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var head = 0
    var end: MCPError?
    var taker: CheckedContinuation<Void, Never>?
    var putters: [Int: CheckedContinuation<Void, Never>] = [:]
    /// A thread that waits for room.
    var blocked: DispatchSemaphore?
    var nextID = 0

    var count: Int { elements.count - head }

    mutating func take() -> Element? {
      guard head < elements.count else { return nil }
      let element = elements[head]
      head += 1
      if head == elements.count {
        elements.removeAll(keepingCapacity: true)
        head = 0
      } else if head > 64, head * 2 > elements.count {
        elements.removeFirst(head)
        head = 0
      }
      return element
    }

    mutating func takeTaker() -> CheckedContinuation<Void, Never>? {
      defer { taker = nil }
      return taker
    }

    mutating func takePutters() -> [CheckedContinuation<Void, Never>] {
      defer {
        putters = [:]
        blocked = nil
      }
      blocked?.signal()
      return Array(putters.values)
    }
  }

  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int = 64) { self.capacity = capacity }

  /// - Throws: why the queue has ended; `CancellationError`.
  func put(_ element: Element) async throws {
    while true {
      try Task.checkCancellation()
      let (isIn, taker) = try state.withLock { state throws(MCPError) in
        if let end = state.end { throw end }
        guard state.count < capacity else { return (false, nil as CheckedContinuation<Void, Never>?) }
        state.elements.append(element)
        return (true, state.takeTaker())
      }
      taker?.resume()
      if isIn { return }
      await waitForRoom()
    }
  }

  /// Puts in whether there is room or not, under a lock of the caller's that keeps an order. The caller resumes what it gets
  /// once it has let go of that lock, and should then wait for room.
  func add(_ element: Element) -> CheckedContinuation<Void, Never>? {
    state.withLock { state in
      guard state.end == nil else { return nil }
      state.elements.append(element)
      return state.takeTaker()
    }
  }

  /// Returns when there is room, after the end, and when the task is cancelled.
  func waitUntilRoom() async {
    while !Task.isCancelled, state.withLock({ $0.count >= capacity && $0.end == nil }) { await waitForRoom() }
  }

  /// Puts in, and blocks the thread while there is no room: for threads that are nobody else's. False after the end.
  func putBlocking(_ element: Element) -> Bool {
    while true {
      let semaphore = DispatchSemaphore(value: 0)
      let (isOver, taker, isIn) = state.withLock { state in
        guard state.end == nil else { return (true, nil as CheckedContinuation<Void, Never>?, false) }
        guard state.count < capacity else {
          state.blocked = semaphore
          return (false, nil, false)
        }
        state.elements.append(element)
        return (false, state.takeTaker(), true)
      }
      if isOver { return false }
      taker?.resume()
      if isIn { return true }
      semaphore.wait()
    }
  }

  /// The next element if it is there; nil if not.
  /// - Throws: why the queue has ended, after its last element.
  func takeIfThere() throws(MCPError) -> Element? {
    let (element, putters) = try state.withLock { state throws(MCPError) in
      if let element = state.take() { return (element as Element?, state.takePutters()) }
      if let end = state.end { throw end }
      return (nil, [])
    }
    for putter in putters { putter.resume() }
    return element
  }

  /// Returns when there is an element, at the end, and when the task is cancelled.
  func waitUntilThere() async { await waitForElement() }

  /// The next element. Called by one task at a time.
  /// - Throws: why the queue has ended, after its last element; `CancellationError`.
  func take() async throws -> Element {
    while true {
      try Task.checkCancellation()
      if let element = try takeIfThere() { return element }
      await waitForElement()
    }
  }

  /// Nothing more comes; what is there can still be taken.
  func end(_ error: MCPError) {
    let waiters = state.withLock { state in
      state.end = state.end ?? error
      return state.takePutters() + [state.takeTaker()].compactMap(\.self)
    }
    for waiter in waiters { waiter.resume() }
  }

  private func waitForElement() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state -> Bool in
          if state.count > 0 || state.end != nil || Task.isCancelled { return true }
          state.taker = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.takeTaker() }?.resume()
    }
  }

  private func waitForRoom() async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state -> Bool in
          if state.count < capacity || state.end != nil || Task.isCancelled { return true }
          state.putters[id] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.putters.removeValue(forKey: id) }?.resume()
    }
  }
}
