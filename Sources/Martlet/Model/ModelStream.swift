/// The events of one reply, read once, by one task.
///
/// The stream is pulled: the model does the work of the next events when they are asked for, in the reader's task, so
/// a slow reader slows the model down and a cancelled reader stops it. The iterator throws `CancellationError` rather
/// than ending when its task is cancelled, so a cut-off reply cannot look finished.
public struct ModelStream: AsyncSequence, Sendable {
  public typealias Element = ModelEvent

  /// Where events come from. Used by one task at a time; freed when the reader is done, which must end its work.
  public protocol Source {
    /// The next events, at least one; nil at the end. Throws `ModelError` or `CancellationError`.
    mutating func next() async throws -> [ModelEvent]?
  }

  private let makeSource: @Sendable () -> any Source

  /// A stream over a source made when reading starts.
  public init(_ makeSource: @escaping @Sendable () -> any Source) {
    self.makeSource = makeSource
  }

  /// A stream of events that are there already, then, if given, an error.
  public init(_ events: [ModelEvent], error: (any Error)? = nil) {
    self.init { Ready(events: events, error: error) }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: makeSource()) }

  /// Reads the events one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var source: any Source
    private var batch: [ModelEvent] = []
    private var position = 0

    fileprivate init(source: any Source) { self.source = source }

    public mutating func next() async throws -> ModelEvent? {
      while position == batch.count {
        guard let next = try await nextBatch() else { return nil }
        batch = next
        position = 0
      }
      defer { position += 1 }
      return batch[position]
    }

    /// The next events as they come, without one suspension for each.
    public mutating func nextBatch() async throws -> [ModelEvent]? {
      try Task.checkCancellation()
      if let batch = try await source.next() { return batch }
      try Task.checkCancellation()
      return nil
    }
  }

  private struct Ready: Source {
    var events: [ModelEvent]
    var error: (any Error)?

    mutating func next() async throws -> [ModelEvent]? {
      if !events.isEmpty {
        defer { events = [] }
        return events
      }
      if let error { throw error }
      return nil
    }
  }
}

@available(*, unavailable) extension ModelStream.AsyncIterator: Sendable {}
