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

  /// A list that came to no end, ended after what it says: each of its whole elements once. Nil where there is none, and
  /// of anything but a list.
  static func listWithoutRepeats(_ text: String) -> String? {
    guard text.hasPrefix("[") else { return nil }
    var elements: [String] = []
    var scanner = ValueScanner()
    var element: [UInt8] = []
    for byte in text.utf8.dropFirst() {
      guard scanner.ends(at: byte) else {
        element.append(byte)
        continue
      }
      let whole = String(decoding: element, as: UTF8.self).drop { $0 == " " }
      if !whole.isEmpty, !elements.contains(String(whole)) { elements.append(String(whole)) }
      element = []
    }
    return elements.isEmpty ? nil : "[" + elements.joined(separator: ", ") + "]"
  }
}
