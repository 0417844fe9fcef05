public import MartletJSON

/// Tokens that a reply used. `input` includes the cached and cache-writing ones, `output` includes reasoning.
public struct Usage: Sendable, Hashable, JSONConvertible {
  /// All tokens of the request.
  public var input: Int
  /// Those of `input` that came from a cache.
  public var cachedInput: Int
  /// Those of `input` that were written to a cache.
  public var cacheWrite: Int
  /// All tokens of the reply.
  public var output: Int
  /// Those of `output` that were reasoning.
  public var reasoning: Int

  /// Usage in tokens.
  public init(input: Int = 0, cachedInput: Int = 0, cacheWrite: Int = 0, output: Int = 0, reasoning: Int = 0) {
    self.input = input
    self.cachedInput = cachedInput
    self.cacheWrite = cacheWrite
    self.output = output
    self.reasoning = reasoning
  }

  /// Input and output together. Sums that would overflow stay at the largest number.
  public var total: Int { Self.saturating(input, output) }

  /// Adds up, without overflow: a provider's absurd count must not end the program.
  public static func + (left: Self, right: Self) -> Self {
    Self(
      input: saturating(left.input, right.input), cachedInput: saturating(left.cachedInput, right.cachedInput),
      cacheWrite: saturating(left.cacheWrite, right.cacheWrite), output: saturating(left.output, right.output),
      reasoning: saturating(left.reasoning, right.reasoning))
  }

  /// Adds up, without overflow.
  public static func += (left: inout Self, right: Self) { left = left + right }

  private static func saturating(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(
      input: try fields.intIfPresent("input") ?? 0, cachedInput: try fields.intIfPresent("cached_input") ?? 0,
      cacheWrite: try fields.intIfPresent("cache_write") ?? 0, output: try fields.intIfPresent("output") ?? 0,
      reasoning: try fields.intIfPresent("reasoning") ?? 0)
  }

  public var json: JSONValue {
    [
      "input": .number(JSONNumber(input)), "cached_input": .number(JSONNumber(cachedInput)),
      "cache_write": .number(JSONNumber(cacheWrite)), "output": .number(JSONNumber(output)),
      "reasoning": .number(JSONNumber(reasoning)), "total": .number(JSONNumber(total)),
    ]
  }
}
