import Martlet
import MartletSync

/// A conversation in a provider's form, encoded message by message: a fold that goes on where it stopped, so that a request
/// costs work only for what is new since the one before it (invariant I2: what was encoded stays as it is).
///
/// It is total: whatever the messages are, encoders see a valid conversation (invariant I1), repaired where it is not.
struct EncodedHistory<Encoder: MessageEncoder>: Sendable {
  private(set) var encoder: Encoder
  private var repair = IncrementalRepair()
  /// Neutral messages encoded so far.
  private(set) var count = 0
  /// What they encode to.
  private var items = EncodedItems()

  init(encoder: Encoder) { self.encoder = encoder }

  /// Encodes what is new.
  /// - Returns: all messages, with those that only stand while the conversation ends here: results for open calls.
  mutating func extend(to messages: MessageHistory) -> EncodedItems {
    var new: [[UInt8]] = []
    if Encoder.isTotal {
      while count < messages.count {
        let next = count + 1 < messages.count ? messages[count + 1] : nil
        encoder.encode(messages[count], next: next, into: &new)
        count += 1
      }
      items.append(contentsOf: new)
      return items.appending(encoder.closing)
    }
    var settled: [Message] = []
    while count < messages.count {
      settled += repair.take(messages[count])
      count += 1
    }
    let rest = repair.rest
    for (index, message) in settled.enumerated() {
      let next = index + 1 < settled.count ? settled[index + 1] : rest.first
      encoder.encode(message, next: next, into: &new)
    }
    items.append(contentsOf: new)
    guard !rest.isEmpty else { return items.appending(encoder.closing) }
    var ending = encoder
    var last: [[UInt8]] = []
    for (index, message) in rest.enumerated() {
      ending.encode(message, next: index + 1 < rest.count ? rest[index + 1] : nil, into: &last)
    }
    return items.appending(last + ending.closing)
  }
}

/// Encodes one neutral message after the other into a provider's form.
protocol MessageEncoder: Sendable {
  /// Appends what the message is on the wire: none, one or several messages.
  mutating func encode(_ message: Message, next: Message?, into segments: inout [[UInt8]])

  /// What a request that ends here needs after its messages to be complete, such as results that are missing. It is not
  /// kept: the next request may go on otherwise. Default: nothing.
  var closing: [[UInt8]] { get }

  /// Whether it makes a valid request of any messages itself, so that they need not be repaired before. Default: no.
  static var isTotal: Bool { get }
}

extension MessageEncoder {
  var closing: [[UInt8]] { [] }
  static var isTotal: Bool { false }
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
  func items(for request: ModelRequest, makeEncoder: () -> Encoder) -> EncodedItems {
    guard let prefix = request.prefix else {
      var history = EncodedHistory(encoder: makeEncoder())
      return history.extend(to: request.messages)
    }
    var history = state.withLock { $0.histories.removeValue(forKey: prefix) } ?? EncodedHistory(encoder: makeEncoder())
    if history.count > request.messages.count { history = EncodedHistory(encoder: makeEncoder()) }
    let items = history.extend(to: request.messages)
    let kept = history
    state.withLock { state in
      state.histories[prefix] = kept
      state.order.removeAll { $0 == prefix || ($0.session == prefix.session && $0.epoch < prefix.epoch) }
      state.order.append(prefix)
      if state.order.count > Self.capacity { state.histories[state.order.removeFirst()] = nil }
    }
    return items
  }
}
