import Martlet

/// What models hold and cost, by name: list prices in USD for a million tokens, as the providers state them.
///
/// A name counts as the longest entry that it begins with, if nothing but a date, `latest` or `preview` follows:
/// `gpt-5-2025-08-07` is `gpt-5`, `gpt-5-codex` is not. So a model that is new has no price rather than a wrong one.
/// Discounts for batches and fees of built-in tools are not in it.
struct ModelTable: Sendable {
  /// The day on which the figures were collected.
  let date: String
  private let entries: [String: [String: ModelLimits]]

  /// The built-in table.
  static let standard = Self(
    date: "2026-11-30", entries: ["anthropic": anthropic, "openai": openAI, "openai-chat": openAI, "gemini": gemini])

  /// What is known about a model; nil when nothing is.
  /// - Parameters:
  ///   - provider: as in `ModelInfo`: `anthropic`, `openai`, `openai-chat`, `gemini`.
  ///   - model: its id at the provider.
  func limits(provider: String, model: String) -> ModelLimits? {
    guard let models = entries[provider] else { return nil }
    var name = Substring(model)
    while true {
      if let limits = models[String(name)] { return limits }
      guard let dash = name.lastIndex(of: "-"), Self.isVersion(name[name.index(after: dash)...]) else { return nil }
      name = name[..<dash]
    }
  }

  /// A part of a date, or a word for the newest of a kind.
  private static func isVersion(_ part: Substring) -> Bool {
    part == "latest" || part == "preview" || (part.utf8.count >= 2 && part.allSatisfy(\.isWholeNumber))
  }

  private static func entry(
    _ input: Double, _ output: Double, cached: Double? = nil, write: Double? = nil, window: Int, limit: Int,
    above: Int? = nil
  ) -> ModelLimits {
    ModelLimits(
      contextWindow: window, maxOutputTokens: limit,
      price: ModelInfo.Price(
        input: input, cachedInput: cached ?? input, cacheWrite: write ?? input, output: output,
        surcharge: above.map { ModelInfo.Price.Surcharge(above: $0) }))
  }

  /// A write lives for five minutes; the ones that live for an hour cost more.
  private static func claude(
    _ input: Double, _ output: Double, cached: Double, window: Int = 1_000_000, limit: Int = 128_000, above: Int? = nil
  ) -> ModelLimits {
    entry(input, output, cached: cached, write: input * 1.25, window: window, limit: limit, above: above)
  }

  private static let anthropic = [
    "claude-fable-5": claude(10, 50, cached: 1), "claude-fable-5-1": claude(10, 50, cached: 0.25),
    "claude-mythos-5": claude(10, 50, cached: 1), "claude-mythos-5-1": claude(10, 50, cached: 0.25),
    "claude-mythos-preview": claude(10, 50, cached: 1), "claude-opus-5-5": claude(4, 20, cached: 0.2),
    "claude-opus-5": claude(5, 25, cached: 0.5), "claude-opus-4-8": claude(5, 25, cached: 0.5),
    "claude-opus-4-7": claude(5, 25, cached: 0.5), "claude-opus-4-6": claude(5, 25, cached: 0.5),
    "claude-opus-4-5": claude(5, 25, cached: 0.5, window: 200_000, limit: 64_000),
    "claude-sonnet-5-5": claude(2, 10, cached: 0.1), "claude-sonnet-5": claude(2, 10, cached: 0.2),
    "claude-sonnet-4-6": claude(3, 15, cached: 0.3),
    "claude-sonnet-4-5": claude(3, 15, cached: 0.3, window: 200_000, limit: 64_000, above: 200_000),
    "claude-haiku-5-5": claude(0.1, 0.5, cached: 0.01),
    "claude-haiku-4-5": claude(1, 5, cached: 0.1, window: 200_000, limit: 64_000),
  ]

