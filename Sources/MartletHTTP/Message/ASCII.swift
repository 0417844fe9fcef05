extension UInt8 {
  /// `A`–`Z` become `a`–`z`; every other byte stays.
  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension String {
  /// Compares as HTTP compares field names: bytes, with `A`–`Z` equal to `a`–`z`.
  func equalsIgnoringASCIICase(_ other: String) -> Bool {
    utf8.count == other.utf8.count && startsIgnoringASCIICase(other)
  }

  func startsIgnoringASCIICase(_ start: String) -> Bool {
    guard utf8.count >= start.utf8.count else { return false }
    return withBytes { bytes in
      start.withBytes { start in
        for index in start.indices where bytes[index] != start[index] {
          if bytes[index].asciiLowercased != start[index].asciiLowercased { return false }
        }
        return true
      }
    }
  }

  /// Whether every byte is as asked.
  func hasOnly(_ isAllowed: (UInt8) -> Bool) -> Bool { withBytes { $0.allSatisfy(isAllowed) } }

  private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}
