extension String {
  /// Whether both hold the same code points. `==` would also accept canonically equivalent ones.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Equal bytes imply equal strings, and the standard library compares ASCII fast.
    return self == other && utf8.elementsEqual(other.utf8)
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
