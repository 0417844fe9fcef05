/// Host names, addresses and mailboxes.
enum NetworkFormat {
  /// RFC 1123, section 2.1: labels of letters, digits and inner hyphens. Punycode labels are not decoded.
  static func isHostname(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (1...253).contains(bytes.count) else { return false }
    return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(isLabel)
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    guard (1...63).contains(label.count), let first = label.first, let last = label.last else { return false }
    let hyphen = UInt8(ascii: "-")
    guard first != hyphen, last != hyphen else { return false }
    // RFC 5891, section 4.2.3.1: hyphens in third and fourth place are reserved for punycode.
    let tag = label.dropFirst(2).prefix(2)
    if tag.count == 2, tag.allSatisfy({ $0 == hyphen }), label.prefix(2).map({ $0 | 0x20 }) != Array("xn".utf8) {
      return false
    }
    return label.allSatisfy { $0.isLetter || $0.isDigit || $0 == hyphen }
  }

  /// RFC 2673, section 3.2: four decimal numbers without leading zeros.
  static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard (1...3).contains(part.count), part.allSatisfy(\.isDigit) else { return false }
        if part.count > 1, part.first == UInt8(ascii: "0") { return false }
        return part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
      }
  }

  /// RFC 4291, section 2.2, without a zone.
  static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
    let colon = UInt8(ascii: ":")
    let gap = zip(bytes.indices, bytes.indices.dropFirst()).first { bytes[$0] == colon && bytes[$1] == colon }
    guard let gap else { return groups(bytes, mayEndInIPv4: true) == 8 }
    let head = bytes[..<gap.0]
    let tail = bytes[(gap.1 + 1)...]
    guard let before = head.isEmpty ? 0 : groups(head, mayEndInIPv4: false),
      let after = tail.isEmpty ? 0 : groups(tail, mayEndInIPv4: true)
    else { return false }
    return before + after <= 7
  }

  /// How many 16-bit groups the text spells; nil if it spells none.
  private static func groups(_ bytes: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> Int? {
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var count = 0
    for (index, part) in parts.enumerated() {
      if (1...4).contains(part.count), part.allSatisfy(\.isHexadecimalDigit) {
        count += 1
      } else if mayEndInIPv4, index == parts.count - 1, isIPv4(part) {
        count += 2
      } else {
        return nil
      }
    }
    return count
  }

  /// RFC 5321, section 4.1.2: a dotted or quoted local part, then a host name or a literal address.
  static func isEmail(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
    return isLocalPart(bytes[..<at]) && isMailDomain(bytes[(at + 1)...])
  }

  private static func isLocalPart(_ bytes: ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    if bytes.count > 2, bytes.first == quote, bytes.last == quote {
      var isEscaped = false
      for byte in bytes.dropFirst().dropLast() {
        guard (32...126).contains(byte) else { return false }
        if !isEscaped, byte == quote { return false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      }
      return !isEscaped
    }
    let atoms = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return atoms.allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
    }
  }

  private static func isMailDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else {
      return isHostname(String(decoding: bytes, as: UTF8.self))
    }
    let address = bytes.dropFirst().dropLast()
    let tag = Array("IPv6:".utf8)
    return address.starts(with: tag) ? isIPv6(address.dropFirst(tag.count)) : isIPv4(address)
  }
}
