#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Any text as the value of a header: as it is where that is safe, else as `=?base64?…?=`.
enum HeaderText {
  private static let start = "=?base64?"
  private static let end = "?="

  static func encoded(_ text: String) -> String {
    isSafe(text) ? text : start + Data(text.utf8).base64EncodedString() + end
  }

  /// The text that a header means; nil if it is marked as encoded and is not.
  static func decoded(_ value: String) -> String? {
    guard isMarked(value) else { return value }
    let inner = value.dropFirst(start.count).dropLast(end.count)
    guard let data = Data(base64Encoded: String(inner)) else { return nil }
    return String(validating: data, as: UTF8.self)
  }

  private static func isMarked(_ value: String) -> Bool {
    value.utf8.count >= start.utf8.count + end.utf8.count && value.hasPrefix(start) && value.hasSuffix(end)
  }

  private static func isSafe(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
    return text.utf8.first != 0x20 && text.utf8.last != 0x20 && !isMarked(text)
  }

  /// A character of a name, by RFC 9110, 5.6.2.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// Whether two names of headers are the same.
  static func areSame(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
  }
}
