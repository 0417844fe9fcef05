/// Finds where a value ends in what is written after it: at a comma or bracket that is in no string, list or object.
struct ValueScanner: Sendable {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Whether this byte ends the value.
  mutating func ends(at byte: UInt8) -> Bool {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte
        == UInt8(ascii: "\"")
      {
        isInString = false
      }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      if depth == 0 { return true }
      depth -= 1
    case UInt8(ascii: ","), UInt8(ascii: ")"): return depth == 0
    default: break
    }
    return false
  }
}
