import Martlet

/// Turns what a provider streams into the events of a model: a pure state machine, one for each reply.
protocol WireDecoder: Sendable {
  /// Takes one event of the stream.
  /// - Throws: when the provider reports an error in the stream, or what came makes no sense.
  mutating func take(_ event: WireEvent, into events: inout [ModelEvent]) throws(ModelError)

  /// The connection has ended.
  /// - Throws: `.truncatedStream` unless the reply was complete.
  mutating func end(into events: inout [ModelEvent]) throws(ModelError)

  /// Whether the reply is complete; nothing after that counts.
  var isComplete: Bool { get }
}

/// One event of a stream, as framed.
struct WireEvent {
  /// The event's name in server-sent events; empty elsewhere.
  var type: String
  var data: ArraySlice<UInt8>
}

extension ModelError {
  /// The stream ended too early.
  static func truncated(_ provider: String) -> Self {
    Self(code: .truncatedStream, message: "\(provider)'s stream ended before the reply was complete")
  }
}
