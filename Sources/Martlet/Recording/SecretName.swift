/// Values that are secrets by their names: `DB_PASSWORD=…`, `"apiKey": "…"`, `?access_token=…`.
///
/// What counts as a value has a letter and a digit and at least eight bytes, so that words and numbers stay. It ends at
/// whatever ends a value in JSON, shells, URLs and configuration files, escaped or not.
enum SecretName {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// What a name ends with, without case, `_` and `-`.
  private static let ends = [
    "password", "passwd", "passphrase", "secret", "apikey", "secretkey", "accesskey", "privatekey", "signingkey",
    "encryptionkey", "accountkey", "token", "credentials",
  ].map { Array($0.utf8) }

  /// The value that is named before a sign of assignment.
  static func value(at index: Int, in bytes: Bytes) -> Range<Int>? {
    guard isName(before: index, in: bytes) else { return nil }
    return value(from: index + 1, in: bytes)
  }

  /// Whether such a value, or a longer one, may still come.
  static func mayGoOn(at index: Int, in bytes: Bytes) -> Bool {
    guard isName(before: index, in: bytes) else { return false }
    var position = start(from: index + 1, in: bytes)
    if position < bytes.count, bytes[position] == backslash { return bytes[position...].allSatisfy { $0 == backslash } }
    while position < bytes.count, isValueByte(bytes[position]) { position += 1 }
    return position == bytes.count
  }

  /// Whether the value of a member of an object is a secret.
  static func isName(_ name: String) -> Bool { isName(Array(name.utf8)) }

  private static func value(from index: Int, in bytes: Bytes) -> Range<Int>? {
    let start = start(from: index, in: bytes)
    var end = start
    var hasDigit = false
    var hasLetter = false
    while end < bytes.count, isValueByte(bytes[end]) {
      switch bytes[end] {
      case 0x30...0x39: hasDigit = true
      // Numbers have an exponent.
      case UInt8(ascii: "e"), UInt8(ascii: "E"): break
      case 0x41...0x5A, 0x61...0x7A: hasLetter = true
      default: break
      }
      end += 1
    }
    return hasDigit && hasLetter && end - start >= 8 ? start..<end : nil
  }

  /// Behind spaces and quotes, escaped ones too.
  private static func start(from index: Int, in bytes: Bytes) -> Int {
    var index = index
    while index < bytes.count {
      if isQuote(bytes[index]) || bytes[index] == 0x20 || bytes[index] == 0x09 {
        index += 1
      } else if bytes[index] == backslash {
        let quote = bytes[index...].firstIndex { $0 != backslash }
        guard let quote, isQuote(bytes[quote]) else { return index }
        index = quote + 1
      } else {
        return index
      }
    }
    return index
  }

  private static func isName(before index: Int, in bytes: Bytes) -> Bool {
    var end = index
    while end > 0, index - end < 8 {
      let byte = bytes[end - 1]
      guard byte == 0x20 || byte == 0x09 || isQuote(byte) || byte == backslash else { break }
      end -= 1
    }
    var start = end
    while start > 0, end - start < 40, isNameByte(bytes[start - 1]) { start -= 1 }
    return start < end && isName(Array(bytes[start..<end]))
  }

  private static func isName(_ name: [UInt8]) -> Bool {
    let letters = name.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }.map {
      (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
    }
    return ends.contains { letters.count >= $0.count && letters.suffix($0.count).elementsEqual($0) }
  }

  private static let backslash = UInt8(ascii: "\\")

  private static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 || byte == 0x60 }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  private static func isValueByte(_ byte: UInt8) -> Bool {
    guard (0x21...0x7E).contains(byte), !isQuote(byte), byte != backslash else { return false }
    return !",;&<>()[]{}".utf8.contains(byte)
  }
}
