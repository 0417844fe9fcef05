import MartletTesting
import Testing

@testable import Martlet

@Suite struct TokenEstimatorTests {
  @Test func `four bytes are a token until something is counted`() {
    let estimator = TokenEstimator()
    #expect(estimator.tokens(ofRequest: 4_000) == 1_000)
    #expect(!estimator.isAnchored)
  }

  @Test func `a counted request is exact, and what follows is estimated from there`() {
    var estimator = TokenEstimator()
    estimator.learn(tokens: 2_000, bytes: 4_000)
    #expect(estimator.tokens(ofRequest: 4_000) == 2_000)
    #expect(estimator.tokens(ofRequest: 5_000) == 2_500)
    estimator.startEpoch()
    #expect(estimator.tokens(ofRequest: 1_000) == 500)
    #expect(!estimator.isAnchored)
  }

  @Test(arguments: [(0, 4_000), (1, 4_000), (5_000, 4_000), (.max, 4_000), (10, 0)])
  func `counts that cannot be are left aside`(tokens: Int, bytes: Int) {
    var estimator = TokenEstimator()
    estimator.learn(tokens: tokens, bytes: bytes)
    #expect(estimator == TokenEstimator())
  }

  @Test func `an overflow makes the estimate larger, up to a token for each byte`() {
    var estimator = TokenEstimator()
    var last = estimator.tokens(of: 10_000)
    for _ in 0..<3 {
      estimator.learnOverflow()
      #expect(estimator.tokens(of: 10_000) > last)
      last = estimator.tokens(of: 10_000)
    }
    for _ in 0..<20 { estimator.learnOverflow() }
    #expect(estimator.tokens(of: 10_000) == 10_000)
  }

  @Test func `text is shortened at characters, within its limit, whatever it is`() {
    let text = "Grüße 世界 👋 " + String(repeating: "é", count: 50)
    for limit in 0..<text.utf8.count {
      let short = text.shortened(to: limit)
      #expect(short.utf8.count <= max(limit, 7), "\(limit)")
      #expect(!short.contains("\u{FFFD}"), "\(limit)")
    }
    #expect(text.shortened(to: text.utf8.count) == text)
  }
}
