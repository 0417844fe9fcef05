/// How the next token is chosen from what the model expects.
public struct Sampling: Sendable, Hashable {
  /// Divides the log-odds: below 1 makes likely tokens likelier. 0 always takes the likeliest (greedy).
  public var temperature: Double
  /// Only this many of the likeliest tokens take part; 0 is no limit.
  public var topK: Int
  /// Only the likeliest tokens that together have this probability take part; 1 is no limit.
  public var topP: Double
  /// Only tokens at least this fraction as probable as the likeliest take part; 0 is no limit.
  public var minP: Double
  /// Where the random choices start; `nil` takes another each time.
  public var seed: UInt64?

  /// A way to choose; every argument has a default, which together are greedy.
  public init(temperature: Double = 0, topK: Int = 40, topP: Double = 0.95, minP: Double = 0.05, seed: UInt64? = nil) {
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
    self.seed = seed
  }

  /// Whether chance has no part.
  var isGreedy: Bool { temperature <= 0 || topK == 1 }

  /// Always the likeliest token.
  public static let greedy = Sampling()
}
