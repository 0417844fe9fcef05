import MartletSync

/// Lets a connection's handlers find it without holding it.
final class WeakConnection: Sendable {
  private struct State {
    weak var connection: PeerConnection?
  }
  private let state = Locked(State())

  var connection: PeerConnection? {
    get { state.withLock { $0.connection } }
    set { state.withLock { $0.connection = newValue } }
  }
}
