/// JSON Pointers (RFC 6901) as text.
enum JSONPointer {
  static func escaped(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
    return token.reduce(into: "") { text, character in
      switch character {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.append(character)
      }
    }
  }

  /// The tokens of a pointer; nil unless it is empty or starts with a slash and escapes properly.
  static func tokens(of pointer: String) -> [String]? {
    guard !pointer.isEmpty else { return [] }
    guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
    var tokens: [String] = []
    for part in pointer.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in part {
        switch (isEscaped, byte) {
        case (true, UInt8(ascii: "0")): bytes.append(UInt8(ascii: "~"))
        case (true, UInt8(ascii: "1")): bytes.append(UInt8(ascii: "/"))
        case (true, _): return nil
        case (false, UInt8(ascii: "~")): break
        case (false, _): bytes.append(byte)
        }
        isEscaped = !isEscaped && byte == UInt8(ascii: "~")
      }
      guard !isEscaped else { return nil }
      tokens.append(String(decoding: bytes, as: UTF8.self))
    }
    return tokens
  }

  /// The value a pointer leads to.
  static func value(at pointer: String, in root: JSONValue) -> JSONValue? {
    tokens(of: pointer)?.reduce(root) { value, token in value.flatMap { child(token, of: $0) } }
  }

  /// The value a token leads to.
  static func child(_ token: String, of value: JSONValue) -> JSONValue? {
    switch value {
    case .object(let object): return object[token]
    case .array(let array):
      guard token == "0" || token.utf8.first != UInt8(ascii: "0"), token.utf8.allSatisfy(isDigit),
        let index = Int(token)
      else { return nil }
      guard array.indices.contains(index) else { return nil }
      return array[index]
    default: return nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
