/// The grammar of RFC 3986.
enum URIFormat {
  static func isReference(_ text: String, needsScheme: Bool) -> Bool {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    let parts = URIReference(text)
    if let scheme = parts.scheme {
      guard isScheme(scheme) else { return false }
    } else {
      if needsScheme { return false }
      // Otherwise the first segment would read as a scheme.
      if parts.authority == nil, parts.path.prefix(while: { $0 != "/" }).contains(":") { return false }
    }
    guard parts.authority.map(isAuthority) ?? true else { return false }
    guard holds(parts.path, ":@/") else { return false }
    return holds(parts.query ?? "", ":@/?") && holds(parts.fragment ?? "", ":@/?")
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first.isLetter else { return false }
    return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }

  private static func isAuthority(_ text: Substring) -> Bool {
    var host = text
    if let at = host.lastIndex(of: "@") {
      guard holds(host[..<at], ":") else { return false }
      host = host[host.index(after: at)...]
    }
    if host.first == "[" {
      guard let end = host.firstIndex(of: "]") else { return false }
      let address = host[host.index(after: host.startIndex)..<end]
      guard NetworkFormat.isIPv6(Array(address.utf8)[...]) || isFutureAddress(address) else { return false }
      host = host[host.index(after: end)...]
      return host.isEmpty || host.first == ":" && host.dropFirst().utf8.allSatisfy(\.isDigit)
    }
    if let colon = host.lastIndex(of: ":") {
      guard host[host.index(after: colon)...].utf8.allSatisfy(\.isDigit) else { return false }
      host = host[..<colon]
    }
    return holds(host, "")
  }

  private static func isFutureAddress(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first | 0x20 == UInt8(ascii: "v"), let dot = text.firstIndex(of: ".") else {
      return false
    }
    let version = text[..<dot].dropFirst()
    return !version.isEmpty && version.utf8.allSatisfy(\.isHexadecimalDigit) && holds(text[dot...].dropFirst(), ":")
  }

  /// Whether all is unreserved, a sub-delimiter, a percent escape or one of `extra`.
  private static func holds(_ text: Substring, _ extra: String) -> Bool {
    var escapeDigits = 0
    for byte in text.utf8 {
      if escapeDigits > 0 {
        guard byte.isHexadecimalDigit else { return false }
        escapeDigits -= 1
      } else if byte == UInt8(ascii: "%") {
        escapeDigits = 2
      } else if !(byte.isLetter || byte.isDigit || "-._~!$&'()*+,;=".utf8.contains(byte) || extra.utf8.contains(byte)) {
        return false
      }
    }
    return escapeDigits == 0
  }
}
