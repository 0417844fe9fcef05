#if os(Linux)
  import MartletHTTP
  import MartletMCP
  import MartletTesting
  import Testing

  @testable import MartletCLI

  @Suite struct LoopbackUserAgentTests {
    private let page = "https://auth.example.com/authorize?client_id=c&state=Sec-ret_1&scope=a"

    private func status(_ url: String) async throws -> (Int, String) {
      let response = try await CurlTransport.shared.send(HTTPRequest(.get, url))
      return (response.status, String(decoding: try await response.body.bytes(limit: 1 << 16), as: UTF8.self))
    }

    @Test func `the redirect is caught, once, and everything else is sent away`() async throws {
      let shown = Promise<String>()
      let agent = LoopbackUserAgent(show: { shown.keep($0) })
      let redirect = try await agent.begin(preferred: nil)
      #expect(redirect.uri.hasPrefix("http://127.0.0.1:") && redirect.uri.hasSuffix("/callback"))
      #expect(try await status("\(redirect.uri)?code=x&state=Sec-ret_1").0 == 400)
      async let answer = redirect.authorize(at: page)
      #expect(await shown.value == page)
      #expect(try await status("\(redirect.uri)?code=evil&state=other").0 == 400)
      #expect(try await status("\(redirect.uri)?code=evil").0 == 400)
      #expect(try await status(redirect.uri.replacing("/callback", with: "/favicon.ico")).0 == 404)
      let (good, text) = try await status("\(redirect.uri)?code=a%2Fb&state=Sec-ret_1")
      #expect(good == 200 && text.contains("close this window"))
      #expect(try await answer == "\(redirect.uri)?code=a%2Fb&state=Sec-ret_1")
      #expect(try await status("\(redirect.uri)?code=again&state=Sec-ret_1").0 == 400)
      await redirect.end()
      await #expect(throws: HTTPError.self) { try await status(redirect.uri) }
    }

    @Test func `nobody agrees in time`() async throws {
      let clock = ManualClock()
      let agent = LoopbackUserAgent(show: { _ in }, timeout: .seconds(5), clock: clock)
      let redirect = try await agent.begin(preferred: nil)
      let answer = Task { try await redirect.authorize(at: page) }
      await clock.sleepers()
      clock.advance(by: .seconds(5))
      await #expect {
        try await answer.value
      } throws: { error in
        (error as? AuthorizationError)?.code == .interactionRequired
      }
      await redirect.end()
    }

    @Test func `waiting can be cancelled`() async throws {
      let shown = Promise<String>()
      let agent = LoopbackUserAgent(show: { shown.keep($0) })
      let redirect = try await agent.begin(preferred: nil)
      let answer = Task { try await redirect.authorize(at: page) }
      _ = await shown.value
      answer.cancel()
      await #expect(throws: CancellationError.self) { try await answer.value }
      await redirect.end()
    }

    @Test func `the port of the last time is taken again where it is free`() async throws {
      let agent = LoopbackUserAgent(show: { _ in })
      let first = try await agent.begin(preferred: nil)
      let busy = try await agent.begin(preferred: first.uri)
      #expect(busy.uri != first.uri)
      await busy.end()
      await first.end()
      let again = try await agent.begin(preferred: first.uri)
      #expect(again.uri == first.uri)
      await again.end()
      let other = try await agent.begin(preferred: "https://elsewhere.example/callback")
      #expect(other.uri.hasPrefix("http://127.0.0.1:"))
      await other.end()
    }
  }
#endif
