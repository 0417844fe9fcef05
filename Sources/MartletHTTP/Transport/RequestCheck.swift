extension HTTPRequest {
  /// Refuses what must not reach the wire: line breaks in headers would smuggle in others.
  func check() throws(HTTPError) {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https", url.dropFirst(scheme.count).hasPrefix("://"),
      url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), url.utf8.count > scheme.utf8.count + 3
    else {
      throw HTTPError(
        .invalidURL, "\(url.urlOrigin) is not an absolute http or https URL; spaces must be percent-encoded.")
    }
    guard !method.rawValue.isEmpty, method.rawValue.utf8.allSatisfy(\.isTokenByte) else {
      throw HTTPError(.invalidRequest, "The request method is not a single word.")
    }
    for field in headers {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isTokenByte) else {
        throw HTTPError(.invalidRequest, "A header name is empty or has characters that names cannot have.")
      }
      guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw HTTPError(
          .invalidRequest, "The value of the header \(field.name) has a line break or a control character.")
      }
    }
  }
}

extension UInt8 {
  /// A character of a token (RFC 9110, 5.6.2).
  var isTokenByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
