/// Reads a file forward through a window, so that memory stays bounded whatever the file says.
struct GGUFCursor {
  /// Fills a buffer with bytes from an offset on and returns how many there were; 0 at the end.
  typealias Source = (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

  private let source: Source
  /// Bytes of the file.
  let size: Int
  /// Where the next byte is read.
  private(set) var position = 0
  private var window: [UInt8]
  private var held = 0..<0

  init(size: Int, window: Int = 1 << 16, source: @escaping Source) {
    self.source = source
    self.size = size
    self.window = [UInt8](repeating: 0, count: max(16, window))
  }

  mutating func skip(_ count: UInt64) throws {
    guard count <= UInt64(size - position) else { throw GGUFError.malformed("it ends too early", at: position) }
    position += Int(count)
  }

  /// A little-endian number.
  mutating func number<N: FixedWidthInteger & UnsignedInteger>(_: N.Type = N.self) throws -> N {
    let width = MemoryLayout<N>.size
    let start = try hold(width)
    var value: N = 0
    for index in 0..<width { value |= N(window[start + index]) << N(8 * index) }
    position += width
    return value
  }

  /// A text of at most 255 bytes; `nil` for a longer one, which is skipped.
  mutating func shortText() throws -> String? {
    let length = try number(UInt64.self)
    guard length < 256 else {
      try skip(length)
      return nil
    }
    var bytes: [UInt8] = []
    for _ in 0..<length { bytes.append(try number()) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Makes sure that bytes from the position on are in the window, and returns where.
  private mutating func hold(_ count: Int) throws -> Int {
    guard count <= size - position else { throw GGUFError.malformed("it ends too early", at: position) }
    if !(held.lowerBound <= position && position + count <= held.upperBound) {
      let (source, position) = (source, position)
      let filled = try window.withUnsafeMutableBytes { buffer in
        var filled = 0
        while filled < count {
          let read = try source(position + filled, UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
          guard read > 0 else { throw GGUFError.malformed("it ends too early", at: position) }
          filled += read
        }
        return filled
      }
      held = position..<position + filled
    }
    return position - held.lowerBound
  }
}
