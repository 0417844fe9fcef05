/// A range that bounds an argument: closed, half-open, or open at one end.
public protocol ParameterRange<Bound> {
  /// What the ends are.
  associatedtype Bound

  /// The ends.
  var limits: ParameterLimits<Bound> { get }
}

/// The ends of a range.
public struct ParameterLimits<Bound> {
  /// The smallest value; nil if there is none.
  public var lower: Bound?
  /// The largest value, or the first beyond it; nil if there is none.
  public var upper: Bound?
  /// Whether `upper` itself is out of the range.
  public var excludesUpper: Bool

  /// The ends of a range.
  public init(lower: Bound?, upper: Bound?, excludesUpper: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.excludesUpper = excludesUpper
  }
}

extension ClosedRange: ParameterRange {
  public var limits: ParameterLimits<Bound> { .init(lower: lowerBound, upper: upperBound) }
}

extension Range: ParameterRange {
  public var limits: ParameterLimits<Bound> { .init(lower: lowerBound, upper: upperBound, excludesUpper: true) }
}

extension PartialRangeFrom: ParameterRange {
  public var limits: ParameterLimits<Bound> { .init(lower: lowerBound, upper: nil) }
}

extension PartialRangeThrough: ParameterRange {
  public var limits: ParameterLimits<Bound> { .init(lower: nil, upper: upperBound) }
}

extension PartialRangeUpTo: ParameterRange {
  public var limits: ParameterLimits<Bound> { .init(lower: nil, upper: upperBound, excludesUpper: true) }
}

extension ParameterLimits where Bound: ParameterNumber {
  var numberRules: JSONObject {
    var rules = JSONObject()
    if let number = lower?.jsonNumber { rules["minimum"] = .number(number) }
    if let number = upper?.jsonNumber { rules[excludesUpper ? "exclusiveMaximum" : "maximum"] = .number(number) }
    return rules
  }
}

extension ParameterLimits<Int> {
  /// `minItems` and `maxItems`, or `minLength`, `maxLength` and a pattern.
  func countRules(_ noun: String, pattern: String?) -> JSONObject {
    var rules = JSONObject()
    if let lower, lower > 0 { rules["min\(noun)"] = .number(JSONNumber(lower)) }
    if let upper { rules["max\(noun)"] = .number(JSONNumber(Swift.max(0, excludesUpper ? upper - 1 : upper))) }
    if let pattern { rules["pattern"] = .string(pattern) }
    return rules
  }
}
