/// The last lines of a stream, in bounded memory.
struct LineTail {
  private let lineLimit: Int
  private let lengthLimit: Int
  private var lines: [String] = []
  private var open: [UInt8] = []
  private var openIsCut = false

  /// - Parameters:
  ///   - lineLimit: how many lines are kept.
  ///   - lengthLimit: bytes kept of one line; the rest of a longer one is dropped and marked with "…".
  init(lineLimit: Int, lengthLimit: Int = 4_096) {
    self.lineLimit = lineLimit
    self.lengthLimit = lengthLimit
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      extend(rest[..<newline])
      close()
      rest = rest[(newline + 1)...]
    }
    extend(rest)
  }

  /// The lines, oldest first; the last may be unfinished.
  var current: [String] {
    Array((open.isEmpty && !openIsCut ? lines : lines + [openText]).suffix(lineLimit))
  }

  private mutating func extend(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let room = lengthLimit - open.count
    if bytes.count > room { openIsCut = true }
    open.append(contentsOf: bytes.prefix(room))
  }

  private mutating func close() {
    // Trimmed only now and then, so that a line costs no shift of all others.
    lines.append(openText)
    if lines.count >= 2 * lineLimit { lines.removeFirst(lines.count - lineLimit) }
    open.removeAll(keepingCapacity: true)
    openIsCut = false
  }

  private var openText: String {
    let text = open.last == UInt8(ascii: "\r") && !openIsCut ? open.dropLast() : open[...]
    return String(decoding: text.prefix(UTF8Boundary.completePrefix(of: text)), as: UTF8.self) + (openIsCut ? "…" : "")
  }
}
