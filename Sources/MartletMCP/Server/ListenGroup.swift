import MartletSync

/// Requests that listen for changes and have something in common that may end: a connection, a server.
final class ListenGroup: Sendable {
  private struct State {
    var queues: [Int: (id: MCPRequestID, queue: ChangeQueue)] = [:]
    var nextKey = 0
    var hasEnded = false
  }

  private let state = Locked(State())

  /// Lets a request end with the group; one that comes after the end of it ends at once.
  func enter(_ id: MCPRequestID, _ queue: ChangeQueue) -> Int {
    let (key, hasEnded) = state.withLock { state in
      state.nextKey += 1
      state.queues[state.nextKey] = (id, queue)
      return (state.nextKey, state.hasEnded)
    }
    if hasEnded { queue.end() }
    return key
  }

  func leave(_ key: Int) { state.withLock { $0.queues[key] = nil } }

  /// Lets all come to their end, and tells which they are.
  @discardableResult
  func end() -> [MCPRequestID] {
    let members = state.withLock { state in
      state.hasEnded = true
      return Array(state.queues.values)
    }
    for member in members { member.queue.end() }
    return members.map(\.id)
  }
}
