/// The log of a session as a file: a record a line. Knows where each line is.
final class SessionFile {
  let file: StorageFile
  /// The number of the file's first record: 1, or of a fork's first own one.
  let firstSeq: Int
  /// The session that records before the first are shared with.
  let origin: SessionOrigin?
  /// Where lines begin; the last is where the next record goes.
  private(set) var starts: [Int] = [0]
  /// Whether something follows the last whole line: a record that was cut off, or one that is just being written.
  private(set) var hasTail = false

  /// Opens a log; a new one where `create` is set and there is none.
  init(_ path: String, create: Bool = false) throws {
    file = try StorageFile(path, create: create)
    var first: EventRecord?
    let size = try file.size
    if size > 0 {
      var end = min(size, 4_096)
      var head = try file.read(0..<end)
      while head.firstIndex(of: 0x0A) == nil, end < size {
        end = min(size, end * 4)
        head = try file.read(0..<end)
      }
      if let newline = head.firstIndex(of: 0x0A) {
        // One that cannot be read is found, and told of, when it is read.
        do { first = try StoredRecord.record(head[..<newline]) { _ in [] } } catch { first = nil }
      }
    }
    if case .sessionCreated(let created)? = first?.event, let forked = created.forkedFrom, first?.seq == forked.seq + 1
    {
      firstSeq = forked.seq + 1
      origin = forked
    } else {
      firstSeq = 1
      origin = nil
    }
    try scan()
  }

  /// The number of the last whole record; `firstSeq - 1` when there is none.
  var lastSeq: Int { firstSeq + starts.count - 2 }
  /// Where the next record goes.
  var end: Int { starts[starts.count - 1] }

  /// Takes notice of what was added since.
  func scan() throws {
    let size = try file.size
    var position = end
    if size < position {
      starts = [0]
      position = 0
    }
    while position < size {
      let chunk = try file.read(position..<min(size, position + 1 << 20))
      guard !chunk.isEmpty else { break }
      chunk.withUnsafeBufferPointer { bytes in
        for index in bytes.indices where bytes[index] == 0x0A { starts.append(position + index + 1) }
      }
      position += chunk.count
    }
    hasTail = end < size
  }

  /// The bytes of the lines from one record to another, with their line breaks.
  func lines(_ seqs: ClosedRange<Int>) throws -> [ArraySlice<UInt8>] {
    let (first, last) = (seqs.lowerBound - firstSeq, seqs.upperBound - firstSeq)
    let start = starts[first]
    let bytes = try file.read(start..<starts[last + 1])
    return (first...last).map { bytes[(starts[$0] - start)..<(starts[$0 + 1] - start - 1)] }
  }

  /// Adds lines and waits until they are safe. All or none: what a failure leaves is taken back.
  func append(_ lines: [[UInt8]]) throws {
    let start = end
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.count + 1 })
    var added: [Int] = []
    for line in lines {
      bytes += line
      bytes.append(0x0A)
      added.append(start + bytes.count)
    }
    do {
      try file.write(bytes, at: start)
      try file.sync()
    } catch {
      // Where even this fails, a torn line is left, which the next holder quarantines.
      do { try file.truncate(to: start) } catch { hasTail = true }
      throw error
    }
    starts += added
  }

  /// Everything from a record on, whole or not.
  func rest(from seq: Int) throws -> [UInt8] {
    try file.read(starts[seq - firstSeq]..<(try file.size))
  }

  /// Takes everything from a record on out of the file.
  func drop(from seq: Int) throws {
    let index = seq - firstSeq
    try file.truncate(to: starts[index])
    try file.sync()
    starts.removeLast(starts.count - index - 1)
    hasTail = false
  }
}
