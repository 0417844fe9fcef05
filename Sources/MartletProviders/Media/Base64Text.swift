/// The bytes that base64 text stands for, as far as they are wanted: enough to see what a file is costs no whole decoding.
enum Base64Text {
  /// The first bytes, at most so many; what stands behind a character that is none of base64's is left out.
  static func bytes(_ text: String, limit: Int = .max) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(limit, text.utf8.count / 4 * 3 + 3))
    var collected: UInt32 = 0
    var bits: UInt32 = 0
    for byte in text.utf8 {
      guard bytes.count < limit else { break }
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
      default: return bytes
      }
      collected = collected << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: collected >> bits))
      }
    }
    return bytes
  }

  /// The text as services take it: one line, in the standard alphabet, padded. Nil for what is no base64.
  static func standard(_ text: String) -> String? {
    let isWhole =
      text.utf8.count.isMultiple(of: 4) && text.utf8.dropLast(2).allSatisfy(isStandard)
      && text.utf8.suffix(2).allSatisfy { isStandard($0) || $0 == UInt8(ascii: "=") }
    if isWhole { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 3)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "="): break
      default:
        guard isStandard(byte) else { return nil }
        bytes.append(byte)
      }
    }
    guard bytes.count % 4 != 1 else { return nil }
    while !bytes.count.isMultiple(of: 4) { bytes.append(UInt8(ascii: "=")) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isStandard(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
  }
}
