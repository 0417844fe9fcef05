import Foundation
import Testing

@testable import MartletLocal

@Suite struct TokenSamplerTests {
  static let logits: [Float] = [1, 3, 2, -4, 3, 0]

  func choose(_ sampling: Sampling, from logits: [Float] = logits, times: Int = 1) -> [Token] {
    var sampler = TokenSampler(sampling)
    return (0..<times).map { _ in logits.withUnsafeBufferPointer { sampler.choose(from: $0) } }
  }

  @Test func `greedy takes the likeliest, the first of equals`() {
    #expect(choose(.greedy, times: 3) == [1, 1, 1])
    #expect(choose(Sampling(temperature: 2, topK: 1, seed: 1)) == [1])
  }

  @Test func `equal seeds choose equally`() {
    let sampling = Sampling(temperature: 1, topK: 0, topP: 1, minP: 0, seed: 7)
    #expect(choose(sampling, times: 50) == choose(sampling, times: 50))
    var other = sampling
    other.seed = 8
    #expect(choose(sampling, times: 50) != choose(other, times: 50))
  }

  @Test(arguments: [0.5, 1, 2])
  func `tokens come as often as the softmax says`(_ temperature: Double) {
    let count = 20_000
    let chosen = choose(Sampling(temperature: temperature, topK: 0, topP: 1, minP: 0, seed: 3), times: count)
    let weights = Self.logits.map { (Double($0) / temperature).exponential }
    let total = weights.reduce(0, +)
    for (token, weight) in weights.enumerated() {
      let share = Double(chosen.count { $0 == token }) / Double(count)
      #expect(abs(share - weight / total) < 0.015)
    }
  }

  @Test func `limits keep unlikely tokens out`() {
    let hot = Sampling(temperature: 50, topK: 0, topP: 1, minP: 0, seed: 5)
    var topK = hot
    topK.topK = 3
    #expect(Set(choose(topK, times: 500)) == [1, 2, 4])
    var topP = Sampling(temperature: 1, topK: 0, topP: 0.7, minP: 0, seed: 5)
    #expect(Set(choose(topP, times: 500)) == [1, 4])
    topP.topP = 0.0001
    #expect(Set(choose(topP, times: 100)) == [1])
    let minP = Sampling(temperature: 1, topK: 0, topP: 1, minP: 0.3, seed: 5)
    #expect(Set(choose(minP, times: 500)) == [1, 2, 4])
  }

  @Test(arguments: 0..<40)
  func `the ranking is that of a full sort`(_ seed: Int) {
    var random = SplitMix64(state: UInt64(seed))
    let logits = (0..<Int.random(in: 1...3000, using: &random)).map { _ in
      Float(Int.random(in: -50...50, using: &random))
    }
    let limit = Int.random(in: 0...200, using: &random)
    let sorted = logits.indices.sorted { logits[$0] > logits[$1] || (logits[$0] == logits[$1] && $0 < $1) }
    let ranked = logits.withUnsafeBufferPointer { TokenSampler.ranked($0, limit: limit) }
    #expect(ranked.map { Int($0.token) } == Array(sorted.prefix(limit)), "seed \(seed)")
  }

  @Test(arguments: 0..<40)
  func `the maximum is found at every length, and never at NaN`(_ seed: Int) {
    var random = SplitMix64(state: UInt64(seed))
    var logits = (0..<Int.random(in: 1...200, using: &random)).map { _ in Float.random(in: -10...10, using: &random) }
    for _ in 0..<3 { logits[Int.random(in: logits.indices, using: &random)] = .nan }
    let expected = logits.indices.filter { !logits[$0].isNaN }.max { logits[$0] < logits[$1] } ?? 0
    #expect(logits.withUnsafeBufferPointer { $0.indexOfMaximum() } == expected, "seed \(seed)")
  }

  @Test func `log-sum-exp does not overflow`() {
    let large = [Float](repeating: 1000, count: 8).withUnsafeBufferPointer { $0.logSumExp() }
    #expect(abs(large - 1002.0794) < 0.01)
    #expect([Float(-3)].withUnsafeBufferPointer { $0.logSumExp() } == -3)
    #expect([Float]().withUnsafeBufferPointer { $0.logSumExp() } == -.infinity)
  }

  @Test(arguments: [15, 16, 17, 4_096, 4_097, 151_936])
  func `sums of exponentials are exact to a millionth, at any length`(count: Int) {
    var random = SystemRandomNumberGenerator()
    let logits = (0..<count).map { _ in Float.random(in: -120...40, using: &random) }
    let maximum = logits.max() ?? 0
    let exact = Double(maximum) + log(logits.reduce(0.0) { $0 + exp(Double($1) - Double(maximum)) })
    let found = logits.withUnsafeBufferPointer { $0.logSumExp() }
    #expect(abs(Double(found) - exact) <= 4e-6, "\(found) \(exact)")
  }

  @Test func `what cannot be is nothing in a sum of exponentials`() {
    let logits = [Float](repeating: -.infinity, count: 40) + [2, 2] + [Float](repeating: -1_000, count: 40)
    #expect(abs(logits.withUnsafeBufferPointer { $0.logSumExp() } - (2 + log(2))) <= 1e-6)
  }
}

extension Double {
  /// e to this power, by its series: independent of what the sampler uses.
  fileprivate var exponential: Double {
    var term = 1.0
    var sum = 1.0
    for step in 1..<60 {
      term *= self / Double(step)
      sum += term
    }
    return sum
  }
}
