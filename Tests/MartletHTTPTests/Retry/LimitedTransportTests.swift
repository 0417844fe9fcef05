import MartletHTTP
import MartletSync
import Testing

@Suite(.timeLimit(.minutes(5))) struct LimitedTransportTests {
  /// Answers with a body of two chunks; counts.
  private final class Answering: HTTPTransport {
    let sent = Locked(0)
    var count: Int { sent.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      sent.withLock { $0 += 1 }
      if request.url.hasSuffix("fail") { throw HTTPError(.connectionLost, "The connection broke.") }
      return HTTPResponse(status: 200, body: HTTPBody(chunks: [[1], [2]]))
    }
  }

  private static func status(_ transport: LimitedTransport, _ path: String = "") async throws -> Int {
    try await transport.send(HTTPRequest(.get, "http://x/" + path)).status
  }

  @Test func `a request counts as under way until its body is read, finished with, dropped, or has failed`()
    async throws
  {
    let base = Answering()
    let transport = LimitedTransport(base, limiter: RequestLimiter(concurrent: 1))
    let read = try await transport.send(HTTPRequest(.get, "http://x/"))
    let waiting = Task { try await Self.status(transport) }
    for _ in 0..<100 { await Task.yield() }
    #expect(base.count == 1)
    #expect(try await read.body.bytes(limit: 10) == [1, 2])
    // The body of the second one is dropped unread.
    #expect(try await waiting.value == 200)
    #expect(base.count == 2)
    await #expect(throws: HTTPError.self) { try await Self.status(transport, "fail") }
    let finished = try await transport.send(HTTPRequest(.get, "http://x/"))
    finished.body.finish()
    #expect(try await Self.status(transport) == 200)
    #expect(base.count == 5)
  }

  @Test func `waiting for a turn can be cancelled`() async throws {
    let base = Answering()
    let transport = LimitedTransport(base, limiter: RequestLimiter(concurrent: 1))
    let first = try await transport.send(HTTPRequest(.get, "http://x/"))
    let waiting = Task { try await transport.send(HTTPRequest(.get, "http://x/")) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(base.count == 1)
    _ = first
  }
}
