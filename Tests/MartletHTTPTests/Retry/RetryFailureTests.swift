import MartletHTTP
import Testing

@Suite struct RetryFailureTests {
  /// 2026-11-30 00:00:00 UTC.
  static let now = 1_795_996_800.0

  private func mayPass(_ status: Int, _ headers: HTTPHeaders = [:], isFinal: Bool = false) -> Bool {
    RetryFailure(status: status, headers: headers, isFinal: isFinal).mayPass
  }

  private func delay(_ headers: HTTPHeaders = [:], body: Duration? = nil) -> Duration? {
    RetryFailure(status: 429, headers: headers, bodyDelay: body).delay(now: Self.now)
  }

  @Test(arguments: [408, 409, 429, 500, 502, 503, 504, 529, 599])
  func `statuses that may pass are tried again`(_ status: Int) { #expect(mayPass(status)) }

  @Test(arguments: [200, 301, 400, 401, 402, 403, 404, 405, 410, 413, 415, 422, 451])
  func `other statuses are not`(_ status: Int) { #expect(!mayPass(status)) }

  @Test func `what the server advises goes first`() {
    #expect(mayPass(400, ["X-Should-Retry": "true"]))
    #expect(!mayPass(503, ["x-should-retry": "False"]))
    #expect(mayPass(503, ["x-should-retry": "maybe"]))
    #expect(!mayPass(429, ["x-should-retry": "true"], isFinal: true))
  }

  @Test(
    arguments: [
      (["retry-after-ms": "1500", "retry-after": "9"], 1.5), (["retry-after-ms": "12.5"], 0.0125),
      (["retry-after": "2"], 2), (["retry-after": "0.25"], 0.25), (["retry-after": "Mon, 30 Nov 2026 00:00:07 GMT"], 7),
      (["retry-after": "Monday, 30-Nov-26 00:00:07 GMT"], 7), (["retry-after": "Mon Nov 30 00:00:07 2026"], 7),
      // The server's clock counts where it tells.
      (["retry-after": "Mon, 30 Nov 2026 00:10:07 GMT", "date": "Mon, 30 Nov 2026 00:10:00 GMT"], 7),
      (["retry-after": "3600"], 3_600), (["retry-after": "Tue, 01 Dec 2026 00:00:00 GMT"], 86_400),
      (["retry-after": "1e300"], 86_400_000),
      // What makes no sense counts as nothing.
      (["retry-after": "0"], nil), (["retry-after": "-5"], nil), (["retry-after": "soon"], nil),
      (["retry-after": ""], nil), (["retry-after": "nan"], nil), (["retry-after": "inf"], nil),
      (["retry-after": "Sun, 29 Nov 2026 00:00:00 GMT"], nil),
      (["retry-after-ms": "x", "retry-after": "3"], 3),
    ] as [([String: String], Double?)])
  func `the server names the delay`(_ headers: [String: String], _ seconds: Double?) {
    #expect(delay(HTTPHeaders(headers.map { ($0, $1) })) == seconds.map { .seconds($0) })
  }

  @Test func `a delay in the body counts when no header names one`() {
    #expect(delay(body: .seconds(3)) == .seconds(3))
    #expect(delay(["retry-after": "2"], body: .seconds(3)) == .seconds(2))
    #expect(delay(["retry-after": "0"], body: .seconds(3)) == .seconds(3))
    #expect(delay(body: .zero) == nil)
  }

  @Test(arguments: [
    (HTTPError.Code.connectionLost, true), (.cannotConnect, true), (.cannotResolve, true), (.connectTimeout, true),
    (.idleTimeout, true), (.totalTimeout, false), (.tls, false), (.invalidURL, false), (.tooLarge, false),
    (.badRedirect, false), (.shutDown, false),
  ])
  func `of errors, those of the connection are tried again`(_ code: HTTPError.Code, _ expected: Bool) {
    let failure = RetryFailure(HTTPError(code, ""))
    #expect(failure.mayPass == expected)
    #expect(failure.delay(now: 0) == nil)
  }
}
