/// A conversation that grows at its end: messages in order, copied in constant time.
///
/// Full chunks of 64 messages are shared between copies, so handing the history of a long session to a model and then
/// appending to it costs the same at ten messages and at ten thousand.
public struct MessageHistory: Sendable, Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private static let chunkSize = 64
  private var chunks: [[Message]] = []
  private var tail: [Message] = []

  /// An empty conversation.
  public init() {}

  /// The messages of a sequence.
  public init(_ messages: some Sequence<Message>) {
    for message in messages { append(message) }
  }

  public init(arrayLiteral elements: Message...) {
    self.init(elements)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { chunks.count * Self.chunkSize + tail.count }

  public subscript(position: Int) -> Message {
    let chunk = position / Self.chunkSize
    return chunk < chunks.count
      ? chunks[chunk][position % Self.chunkSize] : tail[position - chunks.count * Self.chunkSize]
  }

  /// Adds a message at the end.
  public mutating func append(_ message: Message) {
    tail.append(message)
    if tail.count == Self.chunkSize {
      chunks.append(tail)
      tail = []
    }
  }

  /// Keeps the first `count` messages.
  public mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= endIndex, "a history can only be cut within its bounds")
    let full = count / Self.chunkSize
    if full < chunks.count {
      tail = Array(chunks[full].prefix(count % Self.chunkSize))
      chunks.removeLast(chunks.count - full)
    } else {
      tail.removeLast(endIndex - count)
    }
  }
}
