/// Percent escapes of RFC 3986, section 2.1.
package enum PercentEscapes {
  /// The text without its escapes; nil for a broken one, and where the bytes are no UTF-8.
  package static func decoded(_ text: some StringProtocol) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(JSONEscape.hexDigit),
        let low = rest.popFirst().flatMap(JSONEscape.hexDigit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
