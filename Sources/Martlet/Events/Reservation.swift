public import MartletJSON

/// What a model call may use at most, counted against the budget until the call is settled.
public struct Reservation: Sendable, Hashable, JSONConvertible {
  /// Tokens of input and output.
  public var tokens: Int
  /// USD; nil where no price is known.
  public var usd: Double?

  /// A reservation.
  public init(tokens: Int = 0, usd: Double? = nil) {
    self.tokens = tokens
    self.usd = usd
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(tokens: try fields.intIfPresent("tokens") ?? 0, usd: try fields.doubleIfPresent("usd"))
  }

  public var json: JSONValue {
    ["tokens": .number(JSONNumber(tokens)), "usd": usd.map { JSONValue(finite: $0) } ?? .null]
  }
}
