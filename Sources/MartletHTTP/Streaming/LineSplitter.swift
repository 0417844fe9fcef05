#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Cuts chunks of bytes into lines. A line that lies in one chunk is a slice of it, not a copy; each byte is looked at a
/// fixed number of times, whatever the lengths of lines and chunks.
struct LineSplitter: Sendable {
  enum Terminators {
    /// LF.
    case lineFeed
    /// LF, CR or CRLF. A CR ends its line at once, also as the last byte of a chunk.
    case lineFeedOrCarriageReturn
  }

  private let terminators: Terminators
  private var chunk: [UInt8] = []
  private var position = 0
  /// The first LF and the first CR at or after `position` when they were searched for; `chunk.count` for none.
  private var lineFeed = -1
  private var carriageReturn = -1
  /// The start of a line whose end is not here yet.
  private var partial: [UInt8] = []
  private var afterCarriageReturn = false

  init(terminators: Terminators) { self.terminators = terminators }

  /// The length of the unfinished line.
  var pendingCount: Int { partial.count + chunk.count - position }

  mutating func append(_ bytes: [UInt8]) {
    if position < chunk.count {
      chunk.removeSubrange(..<position)
      chunk += bytes
    } else {
      chunk = bytes
    }
    position = 0
    lineFeed = -1
    carriageReturn = -1
  }

  /// The next line without its terminator, or `nil` if it is not complete yet.
  mutating func next() -> ArraySlice<UInt8>? {
    if afterCarriageReturn, position < chunk.count {
      afterCarriageReturn = false
      if chunk[position] == 0x0A { position += 1 }
    }
    guard position < chunk.count else { return nil }
    if lineFeed < position { lineFeed = Self.index(of: 0x0A, in: chunk, from: position) }
    if carriageReturn < position {
      carriageReturn =
        terminators == .lineFeed ? chunk.count : Self.index(of: 0x0D, in: chunk, from: position)
    }
    let end = min(lineFeed, carriageReturn)
    guard end < chunk.count else {
      partial += chunk[position...]
      position = 0
      chunk = []
      return nil
    }
    var line = chunk[position..<end]
    if !partial.isEmpty {
      partial += line
      line = partial[...]
      partial = []
    }
    position = end + 1
    if end == carriageReturn {
      if position == chunk.count {
        afterCarriageReturn = true
      } else if chunk[position] == 0x0A {
        position += 1
      }
    }
    return line
  }

  /// What is left when no more bytes come: a line without terminator.
  mutating func finish() -> ArraySlice<UInt8>? {
    if let line = next() { return line }
    guard !partial.isEmpty else { return nil }
    defer { partial = [] }
    return partial[...]
  }

  private static func index(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let hit = memchr(base + start, Int32(byte), buffer.count - start) else {
        return buffer.count
      }
      return base.distance(to: hit)
    }
  }
}
