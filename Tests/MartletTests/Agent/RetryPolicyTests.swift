import Testing

@testable import Martlet

@Suite struct RetryPolicyTests {
  private func delay(
    _ code: ModelError.Code = .overloaded, asked: Duration? = nil, isRetryable: Bool? = nil, tries: Int = 1,
    limit: Int = 2, random: Double = 0
  ) -> Duration? {
    RetryPolicy(limit: limit).delay(
      after: ModelError(code: code, message: "", isRetryable: isRetryable, retryAfter: asked), tries: tries
    ) { random }
  }

  @Test func `what the provider asks for is waited, and more than two minutes is no delay`() {
    #expect(delay(asked: .seconds(7)) == .seconds(7))
    #expect(delay(asked: .milliseconds(12)) == .milliseconds(12))
    #expect(delay(asked: .seconds(120)) == .seconds(120))
    #expect(delay(asked: .seconds(121)) == nil)
  }

  @Test(arguments: [Duration.zero, .seconds(-5)])
  func `a delay of nothing asks for nothing`(_ asked: Duration) {
    #expect(delay(asked: asked) == .milliseconds(500))
  }

  @Test func `without a named delay it doubles up to its limit, less a quarter by chance`() {
    let delays = (1...7).map { delay(tries: $0, limit: 1_000) }
    #expect(delays == [0.5, 1, 2, 4, 8, 8, 8].map { .seconds($0) })
    #expect(delay(tries: 1_000, limit: 1_000, random: 1) == .seconds(6))
    #expect(delay(tries: 2, random: 0.5) == .milliseconds(875))
  }

  @Test func `the number of retries is limited`() {
    #expect(delay(tries: 2) == .seconds(1))
    #expect(delay(tries: 3) == nil)
    #expect(delay(asked: .seconds(1), tries: 3) == nil)
    #expect(delay(limit: 0) == nil)
  }

  @Test func `what cannot pass is not tried again`() {
    #expect(delay(.quotaExceeded, asked: .seconds(1)) == nil)
    #expect(delay(.overloaded, isRetryable: false) == nil)
    #expect(delay(.invalidRequest, isRetryable: true) == .milliseconds(500))
  }

  @Test func `chance is asked only where it plays a part`() {
    var draws = 0
    let policy = RetryPolicy(limit: 2)
    func draw() -> Double {
      draws += 1
      return 0
    }
    _ = policy.delay(
      after: ModelError(code: .rateLimited, message: "", retryAfter: .seconds(1)), tries: 1, random: draw)
    _ = policy.delay(after: ModelError(code: .quotaExceeded, message: ""), tries: 1, random: draw)
    #expect(draws == 0)
    _ = policy.delay(after: ModelError(code: .overloaded, message: ""), tries: 1, random: draw)
    #expect(draws == 1)
  }
}
