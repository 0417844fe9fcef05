import Martlet
import MartletHTTP
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct RateLimitHeadersTests {
  private func read(_ fields: [(String, String)], now: Double = 0) -> [RateLimit] {
    RateLimitHeaders.read(HTTPHeaders(fields), now: now)
  }

  @Test func `Anthropic's limits end at a moment, by the provider's own clock`() {
    let limits = read(
      [
        ("date", "Mon, 30 Nov 2026 09:00:00 GMT"),
        ("anthropic-ratelimit-requests-limit", "50"), ("anthropic-ratelimit-requests-remaining", "49"),
        ("anthropic-ratelimit-requests-reset", "2026-11-30T09:00:02Z"),
        ("Anthropic-RateLimit-Input-Tokens-Remaining", "28000"),
        ("anthropic-ratelimit-input-tokens-reset", "2026-11-30T08:59:00Z"),
      ], now: 1e12)
    #expect(
      limits == [
        RateLimit(.requests, limit: 50, remaining: 49, resetsAfter: .seconds(2)),
        RateLimit(.inputTokens, remaining: 28_000, resetsAfter: .zero),
      ])
  }

  @Test(arguments: [
    ("6m0s", .seconds(360) as Duration?), ("1ms", .milliseconds(1)), ("1h2m3.5s", .milliseconds(3_723_500)),
    ("0s", .zero), ("59.7", .milliseconds(59_700)), ("", nil), ("soon", nil), ("5", .seconds(5)), ("3x", nil),
    ("-3s", nil), ("1e400s", nil), ("nan", nil), ("9999999h", nil), ("s", nil), ("..s", nil),
  ])
  func `OpenAI's limits end after a duration`(text: String, delay: Duration?) {
    let limits = read([("x-ratelimit-remaining-tokens", "149984"), ("x-ratelimit-reset-tokens", text)])
    #expect(limits == [RateLimit(.tokens, remaining: 149_984, resetsAfter: delay)])
  }

  @Test func `what is no limit is none`() {
    #expect(
      read([
        ("x-ratelimit-limit", "5"), ("x-ratelimit-limit-requests", "many"), ("anthropic-ratelimit-", "1"),
        ("anthropic-ratelimit-tokens-unit", "1"), ("x-ratelimit-remaining-requests", "-1"), ("content-type", "a/b"),
      ]).isEmpty)
  }

  @Test func `an agent keeps the last that it was told`() async throws {
    let limit = RateLimit(.requests, limit: 50, remaining: 3)
    let agent = try Agent(
      model: ScriptedModel([
        .init([.rateLimits([limit]), .block(.text("One."), index: 0), .finished(.endTurn, Usage())]),
        .text("Two."),
      ]))
    #expect(await agent.rateLimits.isEmpty)
    _ = try await agent.send("Hi")
    #expect(await agent.rateLimits == [limit])
    _ = try await agent.send("Hi")
    #expect(await agent.rateLimits == [limit])
  }

  @Test func `the price of a model at OpenAI is known by its chat client too`() {
    #expect(OpenAIChat("gpt-4o-mini", key: nil, transport: ReplayTransport([])).info.price?.input == 0.15)
    #expect(
      OpenAIChat(
        "gpt-4o-mini", vendor: .compatible(baseURL: "http://127.0.0.1"), key: nil, transport: ReplayTransport([])
      )
      .info.price == nil)
  }
}
