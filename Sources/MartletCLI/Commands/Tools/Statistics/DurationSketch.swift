#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Quantiles of any number of durations in a memory of its own, at most 1% off: counts in buckets that grow by a constant
/// factor (DDSketch, Masson, Rim and Lee, 2019).
struct DurationSketch: Sendable {
  /// The limit of each bucket is so many times the limit before: (1 + 1%) / (1 - 1%).
  private static let factor = 1.01 / 0.99
  private static let logFactor = log(factor)
  /// Milliseconds below which durations are alike: a microsecond.
  private static let least = 0.001
  /// Buckets up to about ten days.
  private static let most = 1_350

  private var buckets: [Int32: Int] = [:]
  private(set) var count = 0
  private(set) var sum = 0.0
  private var minimum = Double.infinity
  private var maximum = 0.0

  /// Takes a duration in milliseconds.
  mutating func add(_ milliseconds: Double) {
    let value = milliseconds.isFinite ? max(0, milliseconds) : 0
    count += 1
    sum += value
    minimum = min(minimum, value)
    maximum = max(maximum, value)
    let index = value <= Self.least ? 0 : min(Self.most, Int((log(value / Self.least) / Self.logFactor).rounded(.up)))
    buckets[Int32(index), default: 0] += 1
  }

  /// The mean, in milliseconds; nil of none.
  var mean: Double? { count == 0 ? nil : sum / Double(count) }

  /// The duration that a share of all do not exceed, in milliseconds; nil of none.
  func quantile(_ share: Double) -> Double? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    var seen = 0
    for (index, number) in buckets.sorted(by: { $0.key < $1.key }) {
      seen += number
      guard seen >= rank else { continue }
      // The middle of the bucket, in which no value is more than 1% away.
      let value = index == 0 ? 0 : Self.least * pow(Self.factor, Double(index)) * 2 / (Self.factor + 1)
      return min(max(value, minimum), maximum)
    }
    return maximum
  }
}
