/// The lines of a file, read in pieces: LF or CRLF ends a line.
struct LineReader {
  private let file: Descriptor
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private(set) var hasFailed = false
  /// Bytes kept of one line; the rest of a longer one is skipped.
  private let lineLimit: Int

  init(_ file: Descriptor, lineLimit: Int) {
    self.file = file
    self.lineLimit = lineLimit
  }

  /// Whether the file holds something that is no text: a NUL among its first bytes.
  mutating func looksBinary() -> Bool {
    fill()
    return buffer[position...].prefix(8_192).contains(0)
  }

  private mutating func fill() {
    guard !isAtEnd else { return }
    guard let bytes = file.read(65_536) else {
      hasFailed = true
      isAtEnd = true
      return
    }
    if bytes.isEmpty {
      isAtEnd = true
      return
    }
    buffer = Array(buffer[position...]) + bytes
    position = 0
  }

  /// The next line and how many of its bytes were left out; nil at the end.
  mutating func next() -> (line: ArraySlice<UInt8>, cut: Int)? {
    var kept: [UInt8]?
    var cut = 0
    while true {
      if let end = buffer[position...].firstIndex(of: 0x0A) {
        let piece = buffer[position..<end]
        position = end + 1
        return finish(kept, piece, cut)
      }
      if isAtEnd {
        guard position < buffer.count || kept != nil else { return nil }
        let piece = buffer[position...]
        position = buffer.count
        return finish(kept, piece, cut)
      }
      // The line goes on: keep what is wanted of it and drop the rest, so that a line of any length takes bounded space.
      let piece = buffer[position...]
      if piece.count + (kept?.count ?? 0) > lineLimit {
        let room = max(0, lineLimit - (kept?.count ?? 0))
        kept = (kept ?? []) + piece.prefix(room)
        cut += piece.count - min(room, piece.count)
        buffer = []
        position = 0
      }
      fill()
    }
  }

  private func finish(_ kept: [UInt8]?, _ piece: ArraySlice<UInt8>, _ cut: Int) -> (ArraySlice<UInt8>, Int) {
    let piece = piece.last == 0x0D ? piece.dropLast() : piece
    guard var line = kept else {
      let over = max(0, piece.count - lineLimit)
      return (piece.prefix(lineLimit), over)
    }
    let room = max(0, lineLimit - line.count)
    line += piece.prefix(room)
    return (line[...], cut + piece.count - min(room, piece.count))
  }
}
