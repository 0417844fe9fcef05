/// What Claude models accept, by family and version: after Anthropic's documentation as of November 2026. Models that are
/// not known count as the newest.
struct AnthropicModelFacts: Sendable, Hashable {
  enum ThinkingForm: Sendable, Hashable {
    case none
    /// `enabled` with a budget of tokens.
    case budget
    /// `adaptive`, with an effort.
    case adaptive(canBeDisabled: Bool)
  }

  var thinking: ThinkingForm
  var takesSampling: Bool
  var takesForcedChoice: Bool
  /// Whether the last message may be the model's own.
  var takesPrefill: Bool
  var contextWindow: Int
  var maxOutputTokens: Int

  init(_ model: String) {
    let version = Self.version(of: model)
    switch version {
    case let version? where version <= (4, 5):
      self.init(
        thinking: version < (3, 7) ? .none : .budget, takesSampling: true, takesForcedChoice: true, takesPrefill: true,
        contextWindow: 200_000, maxOutputTokens: version < (3, 7) ? 8_192 : 64_000)
    case (4, 6)?:
      self.init(
        thinking: .adaptive(canBeDisabled: true), takesSampling: true, takesForcedChoice: true, takesPrefill: false)
    case let version? where version < (5, 0):
      self.init(
        thinking: .adaptive(canBeDisabled: true), takesSampling: false, takesForcedChoice: true, takesPrefill: false)
    case (5, 0)?:
      let isAlwaysThinking = model.contains("fable") || model.contains("mythos")
      self.init(
        thinking: .adaptive(canBeDisabled: !isAlwaysThinking), takesSampling: false, takesForcedChoice: true,
        takesPrefill: false)
    default:
      self.init(
        thinking: .adaptive(canBeDisabled: false), takesSampling: false, takesForcedChoice: false, takesPrefill: false)
    }
  }

  private init(
    thinking: ThinkingForm, takesSampling: Bool, takesForcedChoice: Bool, takesPrefill: Bool,
    contextWindow: Int = 1_000_000, maxOutputTokens: Int = 128_000
  ) {
    self.thinking = thinking
    self.takesSampling = takesSampling
    self.takesForcedChoice = takesForcedChoice
    self.takesPrefill = takesPrefill
    self.contextWindow = contextWindow
    self.maxOutputTokens = maxOutputTokens
  }

  /// The version in a model's id: (4, 5) of `claude-sonnet-4-5-20250929`, (3, 5) of `claude-3-5-haiku-latest`; nil when
  /// there is none. Dates have more than two digits and do not count.
  private static func version(of model: String) -> (Int, Int)? {
    let numbers = model.split(separator: "-").drop { Int($0) == nil }.prefix { $0.count <= 2 && Int($0) != nil }
      .compactMap { Int($0) }
    guard let major = numbers.first else { return nil }
    return (major, numbers.count > 1 ? numbers[1] : 0)
  }
}
