/// What a model is and can take.
public struct ModelInfo: Sendable, Hashable {
  /// The provider (`anthropic`, `openai`, `local`, …): block extras are bound to it.
  public var provider: String
  /// The model's id at the provider.
  public var id: String
  /// Tokens that fit in its context window; nil when not known.
  public var contextWindow: Int?
  /// The most tokens a reply may have; nil when not known.
  public var maxOutputTokens: Int?
  /// USD for a million tokens; nil for a model without a known price. On-device models cost nothing: `.free`.
  public var price: Price?

  /// A model's facts.
  public init(
    provider: String, id: String, contextWindow: Int? = nil, maxOutputTokens: Int? = nil, price: Price? = nil
  ) {
    self.provider = provider
    self.id = id
    self.contextWindow = contextWindow
    self.maxOutputTokens = maxOutputTokens
    self.price = price
  }

  /// `provider/id`, the form that options and events use.
  public var name: String { "\(provider)/\(id)" }

  /// USD for a million tokens of each sort.
  public struct Price: Sendable, Hashable {
    /// USD for a million input tokens that are not cached.
    public var input: Double
    /// USD for a million input tokens that the provider had in its cache.
    public var cachedInput: Double
    /// USD for a million input tokens that the provider puts into its cache.
    public var cacheWrite: Double
    /// USD for a million output tokens, reasoning included.
    public var output: Double
    /// What a request with a long prompt costs more; nil where it does not.
    public var surcharge: Surcharge?

    /// Prices in USD for a million tokens.
    public init(
      input: Double, cachedInput: Double, cacheWrite: Double, output: Double, surcharge: Surcharge? = nil
    ) {
      self.input = input
      self.cachedInput = cachedInput
      self.cacheWrite = cacheWrite
      self.output = output
      self.surcharge = surcharge
    }

    /// What a request costs whose prompt is longer than a limit: all its tokens, at a multiple of their price.
    public struct Surcharge: Sendable, Hashable {
      /// The most input tokens, cached ones included, that a request may have without it.
      public var above: Int
      /// The factor for input tokens of every sort.
      public var input: Double
      /// The factor for output tokens.
      public var output: Double

      /// A surcharge. The defaults of the factors are those of all providers that have one.
      public init(above: Int, input: Double = 2, output: Double = 1.5) {
        self.above = above
        self.input = input
        self.output = output
      }
    }

    /// Costs nothing.
    public static let free = Self(input: 0, cachedInput: 0, cacheWrite: 0, output: 0)

    /// What the usage of one request costs, in USD; cached tokens are counted once, at their own price.
    public func cost(of usage: Usage) -> Double {
      let plain = max(0, usage.input - usage.cachedInput - usage.cacheWrite)
      let sent =
        Double(plain) * input + Double(usage.cachedInput) * cachedInput + Double(usage.cacheWrite) * cacheWrite
      let said = Double(usage.output) * output
      guard let surcharge, usage.input > surcharge.above else { return (sent + said) / 1_000_000 }
      return (sent * surcharge.input + said * surcharge.output) / 1_000_000
    }
  }
}
