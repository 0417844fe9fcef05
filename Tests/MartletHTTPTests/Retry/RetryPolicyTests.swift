import MartletHTTP
import Testing

@Suite struct RetryPolicyTests {
  /// 2026-11-30 00:00:00 UTC.
  static let now = 1_795_996_800.0

  private func decide(
    _ status: Int, _ headers: HTTPHeaders = [:], retries: Int = 0, random: Double = 0, bodyDelay: Duration? = nil,
    isFinal: Bool = false
  ) -> RetryDecision {
    RetryPolicy().decision(
      for: RetryFailure(status: status, headers: headers, bodyDelay: bodyDelay, isFinal: isFinal), retries: retries,
      now: Self.now, random: random)
  }

  @Test(arguments: [408, 409, 429, 500, 502, 503, 504, 529, 599])
  func `statuses that may pass are tried again`(_ status: Int) {
    #expect(decide(status) == .retry(after: .milliseconds(500)))
  }

  @Test(arguments: [200, 301, 400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 451])
  func `other statuses are not`(_ status: Int) { #expect(decide(status) == .stop) }

  @Test func `what the server advises goes first`() {
    #expect(decide(400, ["X-Should-Retry": "true"]) == .retry(after: .milliseconds(500)))
    #expect(decide(503, ["x-should-retry": "False"]) == .stop)
    #expect(decide(503, ["x-should-retry": "maybe"]) == .retry(after: .milliseconds(500)))
    #expect(decide(429, ["x-should-retry": "true"], isFinal: true) == .stop)
  }

  @Test(
    arguments: [
      (["retry-after-ms": "1500", "retry-after": "9"], 1.5), (["retry-after-ms": "12.5"], 0.0125),
      (["retry-after": "2"], 2), (["retry-after": "0.25"], 0.25), (["retry-after": "Mon, 30 Nov 2026 00:00:07 GMT"], 7),
      (["retry-after": "Monday, 30-Nov-26 00:00:07 GMT"], 7), (["retry-after": "Mon Nov 30 00:00:07 2026"], 7),
      (["retry-after": "3600"], 60), (["retry-after": "Tue, 01 Dec 2026 00:00:00 GMT"], 60),
      (["retry-after": "1e300"], 60),
      // What makes no sense counts as nothing.
      (["retry-after": "0"], 0.5), (["retry-after": "-5"], 0.5), (["retry-after": "soon"], 0.5),
      (["retry-after": ""], 0.5),
      (["retry-after": "nan"], 0.5), (["retry-after": "inf"], 0.5),
      (["retry-after": "Sun, 29 Nov 2026 00:00:00 GMT"], 0.5),
      (["retry-after-ms": "x", "retry-after": "3"], 3),
    ] as [([String: String], Double)])
  func `the server names the delay`(_ headers: [String: String], _ seconds: Double) {
    #expect(decide(429, HTTPHeaders(headers.map { ($0, $1) })) == .retry(after: .seconds(seconds)))
  }

  @Test func `a delay in the body counts when no header names one`() {
    #expect(decide(429, bodyDelay: .seconds(3)) == .retry(after: .seconds(3)))
    #expect(decide(429, ["retry-after": "2"], bodyDelay: .seconds(3)) == .retry(after: .seconds(2)))
    #expect(decide(429, bodyDelay: .seconds(300)) == .retry(after: .seconds(60)))
  }

  @Test func `without a named delay it doubles up to its limit, less a quarter by chance`() {
    let policy = RetryPolicy(limit: 1_000)
    let failure = RetryFailure(HTTPError(.connectionLost, ""))
    let delays = (0..<7).map { policy.decision(for: failure, retries: $0, now: 0, random: 0) }
    #expect(delays == [0.5, 1, 2, 4, 8, 8, 8].map { .retry(after: .seconds($0)) })
    #expect(policy.decision(for: failure, retries: 999, now: 0, random: 1) == .retry(after: .seconds(6)))
    #expect(policy.decision(for: failure, retries: 1, now: 0, random: 0.5) == .retry(after: .milliseconds(875)))
  }

  @Test func `the number of retries is limited`() {
    #expect(decide(503, retries: 1) == .retry(after: .seconds(1)))
    #expect(decide(503, retries: 2) == .stop)
    #expect(decide(503, ["x-should-retry": "true"], retries: 2) == .stop)
    let failure = RetryFailure(status: 503, headers: [:])
    #expect(RetryPolicy.never.decision(for: failure, retries: 0, now: 0, random: 0) == .stop)
  }

  @Test(arguments: [
    (HTTPError.Code.connectionLost, true), (.cannotConnect, true), (.cannotResolve, true), (.connectTimeout, true),
    (.idleTimeout, true), (.totalTimeout, false), (.tls, false), (.invalidURL, false), (.tooLarge, false),
    (.badRedirect, false), (.shutDown, false),
  ])
  func `of errors, those of the connection are tried again`(_ code: HTTPError.Code, _ expected: Bool) {
    let decision = RetryPolicy().decision(for: RetryFailure(HTTPError(code, "")), retries: 0, now: 0, random: 0)
    #expect(decision == (expected ? .retry(after: .milliseconds(500)) : .stop))
  }
}
