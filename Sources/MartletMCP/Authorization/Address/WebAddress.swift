/// An absolute `http` or `https` URL in its parts. Nothing is normalised but the case of scheme and host.
struct WebAddress: Sendable, Hashable {
  /// `http` or `https`.
  let scheme: String
  /// In lower case; an IPv6 address in its brackets.
  let host: String
  let port: UInt16?
  /// Empty, or it begins with a slash.
  let path: String
  /// Without the question mark.
  let query: String?

  /// `nil` for other schemes, credentials in the URL, and what parsers read differently: backslashes, spaces, characters
  /// beyond ASCII, numbers as hosts in other forms than `127.0.0.1`. A fragment is left out.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      let mark = text.firstRange(of: "://")
    else { return nil }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = text[mark.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard let (host, port) = Self.hostAndPort(authority) else { return nil }
    let target = rest[authority.endIndex...]
    let path = target.prefix { $0 != "?" }
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = String(path)
    query = path.endIndex < target.endIndex ? String(target[target.index(after: path.endIndex)...]) : nil
  }

  private init(scheme: String, host: String, port: UInt16?, path: String, query: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  var isEncrypted: Bool { scheme == "https" }

  /// `https://example.org`, with the port where it is not the scheme's own.
  var origin: String {
    let usual: UInt16 = isEncrypted ? 443 : 80
    guard let port, port != usual else { return "\(scheme)://\(host)" }
    return "\(scheme)://\(host):\(port)"
  }

  /// The URL, without a fragment.
  var text: String {
    "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(path)\(query.map { "?" + $0 } ?? "")"
  }

  /// The same place with another path and no query.
  func with(path: String) -> WebAddress {
    WebAddress(scheme: scheme, host: host, port: port, path: path, query: nil)
  }

  /// The same URL with more in its query.
  func adding(_ fields: FormFields) -> WebAddress {
    let added = fields.encoded
    let all = query.map { $0.isEmpty ? added : "\($0)&\(added)" } ?? added
    return WebAddress(scheme: scheme, host: host, port: port, path: path, query: all)
  }

  private static func hostAndPort(_ authority: Substring) -> (String, UInt16?)? {
    var host = authority
    var port: UInt16?
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      host = authority[..<colon]
      let digits = authority[authority.index(after: colon)...]
      guard digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = UInt16(digits), number > 0 else { return nil }
      port = number
    }
    let name = host.lowercased()
    guard NetworkZone(host: name) != nil else { return nil }
    return (name, port)
  }
}