  private static let openAI = [
    "gpt-6.1-sol": entry(2, 10, cached: 0.1, write: 2.5, window: 922_000, limit: 128_000),
    "gpt-6.1-terra": entry(1, 5, cached: 0.05, write: 1.25, window: 922_000, limit: 128_000),
    "gpt-6-astra": entry(10, 50, cached: 1, write: 12.5, window: 922_000, limit: 128_000),
    "gpt-6-sol": entry(2, 10, cached: 0.2, write: 2.5, window: 922_000, limit: 128_000),
    "gpt-6-luna": entry(0.1, 0.5, cached: 0.01, write: 0.125, window: 922_000, limit: 128_000),
    "gpt-5.6": entry(4, 20, cached: 0.4, write: 5, window: 922_000, limit: 128_000, above: 272_000),
    "gpt-5.6-sol": entry(4, 20, cached: 0.4, write: 5, window: 922_000, limit: 128_000, above: 272_000),
    "gpt-5.6-terra": entry(2, 12, cached: 0.2, write: 2.5, window: 922_000, limit: 128_000, above: 272_000),
    "gpt-5.6-luna": entry(0.2, 1.2, cached: 0.02, write: 0.25, window: 922_000, limit: 128_000, above: 272_000),
    "gpt-5.5": entry(5, 30, cached: 0.5, window: 1_050_000, limit: 128_000, above: 272_000),
    "gpt-5.5-pro": entry(30, 180, window: 1_050_000, limit: 128_000, above: 272_000),
    "gpt-5.4": entry(2.5, 15, cached: 0.25, window: 1_050_000, limit: 128_000, above: 272_000),
    "gpt-5.4-pro": entry(30, 180, window: 1_050_000, limit: 128_000, above: 272_000),
    "gpt-5.4-mini": entry(0.75, 4.5, cached: 0.075, window: 272_000, limit: 128_000),
    "gpt-5.4-nano": entry(0.2, 1.25, cached: 0.02, window: 272_000, limit: 128_000),
    "gpt-5.3-codex": entry(1.75, 14, cached: 0.175, window: 272_000, limit: 128_000),
    "gpt-5.2": entry(1.75, 14, cached: 0.175, window: 272_000, limit: 128_000),
    "gpt-5.2-codex": entry(1.75, 14, cached: 0.175, window: 272_000, limit: 128_000),
    "gpt-5.2-pro": entry(21, 168, window: 272_000, limit: 128_000),
    "gpt-5.1": entry(1.25, 10, cached: 0.125, window: 272_000, limit: 128_000),
    "gpt-5.1-codex": entry(1.25, 10, cached: 0.125, window: 400_000, limit: 128_000),
    "gpt-5.1-codex-max": entry(1.25, 10, cached: 0.125, window: 400_000, limit: 128_000),
    "gpt-5.1-codex-mini": entry(0.25, 2, cached: 0.025, window: 400_000, limit: 128_000),
    "gpt-5": entry(1.25, 10, cached: 0.125, window: 272_000, limit: 128_000),
    "gpt-5-codex": entry(1.25, 10, cached: 0.125, window: 272_000, limit: 128_000),
    "gpt-5-pro": entry(15, 120, window: 400_000, limit: 272_000),
    "gpt-5-mini": entry(0.25, 2, cached: 0.025, window: 272_000, limit: 128_000),
    "gpt-5-nano": entry(0.05, 0.4, cached: 0.005, window: 272_000, limit: 128_000),
    "gpt-5-chat": entry(1.25, 10, cached: 0.125, window: 128_000, limit: 16_384),
    "gpt-5.1-chat": entry(1.25, 10, cached: 0.125, window: 128_000, limit: 16_384),
    "gpt-5.2-chat": entry(1.75, 14, cached: 0.175, window: 128_000, limit: 16_384),
    "gpt-4.1": entry(2, 8, cached: 0.5, window: 1_047_576, limit: 32_768),
    "gpt-4.1-mini": entry(0.4, 1.6, cached: 0.1, window: 1_047_576, limit: 32_768),
    "gpt-4.1-nano": entry(0.1, 0.4, cached: 0.025, window: 1_047_576, limit: 32_768),
    "gpt-4o": entry(2.5, 10, cached: 1.25, window: 128_000, limit: 16_384),
    "gpt-4o-mini": entry(0.15, 0.6, cached: 0.075, window: 128_000, limit: 16_384),
    "o4-mini": entry(1.1, 4.4, cached: 0.275, window: 200_000, limit: 100_000),
    "o3": entry(2, 8, cached: 0.5, window: 200_000, limit: 100_000),
    "o3-pro": entry(20, 80, window: 200_000, limit: 100_000),
    "o3-mini": entry(1.1, 4.4, cached: 0.55, window: 200_000, limit: 100_000),
    "o1": entry(15, 60, cached: 7.5, window: 200_000, limit: 100_000),
  ]

  private static let gemini = [
    "gemini-4-argon": entry(2, 10, cached: 0.1, window: 1_048_576, limit: 1_048_576),
    "gemini-4-hydrogen": entry(1.5, 7.5, cached: 0.075, window: 1_048_576, limit: 1_048_576),
    "gemini-3.8-flash": entry(0.75, 3.75, cached: 0.075, window: 1_048_576, limit: 65_536),
    "gemini-3.7-flash": entry(0.75, 3.75, cached: 0.075, window: 1_048_576, limit: 65_536),
    "gemini-3.6-flash": entry(0.75, 3.75, cached: 0.075, window: 1_048_576, limit: 65_536),
    "gemini-3.5-flash": entry(1.5, 9, cached: 0.15, window: 1_048_576, limit: 65_536),
    "gemini-3.5-flash-lite": entry(0.3, 2.5, cached: 0.03, window: 1_048_576, limit: 65_536),
    "gemini-3.1-pro": entry(2, 12, cached: 0.2, window: 1_048_576, limit: 65_536, above: 200_000),
    "gemini-3.1-flash-lite": entry(0.25, 1.5, cached: 0.025, window: 1_048_576, limit: 65_536),
    "gemini-3-pro": entry(2, 12, cached: 0.2, window: 1_048_576, limit: 65_536, above: 200_000),
    "gemini-3-flash": entry(0.5, 3, cached: 0.05, window: 1_048_576, limit: 65_536),
    "gemini-2.5-pro": entry(1.25, 10, cached: 0.125, window: 1_048_576, limit: 65_536, above: 200_000),
    "gemini-2.5-flash": entry(0.3, 2.5, cached: 0.03, window: 1_048_576, limit: 65_536),
    "gemini-2.5-flash-lite": entry(0.1, 0.4, cached: 0.01, window: 1_048_576, limit: 65_536),
  ]
}
