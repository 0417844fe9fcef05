#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension UnsafeBufferPointer<Float> {
  /// The index of the greatest number, the first of equals; NaN is never chosen. 0 when empty.
  func indexOfMaximum() -> Int {
    let width = 16
    var best = SIMD16<Float>(repeating: -.infinity)
    var index = 0
    while index + width <= count {
      var lane = SIMD16<Float>()
      for offset in 0..<width { lane[offset] = self[index + offset] }
      best.replace(with: lane, where: lane .> best)
      index += width
    }
    var maximum = -Float.infinity
    for lane in 0..<width where best[lane] > maximum { maximum = best[lane] }
    while index < count {
      if self[index] > maximum { maximum = self[index] }
      index += 1
    }
    for index in 0..<count where self[index] == maximum { return index }
    return 0
  }

  /// log(sum(exp(x))), without overflow.
  ///
  /// Sixteen at a time: one after the other, the exponentials of a vocabulary take as long as a tenth of a small model's
  /// step (measured: 3 ms for 152,000).
  func logSumExp() -> Float {
    guard !isEmpty else { return -.infinity }
    let maximum = self[indexOfMaximum()]
    let width = 16
    var sum = 0.0
    var index = 0
    while index + width <= count {
      // In parts, so that what is small still counts beside the sum of the part.
      let end = Swift.min(count - width, index + 4_096)
      var part = SIMD16<Float>()
      while index <= end {
        var lane = SIMD16<Float>()
        for offset in 0..<width { lane[offset] = self[index + offset] }
        part += Self.exponential(lane - maximum)
        index += width
      }
      sum += Double(part.sum())
    }
    while index < count {
      sum += Double(exp(self[index] - maximum))
      index += 1
    }
    return maximum + Float(log(sum))
  }

  /// e to the power of numbers up to 0, to 2 units of the last place; 0 below -87, and for NaN.
  ///
  /// Of the usual kind: x = n ln 2 + r with |r| <= ln 2 / 2, e^r as its Taylor polynomial (of which what follows the seventh
  /// power is below a unit of the last place there), 2^n by way of the exponent's bits.
  private static func exponential(_ x: SIMD16<Float>) -> SIMD16<Float> {
    let isInRange = x .> -87
    let x = SIMD16<Float>().replacing(with: x, where: isInRange)
    // Where numbers have no fraction, adding rounds, and the last bits are the integer.
    let shifted = x * 1.442_695 + 12_582_912
    let n = shifted - 12_582_912
    // ln 2 in two numbers, the first of few bits, so that its multiples are exact.
    let r = (x - n * 0.693_359_375) + n * 2.121_944_4e-4
    var power = r * (1 / 5_040) + 1 / 720
    power = power * r + 1 / 120
    power = power * r + 1 / 24
    power = power * r + 1 / 6
    power = power * r + 0.5
    power = (power * r + 1) * r + 1
    let integer = unsafeBitCast(shifted, to: SIMD16<Int32>.self) &- Int32(bitPattern: Float(12_582_912).bitPattern)
    let scale = unsafeBitCast((integer &+ 127) &<< 23, to: SIMD16<Float>.self)
    return SIMD16<Float>().replacing(with: power * scale, where: isInRange)
  }
}
