import Martlet
import MartletHTTP
import Testing

@testable import MartletProviders

@Suite struct ModelTableTests {
  @Test(arguments: [
    ("openai", "gpt-5-2025-08-07", 1.25 as Double?), ("openai", "gpt-5-unknown", nil), ("openai", "gpt-5.5", 5),
    ("openai-chat", "gpt-4o-mini", 0.15), ("anthropic", "claude-haiku-4-5-20251001", 1),
    ("anthropic", "claude-opus-5-6", nil), ("gemini", "gemini-3.1-pro-preview", 2),
    ("gemini", "gemini-3.1-pro-vision", nil),
    ("nobody", "gpt-5", nil),
  ])
  func `a name counts as its entry with a date at most`(provider: String, model: String, price: Double?) {
    #expect(ModelTable.standard.limits(provider: provider, model: model)?.price?.input == price)
  }

  @Test func `what a caller gives wins over the table`() {
    let price = ModelInfo.Price(input: 1, cachedInput: 1, cacheWrite: 1, output: 1)
    let info = OpenAIResponses(
      "gpt-5.5", key: nil, configuration: .init(contextWindow: 9, price: price), transport: ReplayTransport([])
    ).info
    #expect(info.price == price)
    #expect(info.contextWindow == 9)
    #expect(info.maxOutputTokens == 128_000)
  }

  @Test func `a reply's cost counts cached tokens at their own price`() throws {
    let price = try #require(Gemini("gemini-2.5-pro", key: nil, transport: ReplayTransport([])).info.price)
    let cost = price.cost(of: Usage(input: 100_000, cachedInput: 40_000, output: 10_000))
    #expect(abs(cost - (0.06 * 1.25 + 0.04 * 0.125 + 0.01 * 10)) < 1e-9)
  }

  @Test func `a long prompt costs more, all of it, where the provider says so`() throws {
    let price = try #require(ModelTable.standard.limits(provider: "gemini", model: "gemini-2.5-pro")?.price)
    #expect(price.cost(of: Usage(input: 200_000, output: 1_000)) == 0.26)
    #expect(abs(price.cost(of: Usage(input: 200_001, output: 1_000)) - (0.500_002_5 + 0.015)) < 1e-9)
    // Cached tokens count for the length too, and cost more at their own price.
    let cached = price.cost(of: Usage(input: 400_000, cachedInput: 400_000))
    #expect(abs(cached - 0.1) < 1e-9)
    #expect(ModelTable.standard.limits(provider: "anthropic", model: "claude-opus-5")?.price?.surcharge == nil)
    #expect(
      ModelTable.standard.limits(provider: "openai", model: "gpt-5.5-2026-04-23")?.price?.surcharge?.above == 272_000)
  }
}
