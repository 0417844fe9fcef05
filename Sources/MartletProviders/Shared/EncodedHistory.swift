import Martlet
import MartletSync

/// A conversation in a provider's form, encoded message by message: a fold that goes on where it stopped, so that a request
/// costs work only for what is new since the one before it (invariant I2: what was encoded stays as it is).
struct EncodedHistory<Encoder: MessageEncoder>: Sendable {
  private(set) var encoder: Encoder
  /// Neutral messages encoded so far.
  private(set) var count = 0
  /// What they encode to, without the commas between.
  private(set) var segments: [[UInt8]] = []

  init(encoder: Encoder) { self.encoder = encoder }

  /// What a request that ends here sends.
  var request: [[UInt8]] {
    let closing = encoder.closing
    return closing.isEmpty ? segments : segments + closing
  }

  /// Encodes what is new.
  mutating func extend(to messages: MessageHistory) {
    while count < messages.count {
      let next = count + 1 < messages.count ? messages[count + 1] : nil
      encoder.encode(messages[count], next: next, into: &segments)
      count += 1
    }
  }
}

/// Encodes one neutral message after the other into a provider's form.
protocol MessageEncoder: Sendable {
  /// Appends what the message is on the wire: none, one or several messages.
  mutating func encode(_ message: Message, next: Message?, into segments: inout [[UInt8]])

  /// What a request that ends here needs after its messages to be complete, such as results that are missing. It is not
  /// kept: the next request may go on otherwise. Default: nothing.
  var closing: [[UInt8]] { get }
}

extension MessageEncoder {
  var closing: [[UInt8]] { [] }
}

/// The encoded histories of the conversations that a model works on, by prefix.
final class EncodedHistories<Encoder: MessageEncoder>: Sendable {
  /// Conversations kept; the one used longest ago goes first.
  private static var capacity: Int { 64 }

  private struct State {
    var histories: [PromptPrefix: EncodedHistory<Encoder>] = [:]
    var order: [PromptPrefix] = []
  }

  private let state = Locked(State())

  /// The encoded messages of a request.
  func segments(for request: ModelRequest, makeEncoder: () -> Encoder) -> [[UInt8]] {
    guard let prefix = request.prefix else {
      var history = EncodedHistory(encoder: makeEncoder())
      history.extend(to: request.messages)
      return history.request
    }
    var history = state.withLock { $0.histories.removeValue(forKey: prefix) } ?? EncodedHistory(encoder: makeEncoder())
    if history.count > request.messages.count { history = EncodedHistory(encoder: makeEncoder()) }
    history.extend(to: request.messages)
    let kept = history
    state.withLock { state in
      state.histories[prefix] = kept
      state.order.removeAll { $0 == prefix || ($0.session == prefix.session && $0.epoch < prefix.epoch) }
      state.order.append(prefix)
      if state.order.count > Self.capacity { state.histories[state.order.removeFirst()] = nil }
    }
    return kept.request
  }
}
