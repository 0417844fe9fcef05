public import MartletJSON

/// What a run may use. Reserved before each model call, settled after it (invariant I4).
public struct Budget: Sendable, Hashable, JSONConvertible {
  /// Passes of the loop: model calls that are not retries. Default 5.
  public var iterations: Int
  /// Tokens of all model calls, input and output; nil for no limit.
  public var tokens: Int?
  /// USD of all model calls; nil for no limit. Needs a model with a known price.
  public var usd: Double?
  /// Time, not counting time parked for a person; nil for no limit.
  public var time: Duration?

  /// A budget.
  public init(iterations: Int = 5, tokens: Int? = nil, usd: Double? = nil, time: Duration? = nil) {
    self.iterations = iterations
    self.tokens = tokens
    self.usd = usd
    self.time = time
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(
      iterations: try fields.int("iterations"), tokens: try fields.intIfPresent("tokens"),
      usd: try fields.doubleIfPresent("usd"),
      time: try fields.intIfPresent("time_ms").map { .milliseconds($0) })
  }

  public var json: JSONValue {
    var object: JSONObject = ["iterations": .number(JSONNumber(iterations))]
    object.set("tokens", tokens.map { .number(JSONNumber($0)) })
    object.set("usd", usd.map { JSONValue(finite: $0) })
    object.set("time_ms", time.map { .number(JSONNumber($0.milliseconds)) })
    return .object(object)
  }
}

extension Duration {
  /// Whole milliseconds, rounded down; durations beyond what fits stay at the limit.
  package var milliseconds: Int {
    let (seconds, attoseconds) = components
    let (product, overflow) = Int(clamping: seconds).multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    return product + Int(attoseconds / 1_000_000_000_000_000)
  }
}
