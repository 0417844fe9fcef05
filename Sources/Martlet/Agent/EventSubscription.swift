import MartletSync

/// One observer's place in a session: a bounded buffer between the run, which never waits, and a reader that may be slow.
///
/// When the buffer is full, deltas are dropped, to be made up for by a `partial`; when durable records do not fit either,
/// the buffer is emptied and the reader goes on from the store.
final class EventSubscription: Sendable {
  /// Records held for a reader before deltas are dropped.
  static let capacity = 512
  /// Records held before the reader is sent back to the store.
  static let durableCapacity = 1_024

  private struct State {
    /// What was delivered is gone, its place is still there.
    var buffer: [EventRecord?] = []
    var head = 0
    /// The last durable record the reader has had.
    var delivered: Int
    /// The last durable record the run has pushed.
    var pushed = 0
    /// Whether durable records after `delivered` have to come from the store.
    var isBehind: Bool
    /// What was read from the store, in reverse, and not delivered yet.
    var backlog: [EventRecord] = []
    var missedDeltas = false
    var isFinished = false
    /// Why nothing more comes, where that is no end that the log tells of.
    var failure: (any Error)?
    var isDropped = false
    var waiter: CheckedContinuation<Void, Never>?

    var count: Int { buffer.count - head }

    mutating func append(_ record: EventRecord) {
      if head > 64, head * 2 > buffer.count {
        buffer.removeFirst(head)
        head = 0
      }
      buffer.append(record)
    }

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }

    /// The next record to deliver, without reading the store.
    mutating func pop() -> EventRecord? {
      if let record = backlog.popLast() {
        if let seq = record.seq { delivered = max(delivered, seq) }
        return record
      }
      while !isBehind, head < buffer.count {
        let taken = buffer[head].take()
        head += 1
        guard let record = taken else { continue }
        guard let seq = record.seq else { return record }
        if seq <= delivered { continue }
        delivered = seq
        return record
      }
      return nil
    }

    /// Takes what the store had after `delivered`. Records committed while it was read were pushed and not kept, so
    /// that the store is read again for them.
    mutating func takeStored(_ records: [EventRecord]) {
      backlog = records.reversed()
      if records.isEmpty, pushed <= delivered { isBehind = false }
    }
  }

  private enum Step {
    case record(EventRecord)
    case readStore(after: Int)
    case wait
    case end
  }

  private let state: Locked<State>
  private let read: @Sendable (_ after: Int) async throws -> [EventRecord]
  private let onDrop: @Sendable () -> Void

  /// - Parameters:
  ///   - after: the last durable record the reader has already.
  ///   - isBehind: whether there may be records after it in the store.
  ///   - read: some of the committed records after a sequence number; empty at the end.
  ///   - onDrop: called once, when the reader goes away before the end.
  init(
    after: Int, isBehind: Bool, read: @escaping @Sendable (_ after: Int) async throws -> [EventRecord],
    onDrop: @escaping @Sendable () -> Void
  ) {
    state = Locked(State(delivered: after, isBehind: isBehind))
    self.read = read
    self.onDrop = onDrop
  }

  /// Takes a record from the run. `partial` makes the reply so far for a reader that missed deltas.
  func push(_ record: EventRecord, partial: () -> EventRecord?) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.isDropped, !state.isFinished else { return nil }
      if let seq = record.seq {
        state.pushed = seq
        if state.count >= Self.durableCapacity {
          state.buffer = []
          state.head = 0
          state.isBehind = true
          state.missedDeltas = true
        }
        if !state.isBehind { state.append(record) }
      } else if state.count >= Self.capacity || state.isBehind {
        state.missedDeltas = state.missedDeltas || record.event.isDelta
        return state.isBehind ? state.takeWaiter() : nil
      } else {
        if state.missedDeltas, record.event.isDelta {
          state.missedDeltas = false
          if let partial = partial() {
            // The partial already holds this delta.
            state.append(partial)
            return state.takeWaiter()
          }
        }
        state.append(record)
      }
      return state.takeWaiter()
    }
    waiter?.resume()
  }

  /// Others may have appended to the log: what follows is read from the store.
  func fallBehind() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isBehind = true
      return state.takeWaiter()
    }
    waiter?.resume()
  }

  /// No more records come; what is buffered is still delivered, and then the reason, if there is one.
  func finish(_ failure: (any Error)? = nil) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if !state.isFinished { state.failure = failure }
      state.isFinished = true
      return state.takeWaiter()
    }
    waiter?.resume()
  }

  /// The reader is gone.
  func drop() {
    let (waiter, isNew) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
      let isNew = !state.isDropped && !(state.isFinished && state.count == 0 && !state.isBehind)
      state.isDropped = true
      state.buffer = []
      state.head = 0
      return (state.takeWaiter(), isNew)
    }
    waiter?.resume()
    if isNew { onDrop() }
  }

  /// Whether nothing pushed would reach anybody.
  var isOver: Bool { state.withLock { $0.isDropped || $0.isFinished } }

  var isDropped: Bool { state.withLock { $0.isDropped } }

  /// The next record; nil at the end.
  func next() async throws -> EventRecord? {
    while true {
      if Task.isCancelled {
        drop()
        throw CancellationError()
      }
      let step = state.withLock { state -> Step in
        if state.isDropped { return .end }
        if let record = state.pop() { return .record(record) }
        if state.isBehind { return .readStore(after: state.delivered) }
        return state.isFinished ? .end : .wait
      }
      switch step {
      case .record(let record): return record
      case .end:
        let failure = state.withLock { state -> (any Error)? in
          defer { state.failure = nil }
          return state.isDropped ? nil : state.failure
        }
        if let failure { throw failure }
        return nil
      case .wait: await wait()
      case .readStore(let after):
        let stored = try await read(after)
        state.withLock { $0.takeStored(stored) }
      }
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let resumeNow = state.withLock { state -> Bool in
          if state.count > 0 || state.isFinished || state.isDropped || state.isBehind || Task.isCancelled {
            return true
          }
          state.waiter = continuation
          return false
        }
        if resumeNow { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.takeWaiter() }?.resume()
    }
  }
}
