import Martlet
import MartletCrypto
import MartletJSON
import MartletSync

/// The tasks of a server, each for its caller alone.
final class ServerTaskStore: Sendable {
  private let tasks = Locked<[String: ServerTask]>([:])
  private let clock: PeerClock
  private let limit: Int

  init(clock: PeerClock, limit: Int) {
    self.clock = clock
    self.limit = limit
  }

  /// - Throws: when there are too many.
  func begin(
    _ caller: MCPCaller, lifetime: Duration, pollInterval: Duration,
    onChange: @escaping @Sendable (ServerTask) -> Void
  ) throws -> ServerTask {
    // As hard to guess as a key: who knows it may see the result.
    let id = RandomBytes.make(count: 16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let task = ServerTask(
      id: id, caller: caller, lifetime: lifetime, expiry: clock.now() + lifetime, pollInterval: pollInterval,
      now: { Timestamp.now.description }, onChange: onChange)
    removeExpired()
    let isIn = tasks.withLock { tasks -> Bool in
      guard tasks.count < limit else { return false }
      tasks[id] = task
      return true
    }
    guard isIn else { throw MCPErrorObject(.internalError, "there are too many tasks; try again later") }
    return task
  }

  /// - Throws: as for one that does not exist, if it is another caller's.
  func task(_ id: String?, of caller: MCPCaller) throws -> ServerTask {
    removeExpired()
    guard let id, let task = tasks.withLock({ $0[id] }), task.caller.principal == caller.principal else {
      throw MCPErrorObject(.invalidParams, "there is no such task")
    }
    return task
  }

  func all(of caller: MCPCaller) -> [ServerTask] {
    removeExpired()
    return tasks.withLock { $0.values.filter { $0.caller.principal == caller.principal } }
      .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
  }

  private func removeExpired() {
    let now = clock.now()
    let expired = tasks.withLock { tasks -> [ServerTask] in
      let expired = tasks.values.filter { $0.expiry <= now }
      for task in expired { tasks[task.id] = nil }
      return expired
    }
    for task in expired { task.cancel() }
  }

  /// Ends all and waits for them.
  func close() async {
    let all = tasks.withLock { tasks in
      defer { tasks = [:] }
      return Array(tasks.values)
    }
    for task in all { task.cancel() }
    for task in all { await task.drained() }
  }
}
