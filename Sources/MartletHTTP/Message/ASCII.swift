extension UInt8 {
  /// `A`–`Z` become `a`–`z`; every other byte stays.
  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension String {
  /// Compares as HTTP compares field names: bytes, with `A`–`Z` equal to `a`–`z`.
  func equalsIgnoringASCIICase(_ other: String) -> Bool {
    let (left, right) = (utf8, other.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { $0 == $1 || $0.asciiLowercased == $1.asciiLowercased }
  }
}
