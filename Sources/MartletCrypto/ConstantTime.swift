#if canImport(Darwin)
  import Darwin
#else
  import CCrypto
#endif

/// Comparison of secrets.
public enum ConstantTime {
  /// Whether two secrets are the same, in time that tells nothing about where they differ; only their lengths show.
  public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    #if canImport(Darwin)
      return timingsafe_bcmp(left, right, left.count) == 0
    #else
      CryptoLibrary.require()
      return ccrypto_equal(left, right, left.count) == 1
    #endif
  }

  /// Whether two secrets are the same, as UTF-8, in time that tells nothing about where they differ.
  public static func areEqual(_ left: String, _ right: String) -> Bool { areEqual(Array(left.utf8), Array(right.utf8)) }
}
