/// Counts lines and columns along a text that comes in pieces.
struct JSONTextPosition {
  private(set) var offset = 0
  private var line = 1
  private var column = 1
  private var followsReturn = false

  mutating func advance(over bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n"):
        if !followsReturn { line += 1 }
        column = 1
      case UInt8(ascii: "\r"):
        line += 1
        column = 1
      case 0x80..<0xc0: break  // inside a scalar
      default: column += 1
      }
      followsReturn = byte == UInt8(ascii: "\r")
    }
    offset += bytes.count
  }

  var position: JSONError.Position {
    JSONError.Position(offset: offset, line: line, column: column)
  }
}
