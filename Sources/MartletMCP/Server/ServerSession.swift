import MartletJSON
import MartletSync

/// What a handshake settled with one client, and what that client wants to be told.
final class ServerSession: Sendable {
  struct Agreement: Sendable {
    var revision: MCPRevision
    var client: MCPClientCapabilities
    var clientInfo: MCPImplementation?
  }

  private struct State {
    var agreement: Agreement?
    /// Messages below are not sent. Until the client sets it, all are.
    var logLevel = MCPLogLevel.debug
    var watched: Set<String> = []
  }

  private let state = Locked(State())

  /// What was agreed on; nil before the handshake.
  var agreement: Agreement? {
    get { state.withLock { $0.agreement } }
    set { state.withLock { $0.agreement = newValue } }
  }

  var logLevel: MCPLogLevel {
    get { state.withLock { $0.logLevel } }
    set { state.withLock { $0.logLevel = newValue } }
  }

  func watch(_ uri: String) { state.withLock { _ = $0.watched.insert(uri) } }
  func unwatch(_ uri: String) { state.withLock { _ = $0.watched.remove(uri) } }

  /// Whether the client is to be told.
  func wants(_ change: ServerChange) -> Bool {
    state.withLock { state in
      guard state.agreement != nil else { return false }
      return switch change {
      case .tools, .prompts, .resources: true
      case .resource(let uri): state.watched.contains(uri)
      // Only who made it; the server tells the session itself.
      case .task: false
      }
    }
  }
}

/// Something about a server that has changed.
enum ServerChange: Sendable, Hashable {
  case tools
  case prompts
  case resources
  case resource(uri: String)
  case task(id: String)

  var method: String {
    switch self {
    case .tools: Method.toolsChanged
    case .prompts: Method.promptsChanged
    case .resources: Method.resourcesChanged
    case .resource: Method.resourceUpdated
    case .task: Method.task
    }
  }

  var params: JSONObject {
    switch self {
    case .tools, .prompts, .resources, .task: [:]
    case .resource(let uri): ["uri": .string(uri)]
    }
  }

  func isWanted(by filter: MCPListenFilter) -> Bool {
    switch self {
    case .tools: filter.tools
    case .prompts: filter.prompts
    case .resources: filter.resourceList
    case .resource(let uri): filter.resources.contains(uri)
    case .task(let id): filter.tasks.contains(id)
    }
  }
}

/// Tells changes to all who listen.
final class ChangeHub: Sendable {
  private struct State {
    var listeners: [Int: @Sendable (ServerChange) -> Void] = [:]
    var nextID = 0
  }

  private let state = Locked(State())

  func add(_ listener: @escaping @Sendable (ServerChange) -> Void) -> Int {
    state.withLock { state in
      state.nextID += 1
      state.listeners[state.nextID] = listener
      return state.nextID
    }
  }

  func remove(_ id: Int) { state.withLock { $0.listeners[id] = nil } }

  func tell(_ change: ServerChange) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener(change) }
  }
}

/// Changes that wait for one listener; equal ones wait once, so it is bounded by what there is to change.
final class ChangeQueue: Sendable {
  private let state = Locked<(waiting: [ServerChange], hasEnded: Bool)>(([], false))
  private let signal = Wakeup()

  func put(_ change: ServerChange) {
    state.withLock { state in
      if !state.waiting.contains(change) { state.waiting.append(change) }
    }
    signal.set()
  }

  /// No more is waited for; what is there can still be read.
  func end() {
    state.withLock { $0.hasEnded = true }
    signal.set()
  }

  /// The next change; nil at the end. Called by one task at a time.
  func next() async throws -> ServerChange? {
    while true {
      try Task.checkCancellation()
      let (change, hasEnded) = state.withLock { state in
        state.waiting.isEmpty ? (nil, state.hasEnded) : (state.waiting.removeFirst(), false)
      }
      if change != nil || hasEnded { return change }
      await signal.wait()
    }
  }
}
