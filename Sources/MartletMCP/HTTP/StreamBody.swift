import MartletHTTP
import MartletSync

/// The body of a response that is a stream of events: what is put in comes out, with comments where it is silent.
final class StreamBody: HTTPBodySource {
  private let queue: MessageQueue<[UInt8]>
  private let keepAlive: Duration
  private let clock: PeerClock
  private let onDrop: @Sendable () -> Void

  /// - Parameter onDrop: called once, when nobody reads any more, also after the end.
  init(capacity: Int = 64, keepAlive: Duration, clock: PeerClock, onDrop: @escaping @Sendable () -> Void = {}) {
    queue = MessageQueue(capacity: capacity)
    self.keepAlive = keepAlive
    self.clock = clock
    self.onDrop = onDrop
  }

  deinit {
    queue.end(Self.ended)
    onDrop()
  }

  private static let ended = MCPError(.closed, "the stream has ended")

  /// The way in, which does not keep the body itself: that lives as long as its reader.
  var input: MessageQueue<[UInt8]> { queue }

  static func end(_ input: MessageQueue<[UInt8]>) { input.end(ended) }

  func next() async throws -> [UInt8]? {
    do {
      // A timer only where there is something to wait for.
      if let bytes = try queue.takeIfThere() { return bytes }
      let queue = queue
      await clock.race(until: clock.now() + keepAlive) { await queue.waitUntilThere() }
      try Task.checkCancellation()
      return try queue.takeIfThere() ?? EventText.comment
    } catch is MCPError {
      return nil
    }
  }
}
