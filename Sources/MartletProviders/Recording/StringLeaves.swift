/// The strings of a JSON document and where they stand in its text.
struct StringLeaves {
  struct Leaf {
    /// The way to it, as `choices[0].delta.content`.
    var path: String
    /// What is between its quotes.
    var range: Range<Int>
  }

  private(set) var all: [Leaf] = []
  /// The document's numbers named `index` and such: they tell the blocks of a reply apart.
  private(set) var indexes = ""

  private static let indexNames: Set<String> = ["index", "output_index", "content_index", "summary_index"]
  private static let depthLimit = 256

  private let bytes: [UInt8]
  private var position: Int
  private var path: [String] = []

  /// Nil for what is no JSON document, white space around it aside.
  init?(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    position = start
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "{") || bytes[position] == UInt8(ascii: "["),
      readValue(name: nil)
    else { return nil }
    skipSpace()
    guard position == bytes.count else { return nil }
  }

  private mutating func readValue(name: String?) -> Bool {
    skipSpace()
    guard position < bytes.count, path.count < Self.depthLimit else { return false }
    switch bytes[position] {
    case UInt8(ascii: "{"): return readMembers(until: UInt8(ascii: "}"), hasNames: true)
    case UInt8(ascii: "["): return readMembers(until: UInt8(ascii: "]"), hasNames: false)
    case UInt8(ascii: "\""):
      guard let range = readString() else { return false }
      all.append(Leaf(path: path.joined(separator: "."), range: range))
      return true
    default:
      let start = position
      while position < bytes.count, !Self.isEnd(bytes[position]) { position += 1 }
      if let name, Self.indexNames.contains(name) {
        indexes += "#" + String(decoding: bytes[start..<position], as: UTF8.self)
      }
      return position > start
    }
  }

  private mutating func readMembers(until end: UInt8, hasNames: Bool) -> Bool {
    position += 1
    var index = 0
    while true {
      skipSpace()
      guard position < bytes.count else { return false }
      if bytes[position] == end {
        position += 1
        return true
      }
      if index > 0 {
        guard bytes[position] == UInt8(ascii: ",") else { return false }
        position += 1
        skipSpace()
      }
      var name = "[\(index)]"
      if hasNames {
        guard let range = readString() else { return false }
        name = String(decoding: bytes[range], as: UTF8.self)
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { return false }
        position += 1
      }
      path.append(name)
      guard readValue(name: name) else { return false }
      path.removeLast()
      index += 1
    }
  }

  private mutating func readString() -> Range<Int>? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return start..<position - 1
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return nil
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09, 0x0A, 0x0D].contains(byte)
  }
}
