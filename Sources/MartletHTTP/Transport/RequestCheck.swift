extension HTTPRequest {
  /// Refuses what must not reach the wire: line breaks in headers would smuggle in others.
  func check() throws(HTTPError) {
    let rest = ["http://", "https://"].first(where: url.startsIgnoringASCIICase).map { url.utf8.count - $0.utf8.count }
    guard let rest, rest > 0, url.hasOnly({ $0 > 0x20 && $0 != 0x7F }) else {
      throw HTTPError(
        .invalidURL, "\(url.urlOrigin) is not an absolute http or https URL; spaces must be percent-encoded.")
    }
    guard !method.rawValue.isEmpty, method.rawValue.hasOnly(\.isTokenByte) else {
      throw HTTPError(.invalidRequest, "The request method is not a single word.")
    }
    for field in headers {
      guard !field.name.isEmpty, field.name.hasOnly(\.isTokenByte) else {
        throw HTTPError(.invalidRequest, "A header name is empty or has characters that names cannot have.")
      }
      guard field.value.hasOnly({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw HTTPError(
          .invalidRequest, "The value of the header \(field.name) has a line break or a control character.")
      }
    }
  }
}

extension UInt8 {
  /// A character of a token (RFC 9110, 5.6.2).
  var isTokenByte: Bool {
    let (low, high): (UInt64, UInt64) = (0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
    return self < 64 ? low >> UInt64(self) & 1 == 1 : self < 128 && high >> UInt64(self - 64) & 1 == 1
  }
}
