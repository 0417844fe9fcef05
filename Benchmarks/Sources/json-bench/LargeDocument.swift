/// Documents of any size, each hard in its own way.
enum LargeDocument {
  static let all: [(name: String, make: @Sendable (Int) -> [UInt8])] = [
    ("Array of integers", { size in list(size) { String($0 % 1_000_000) } }),
    ("Array of doubles", { size in list(size) { String(Double($0) * 1.1 + 0.123) } }),
    ("One long string", { size in quoted("abcdefgh ijkl", size) }),
    ("One string of escapes", { size in quoted(#"\u00e9\n\"\ud83d\ude00"#, size) }),
    ("One string of Cyrillic", { size in quoted("Жизнь ", size) }),
    ("Array of events", { size in list(size) { _ in Samples.chunk } }),
    ("Array of short strings", { size in list(size) { "\"item \($0)\"" } }),
    (
      "One object of many keys",
      { size in
        Array("{".utf8) + list(size) { "\"key\($0)\":\($0)" }.dropFirst().dropLast() + Array("}".utf8)
      }
    ),
    ("Empty arrays", { size in list(size) { _ in "[]" } }),
    ("Nested too deeply", { size in Array(repeating: UInt8(ascii: "["), count: size) }),
    (
      "500 levels, again and again",
      { size in
        list(size) { _ in String(repeating: "[", count: 500) + String(repeating: "]", count: 500) }
      }
    ),
  ]

  private static func list(_ size: Int, _ element: (Int) -> String) -> [UInt8] {
    var bytes = Array("[".utf8)
    bytes.reserveCapacity(size + 1_000)
    var count = 0
    while bytes.count < size {
      if count > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: element(count).utf8)
      count += 1
    }
    return bytes + Array("]".utf8)
  }

  private static func quoted(_ text: String, _ size: Int) -> [UInt8] {
    var bytes = Array("\"".utf8)
    while bytes.count < size { bytes.append(contentsOf: text.utf8) }
    return bytes + Array("\"".utf8)
  }
}
