/// What the readers throw inside: small enough to travel in registers. The boundary turns it into a `JSONError`.
struct JSONFault: Error {
  let code: JSONError.Code
  let offset: Int

  init(_ code: JSONError.Code, _ offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// The error for people, with line and column found in `bytes`.
  func error(in bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
    var place = JSONTextPosition()
    place.advance(over: bytes[..<min(offset, bytes.count)])
    let found = offset < bytes.count ? bytes[offset] : nil
    return JSONError(
      code: code, message: message(found: found), position: place.position)
  }

  func message(found: UInt8?) -> String {
    switch code {
    case .unexpectedEnd: "the JSON text ends too early"
    case .trailingBytes: "there is more text after the JSON value"
    case .invalidNumber: "this is not a JSON number"
    case .invalidEscape: "this is not a JSON escape"
    case .controlCharacter: "a control character in a JSON string must be escaped"
    case .invalidUTF8: "the JSON text is not valid UTF-8"
    case .loneSurrogate: "an escaped surrogate in a JSON string has no partner"
    case .duplicateKey: "a key appears twice in a JSON object"
    case .byteOrderMark: "the JSON text starts with a byte order mark"
    case .tooDeep: "the JSON text nests too deeply"
    default:
      switch found {
      case let byte? where byte > 0x20 && byte < 0x7f:
        "the character '\(Character(Unicode.Scalar(byte)))' cannot stand here in a JSON text"
      default: "this byte cannot stand here in a JSON text"
      }
    }
  }
}
