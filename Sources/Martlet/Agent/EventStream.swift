/// The records of a session, as they happen. Read once, by one task.
///
/// Durable records come in order and without gaps, after they are committed. Deltas may be dropped for a reader that falls
/// behind, which then gets a `partial` with the reply so far; a slow reader never holds up the run. The iterator throws
/// `CancellationError` when its task is cancelled rather than ending.
public struct EventStream: AsyncSequence, Sendable {
  public typealias Element = EventRecord

  private let open: @Sendable () async throws -> EventSubscription

  init(_ open: @escaping @Sendable () async throws -> EventSubscription) { self.open = open }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(open: open) }

  /// Reads the records one by one. Dropping it ends the subscription.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let open: @Sendable () async throws -> EventSubscription
    private var reader: Reader?

    fileprivate init(open: @escaping @Sendable () async throws -> EventSubscription) { self.open = open }

    public mutating func next() async throws -> EventRecord? {
      if let reader { return try await reader.subscription.next() }
      let reader = Reader(subscription: try await open())
      self.reader = reader
      return try await reader.subscription.next()
    }
  }

  /// Ends the subscription when the iterator that holds it is gone.
  private final class Reader {
    let subscription: EventSubscription
    init(subscription: EventSubscription) { self.subscription = subscription }
    deinit { subscription.drop() }
  }
}

@available(*, unavailable) extension EventStream.AsyncIterator: Sendable {}
