/// The values of `format` that can be checked (JSON Schema 2020-12 Validation, section 7.3).
enum StringFormat: String, Sendable, CaseIterable {
  case dateTime = "date-time"
  case date, time, duration, email, hostname, ipv4, ipv6, uri
  case uriReference = "uri-reference"
  case uuid
  case jsonPointer = "json-pointer"
  case regex

  func admits(_ text: String) -> Bool {
    switch self {
    case .dateTime: TimeFormat.isDateTime(text)
    case .date: TimeFormat.isDate(text)
    case .time: TimeFormat.isTime(text)
    case .duration: TimeFormat.isDuration(text)
    case .email: NetworkFormat.isEmail(text)
    case .hostname: NetworkFormat.isHostname(text)
    case .ipv4: NetworkFormat.isIPv4(Array(text.utf8)[...])
    case .ipv6: NetworkFormat.isIPv6(Array(text.utf8)[...])
    case .uri: URIFormat.isReference(text, needsScheme: true)
    case .uriReference: URIFormat.isReference(text, needsScheme: false)
    case .uuid: Self.isUUID(text)
    case .jsonPointer: JSONPointer.tokens(of: text) != nil
    case .regex: Self.isPattern(text)
    }
  }

  /// "a date such as 2026-11-30".
  var phrase: String {
    switch self {
    case .dateTime: "a date and time with offset such as 2026-11-30T09:30:00Z"
    case .date: "a date such as 2026-11-30"
    case .time: "a time with offset such as 09:30:00Z"
    case .duration: "an ISO 8601 duration such as PT1H30M"
    case .email: "an email address"
    case .hostname: "a host name"
    case .ipv4: "an IPv4 address"
    case .ipv6: "an IPv6 address"
    case .uri: "an absolute URI such as https://example.com/a"
    case .uriReference: "a URI or relative reference"
    case .uuid: "a UUID such as 123e4567-e89b-12d3-a456-426614174000"
    case .jsonPointer: "a JSON Pointer such as /items/0"
    case .regex: "a regular expression"
    }
  }

  private static func isUUID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexadecimalDigit
      }
  }

  private static func isPattern(_ text: String) -> Bool {
    do {
      _ = try Pattern(text)
      return true
    } catch {
      return false
    }
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  var isHexadecimalDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}
