extension String {
  /// Whether both hold the same code points. `==` would also accept canonically equivalent ones.
  func hasSameBytes(as other: String) -> Bool {
    let count = utf8.count
    guard count == other.utf8.count else { return false }
    let same = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return JSONBytes.areSame(left, right, count)
      }
    }
    // Strings that come from elsewhere, as on Apple platforms, may have no bytes in a row.
    return same.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether this comes first when UTF-16 code units are compared.
  func precedesInUTF16(_ other: String) -> Bool {
    // UTF-8 sorts by code point. UTF-16 does too, but for the surrogates of what is beyond U+FFFF (first byte F0 and
    // above), which come before U+E000 to U+FFFF (first byte EE or EF).
    func rank(_ byte: UInt8) -> UInt8 {
      byte < 0xee ? byte : byte < 0xf0 ? byte + 6 : byte - 2
    }
    return utf8.lexicographicallyPrecedes(other.utf8) { rank($0) < rank($1) }
  }

  /// Feeds the code points to a hasher, consistent with `hasSameBytes(as:)`.
  func hashBytes(into hasher: inout Hasher) {
    let done: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    if done == nil {
      var copy = self
      copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
    hasher.combine(UInt8(0xff))
  }
}
