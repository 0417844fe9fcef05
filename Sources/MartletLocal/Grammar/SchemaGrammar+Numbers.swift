import MartletJSON

extension SchemaGrammar {
  /// Integers, within their bounds where both are given or zero is one of them; other bounds are left to validation.
  func integer(_ schema: JSONObject, at path: String) throws(SchemaGrammarError) -> String {
    let (low, high) = try bounds(schema, at: path)
    return IntegerRange.expression(low, high)
  }

  /// Numbers with an optional fraction; of bounds only the sign is expressed.
  func number(_ schema: JSONObject, at path: String) throws(SchemaGrammarError) -> String {
    let least = schema["minimum"]?.doubleValue ?? schema["exclusiveMinimum"]?.doubleValue
    let most = schema["maximum"]?.doubleValue ?? schema["exclusiveMaximum"]?.doubleValue
    if let least, let most, least > most {
      throw SchemaGrammarError(.unsatisfiable, path: path, "maximum is less than minimum")
    }
    let sign = (least ?? -1) >= 0 ? "" : (most ?? 1) < 0 ? "\"-\" " : "\"-\"? "
    return sign + #"( "0" | [1-9] [0-9]{0,17} ) ( "." [0-9]{1,17} )? ( [eE] [-+]? [0-9]{1,2} )?"#
  }

  private func bounds(_ schema: JSONObject, at path: String) throws(SchemaGrammarError) -> (Int?, Int?) {
    var low: Int?
    var high: Int?
    func tighten(_ key: String, _ apply: (Double) -> Void) {
      if let value = schema[key]?.doubleValue, abs(value) < 1e15 { apply(value) }
    }
    tighten("minimum") { low = max(low ?? .min, Int($0.rounded(.up))) }
    tighten("exclusiveMinimum") { low = max(low ?? .min, Int($0.rounded(.down)) + 1) }
    tighten("maximum") { high = min(high ?? .max, Int($0.rounded(.down))) }
    tighten("exclusiveMaximum") { high = min(high ?? .max, Int($0.rounded(.up)) - 1) }
    if let low, let high, low > high {
      throw SchemaGrammarError(.unsatisfiable, path: path, "no integer lies between the bounds")
    }
    return (low, high)
  }
}

/// Expressions for the decimal forms of a range of integers.
enum IntegerRange {
  /// Digits of an unbounded integer: what 64 bits hold.
  private static let anyPositive = "[1-9] [0-9]{0,17}"

  static func expression(_ low: Int?, _ high: Int?) -> String {
    guard low != nil || high != nil else { return "\"-\"? ( \"0\" | \(anyPositive) )" }
    var choices: [String] = []
    // Negative numbers by their size, then zero, then positive ones.
    if low ?? .min < 0 {
      choices += sized(from: max(1, -(high ?? -1)), to: low.map { -$0 }).map { "\"-\" \($0)" }
    }
    if low ?? .min <= 0, high ?? .max >= 0 { choices.append("\"0\"") }
    if high ?? .max > 0 { choices += sized(from: max(1, low ?? 1), to: high) }
    return GBNF.any(choices)
  }

  /// Numbers of at least 1, by their number of digits.
  private static func sized(from low: Int, to high: Int?) -> [String] {
    let least = digits(low)
    var result: [String] = []
    let longest = high.map { digits($0).count } ?? least.count
    for count in least.count...max(longest, least.count) {
      let from = count == least.count ? least : [1] + Array(repeating: 0, count: count - 1)
      let to = high.map { count == longest ? digits($0) : nil } ?? nil
      result += sameLength(from, to ?? Array(repeating: 9, count: count))
    }
    if high == nil, least.count < 18 { result.append("[1-9] [0-9]{\(least.count),17}") }
    return result
  }

  /// All digit strings between two of the same length.
  private static func sameLength(_ from: [Int], _ to: [Int]) -> [String] {
    guard let low = from.first, let high = to.first else { return [""] }
    let rest = from.count - 1
    let zeros = Array(repeating: 0, count: rest)
    let nines = Array(repeating: 9, count: rest)
    func free(_ a: Int, _ b: Int) -> String {
      let first = a == b ? "\"\(a)\"" : "[\(a)-\(b)]"
      return rest == 0 ? first : "\(first) [0-9]{\(rest)}"
    }
    func fixed(_ digit: Int, _ choices: [String]) -> [String] {
      choices.map { $0.isEmpty ? "\"\(digit)\"" : "\"\(digit)\" \($0)" }
    }
    let fromTail = Array(from.dropFirst())
    let toTail = Array(to.dropFirst())
    if fromTail == zeros && toTail == nines { return [free(low, high)] }
    if low == high { return fixed(low, sameLength(fromTail, toTail)) }
    var result: [String] = []
    var first = low
    var last = high
    if fromTail != zeros {
      result += fixed(low, sameLength(fromTail, nines))
      first += 1
    }
    if toTail != nines {
      last -= 1
    }
    if first <= last { result.append(free(first, last)) }
    if toTail != nines { result += fixed(high, sameLength(zeros, toTail)) }
    return result
  }

  private static func digits(_ value: Int) -> [Int] { String(value).utf8.map { Int($0) - 48 } }
}
