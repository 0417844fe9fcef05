import MartletSync

/// Ids like the providers' own: never the same twice in a simulator, the same in each run of a test.
final class WireIDs: Sendable {
  private let count = Locked(UInt64(0))
  private static let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  /// The prefix and so many letters and digits.
  func make(_ prefix: String, length: Int = 24) -> String {
    var seed = count.withLock { count in
      count += 1
      return count
    }
    var id = prefix
    // SplitMix64: different for each count.
    for _ in 0..<length {
      seed &+= 0x9E37_79B9_7F4A_7C15
      var mixed = seed
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      id.append(Self.letters[Int((mixed ^ (mixed >> 31)) % 62)])
    }
    return id
  }
}
