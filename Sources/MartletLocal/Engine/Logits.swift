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
  func logSumExp() -> Float {
    guard !isEmpty else { return -.infinity }
    let maximum = self[indexOfMaximum()]
    var sum = 0.0
    for logit in self { sum += Double(exp(logit - maximum)) }
    return maximum + Float(log(sum))
  }
}
