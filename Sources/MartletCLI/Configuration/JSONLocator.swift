/// Finds where a value stands in JSON text that is known to be valid.
struct JSONLocator {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The line, from 1, of the key at the end of a path of keys; nil when there is none.
  func line(of path: [String]) -> Int? {
    var scan = self
    for (depth, key) in path.enumerated() {
      guard let start = scan.enter(key) else { return nil }
      if depth == path.count - 1 { return bytes[..<start].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) } }
    }
    return nil
  }

  /// Goes to the value of a key of the object here; gives where the key stands.
  private mutating func enter(_ key: String) -> Int? {
    skipSpace()
    guard next == UInt8(ascii: "{") else { return nil }
    position += 1
    while true {
      skipSpace()
      let start = position
      guard next == UInt8(ascii: "\"") else { return nil }
      skipString()
      let name = bytes[start..<position]
      skipSpace()
      position += 1  // the colon
      if name.dropFirst().dropLast().elementsEqual(key.utf8) { return start }
      skipValue()
      skipSpace()
      guard next == UInt8(ascii: ",") else { return nil }
      position += 1
    }
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func skipString() {
    position += 1
    while let byte = next, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
    position = min(position + 1, bytes.count)
  }

  private mutating func skipValue() {
    var depth = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
        position += 1
      case UInt8(ascii: ",") where depth == 0: return
      default: position += 1
      }
    }
  }
}
