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
    let cost = price.cost(of: Usage(input: 1_000_000, cachedInput: 400_000, output: 100_000))
    #expect(abs(cost - (0.6 * 1.25 + 0.4 * 0.125 + 0.1 * 10)) < 1e-9)
  }
}
