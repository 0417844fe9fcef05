/// A small seeded random number generator (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// 2014): the same seed gives the same numbers on every platform.
struct SplitMix64: RandomNumberGenerator, Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, not including, 1.
  mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }
}
