/// Writes on their way to a child, in order; each is whole or not at all.
struct InputQueue {
  private struct Write {
    let id: UInt64
    let bytes: [UInt8]
    var offset = 0
    let done: Latch?
  }

  private var writes: [Write] = []
  private var first = 0
  private var lastID: UInt64 = 0
  /// No more may be added.
  private(set) var isClosed = false

  var isEmpty: Bool { first == writes.count }

  /// Adds a write; `done` is settled when the pipe has taken all of it.
  mutating func append(_ bytes: [UInt8], done: Latch?) -> UInt64 {
    lastID += 1
    writes.append(Write(id: lastID, bytes: bytes, done: done))
    return lastID
  }

  /// Nothing is added any more; what is queued is still written.
  mutating func close() { isClosed = true }

  /// Takes back a write of which no byte has gone out. One that has begun stays: half a message would spoil all after.
  mutating func withdraw(_ id: UInt64) {
    guard let index = writes[first...].firstIndex(where: { $0.id == id }), writes[index].offset == 0 else { return }
    writes.remove(at: index)
  }

  /// The next bytes to write: of `bytes` those from `offset`.
  var next: (bytes: [UInt8], offset: Int)? {
    isEmpty ? nil : (writes[first].bytes, writes[first].offset)
  }

  /// The pipe took `count` bytes of `next`. Returns whom to tell.
  mutating func advance(by count: Int) -> Latch? {
    writes[first].offset += count
    guard writes[first].offset == writes[first].bytes.count else { return nil }
    let done = writes[first].done
    first += 1
    // The written ones are dropped in batches, so that a write costs no shift of all that wait.
    if first == writes.count || first > 64 {
      writes.removeFirst(first)
      first = 0
    }
    return done
  }

  /// Nothing can be written any more. Returns all that still waited.
  mutating func fail() -> [Latch] {
    isClosed = true
    defer {
      writes.removeAll()
      first = 0
    }
    return writes[first...].compactMap(\.done)
  }
}
