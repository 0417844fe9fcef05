import MartletJSON
import MartletSync

/// One `subscriptions/listen` that is kept up.
final class Listener: Sendable {
  /// What the server said it will tell.
  let acknowledged = Settlement<MCPListenFilter>()
  private struct State {
    weak var subscriber: NotificationSubscriber?
  }
  private let state = Locked(State())

  func attach(_ subscriber: NotificationSubscriber) { state.withLock { $0.subscriber = subscriber } }
  func take(_ notification: MCPNotification) { state.withLock { $0.subscriber }?.take(notification) }
  func end() { state.withLock { $0.subscriber }?.end() }
}

/// Which notifications belong to which listener.
final class ListenerTable: Sendable {
  private struct State {
    var byRequest: [MCPRequestID: Listener] = [:]
    var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
    var hasEnded = false
  }

  private let state = Locked(State())

  /// The listener's request has this id now.
  func bind(_ id: MCPRequestID, to listener: Listener) {
    state.withLock { state in
      state.byRequest = state.byRequest.filter { $0.value !== listener }
      state.byRequest[id] = listener
    }
  }

  /// Keeps the task that keeps a listener up, until it is over.
  func keep(_ listener: Listener, _ start: @escaping @Sendable () async -> Void) {
    let key = ObjectIdentifier(listener)
    let hasEnded = state.withLock { state -> Bool in
      if state.hasEnded { return true }
      // Owned by this table: `cancel` and `endAll` cancel it, `endAll`'s caller awaits it.
      state.tasks[key] = Task { [self] in
        await start()
        forget(listener)
      }
      return false
    }
    if hasEnded { listener.acknowledged.settle(.failure(MCPError(.closed, "the client was closed"))) }
  }

  private func forget(_ listener: Listener) {
    state.withLock { state in
      state.byRequest = state.byRequest.filter { $0.value !== listener }
      state.tasks[ObjectIdentifier(listener)] = nil
    }
  }

  /// Nobody reads any more.
  func cancel(_ listener: Listener) { state.withLock { $0.tasks[ObjectIdentifier(listener)] }?.cancel() }

  func endAll() -> [Task<Void, Never>] {
    let (tasks, listeners) = state.withLock { state in
      state.hasEnded = true
      return (Array(state.tasks.values), Array(state.byRequest.values))
    }
    for listener in listeners { listener.end() }
    for task in tasks { task.cancel() }
    return tasks
  }

  /// Hands a notification to the listener that it is marked for. Whether nobody else should have it.
  func take(_ method: String, _ params: JSONObject, _ notification: MCPNotification) -> Bool {
    guard let id = params[object: "_meta"]?[MetaKey.subscription].flatMap(MCPRequestID.init(json:)) else {
      return false
    }
    guard let listener = state.withLock({ $0.byRequest[id] }) else { return method == Method.acknowledged }
    if method == Method.acknowledged {
      let filter = MCPListenFilter(fields: params[object: "notifications"] ?? [:])
      listener.acknowledged.settle(.success(filter))
      return true
    }
    listener.take(notification)
    return false
  }
}
