import MartletSync

/// A tool call under way.
struct RunningTool: Sendable {
  var work: Task<Void, Never>?
  var race: ToolRace?
  var hasTimedOut = false
}

/// Waits for a tool's end or for the moment when nobody waits for it any more, whichever comes first.
final class ToolRace: Sendable {
  enum End: Sendable {
    case output(ToolOutput)
    case error(any Error)
    /// It did not stop in time.
    case abandoned
  }

  private struct State {
    var end: End?
    var waiter: CheckedContinuation<End, Never>?
  }

  private let state = Locked(State())

  /// The first end counts.
  func end(_ end: End) {
    let waiter = state.withLock { state -> CheckedContinuation<End, Never>? in
      guard state.end == nil else { return nil }
      state.end = end
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: end)
  }

  /// How it ended. Awaited once.
  var value: End {
    get async {
      await withCheckedContinuation { continuation in
        let end = state.withLock { state -> End? in
          if state.end == nil { state.waiter = continuation }
          return state.end
        }
        if let end { continuation.resume(returning: end) }
      }
    }
  }
}
