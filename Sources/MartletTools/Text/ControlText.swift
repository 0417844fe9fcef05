/// Names and lines as they can be shown.
enum ControlText {
  /// Newlines and other control characters as `\n`, `\u{1B}`: what is one line stays one.
  static func escaped(_ text: String, keepsTabs: Bool = false) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += keepsTabs ? "\t" : "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
