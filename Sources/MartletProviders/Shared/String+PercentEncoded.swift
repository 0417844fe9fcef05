extension String {
  /// For a value in a query.
  var percentEncoded: String {
    var encoded = ""
    for byte in utf8 {
      if WireNames.Form.plain.isAllowed(byte) || byte == UInt8(ascii: ".") {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}
