import MartletSync

/// What a server tells unasked, from the moment this was made.
///
/// Single pass, one reader. For a slow one equal notifications that wait are told once, and of others the oldest give way
/// beyond 512. The stream ends when the client is closed. A cancelled reader gets `CancellationError`.
public struct MCPNotifications: AsyncSequence, Sendable {
  public typealias Element = MCPNotification
  let subscriber: NotificationSubscriber

  public struct AsyncIterator: AsyncIteratorProtocol {
    let subscriber: NotificationSubscriber

    /// The next notification; nil when the client has been closed.
    public mutating func next() async throws -> MCPNotification? { try await subscriber.next() }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscriber: subscriber) }
}

@available(*, unavailable) extension MCPNotifications.AsyncIterator: Sendable {}

/// One reader's place. The hub holds it weakly: it is gone with the last copy of its stream.
final class NotificationSubscriber: Sendable {
  private struct State {
    var waiting: [MCPNotification] = []
    var hasEnded = false
    var reader: CheckedContinuation<Void, Never>?

    mutating func takeReader() -> CheckedContinuation<Void, Never>? {
      defer { reader = nil }
      return reader
    }
  }

  private static let limit = 512
  private let state = Locked(State())
  private let filter: @Sendable (MCPNotification) -> Bool
  private let onEnd: @Sendable () -> Void

  init(
    filter: @escaping @Sendable (MCPNotification) -> Bool = { _ in true }, onEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.filter = filter
    self.onEnd = onEnd
  }

  deinit { onEnd() }

  func take(_ notification: MCPNotification) {
    guard filter(notification) else { return }
    let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.hasEnded, !state.waiting.contains(notification) else { return nil }
      if state.waiting.count >= Self.limit { state.waiting.removeFirst() }
      state.waiting.append(notification)
      return state.takeReader()
    }
    reader?.resume()
  }

  func end() {
    let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.hasEnded = true
      return state.takeReader()
    }
    reader?.resume()
  }

  func next() async throws -> MCPNotification? {
    while true {
      try Task.checkCancellation()
      let (notification, hasEnded) = state.withLock { state -> (MCPNotification?, Bool) in
        state.waiting.isEmpty ? (nil, state.hasEnded) : (state.waiting.removeFirst(), false)
      }
      if let notification { return notification }
      if hasEnded { return nil }
      await wait()
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state -> Bool in
          if !state.waiting.isEmpty || state.hasEnded || Task.isCancelled { return true }
          state.reader = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.takeReader() }?.resume()
    }
  }
}

/// Hands notifications to all who read them.
final class NotificationHub: Sendable {
  private struct Entry {
    weak var subscriber: NotificationSubscriber?
  }

  private struct State {
    var entries: [Entry] = []
    var hasEnded = false
  }

  private let state = Locked(State())

  func add(_ subscriber: NotificationSubscriber) {
    let hasEnded = state.withLock { state -> Bool in
      state.entries.removeAll { $0.subscriber == nil }
      state.entries.append(Entry(subscriber: subscriber))
      return state.hasEnded
    }
    if hasEnded { subscriber.end() }
  }

  func take(_ notification: MCPNotification) {
    for subscriber in state.withLock({ $0.entries.compactMap(\.subscriber) }) { subscriber.take(notification) }
  }

  func end() {
    let subscribers = state.withLock { state in
      state.hasEnded = true
      return state.entries.compactMap(\.subscriber)
    }
    for subscriber in subscribers { subscriber.end() }
  }
}
