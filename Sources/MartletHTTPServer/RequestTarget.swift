/// The target of a request, cut into its parts: a path (origin form), or a whole URL, as a client writes it that takes the
/// server for a proxy (absolute form). A server must take both (RFC 9112, 3.2.2).
struct RequestTarget {
  /// Path and query, as they were sent.
  let origin: Substring
  /// Of a whole URL, host and port, which then count and not the `host` header; nil in the usual form.
  let authority: Substring?
  /// Percent-decoded segments; `nil` if one is not valid UTF-8, holds a NUL, or is `..`.
  let path: [String]?
  let query: [(name: String, value: String)]

  init(_ target: String) {
    (authority, origin) = Self.split(target)
    let parts = origin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let segments = parts[0].split(separator: "/").map { Self.decoded($0, plusIsSpace: false) }
    let isSound = segments.allSatisfy { $0 != nil && $0 != ".." && $0 != "." && $0?.utf8.contains(0) != true }
    // A URL without a host names no server, and one with a user is to be taken for an attack (RFC 9110, 4.2.4).
    let isHere = authority.map { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "@")) } ?? true
    path = isSound && isHere ? segments.compactMap(\.self) : nil
    query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { field in
      let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count > 1 ? pair[1] : ""
      // What is no valid escape in a query stays as it is, as browsers do.
      return (
        Self.decoded(pair[0], plusIsSpace: true) ?? String(pair[0]),
        Self.decoded(value, plusIsSpace: true) ?? String(value)
      )
    }
  }

  private static func split(_ target: String) -> (authority: Substring?, origin: Substring) {
    if target.utf8.first == UInt8(ascii: "/") { return (nil, target[...]) }
    for scheme in ["http://", "https://"] where target.prefix(scheme.count).lowercased() == scheme {
      let rest = target.dropFirst(scheme.count)
      let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      let origin = rest[end...]
      return (rest[..<end], origin.first == "/" ? origin : "/" + origin)
    }
    return (nil, target[...])
  }

  /// `nil` for a broken escape or bytes that are no UTF-8.
  private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, let high = hexValue(rest.removeFirst()), let low = hexValue(rest.removeFirst()) else {
          return nil
        }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
