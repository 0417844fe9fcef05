/// Computes arithmetic expressions: + − × ÷ % ^, parentheses, functions, percentages.
///
/// Binds from loose to tight: + and −; × ÷ and remainder; a sign; ^ (from the right, and before a sign on its left:
/// -2^2 is -4); per cent and factorial. Numbers are fractions, so 0.1 + 0.2 is 0.3 and 1/3*3 is 1; only roots and
/// functions without an exact value are rounded to a Double.
struct ArithmeticParser {
  private static let depthLimit = 100

  private let tokens: [ArithmeticToken]
  private var index = 0
  private var depth = 0

  /// The value of an expression.
  static func evaluate(_ expression: String) throws(ArithmeticError) -> CalculatedNumber {
    var parser = ArithmeticParser(tokens: try ArithmeticLexer.tokens(of: expression))
    return try parser.run()
  }

  private init(tokens: [ArithmeticToken]) { self.tokens = tokens }

  private mutating func run() throws(ArithmeticError) -> CalculatedNumber {
    if tokens.count == 1 { throw ArithmeticError("the expression is empty") }
    let value = try sum()
    switch token.kind {
    case .end: return value
    case .close: throw ArithmeticError("a ')' without its '('", at: token.position)
    case .comma: throw ArithmeticError("a ',' outside of a function; write one expression a call", at: token.position)
    default: throw ArithmeticError("an operator is missing here; write * to multiply", at: token.position)
    }
  }

  private var token: ArithmeticToken { tokens[index] }

  private mutating func take(_ kind: ArithmeticToken.Kind) -> Bool {
    guard token.kind == kind else { return false }
    index += 1
    return true
  }

  private mutating func nested<T>(
    _ body: (inout Self) throws(ArithmeticError) -> T
  ) throws(ArithmeticError) -> T {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw ArithmeticError("it is nested too deeply", at: token.position) }
    return try body(&self)
  }

  // MARK: Levels

  /// A value, and whether it was written as nothing but a percentage.
  private struct Term {
    var value: CalculatedNumber
    var isPercentage = false
  }

  private mutating func sum() throws(ArithmeticError) -> CalculatedNumber {
    var left = try product()
    while token.kind == .plus || token.kind == .minus {
      let sign = token
      index += 1
      let right = try product()
      if right.isPercentage && !left.isPercentage {
        throw ArithmeticError(
          "adding a percentage can mean two things; write 200 * 1.1 for ten per cent more, or 200 + 0.1",
          at: sign.position)
      }
      let value = left.value.adding(sign.kind == .plus ? right.value : -right.value)
      left = Term(value: try bounded(value, sign), isPercentage: left.isPercentage && right.isPercentage)
    }
    return left.value
  }

  private mutating func product() throws(ArithmeticError) -> Term {
    var left = try signed()
    while true {
      let sign = token
      switch sign.kind {
      case .times, .name("of"):
        if sign.kind != .times, !left.isPercentage {
          throw ArithmeticError("'of' takes a percentage before it", at: sign.position)
        }
        index += 1
        let right = try signed()
        left = Term(value: try bounded(left.value.multiplied(by: right.value), sign))
      case .divide, .percent, .name("mod"):
        index += 1
        let right = try signed()
        if right.value.isZero { throw ArithmeticError("division by zero", at: sign.position) }
        let value =
          sign.kind == .divide ? left.value.divided(by: right.value) : left.value.remainder(dividingBy: right.value)
        left = Term(value: try bounded(value, sign))
      default:
        return left
      }
    }
  }

  private mutating func signed() throws(ArithmeticError) -> Term {
    try nested { parser throws(ArithmeticError) in
      if parser.take(.minus) {
        var term = try parser.signed()
        term.value = -term.value
        return term
      }
      if parser.take(.plus) { return try parser.signed() }
      return try parser.power()
    }
  }

  private mutating func power() throws(ArithmeticError) -> Term {
    let base = try postfix()
    let sign = token
    guard take(.power) else { return base }
    let exponent = try signed()
    if base.value.isZero && exponent.value.double < 0 { throw ArithmeticError("division by zero", at: sign.position) }
    let value = base.value.power(exponent.value)
    if value == nil, base.value.double < 0, exponent.value.int == nil {
      throw ArithmeticError("a negative number to a fraction has no real value", at: sign.position)
    }
    return Term(value: try bounded(value, sign))
  }

  private mutating func postfix() throws(ArithmeticError) -> Term {
    var term = Term(value: try primary())
    while true {
      let sign = token
      if sign.kind == .factorial {
        index += 1
        term = Term(value: try factorial(term.value, at: sign.position))
      } else if sign.kind == .percent, try isPercentage() {
        index += 1
        term = Term(value: try bounded(term.value.divided(by: .exact(Rational(100))), sign), isPercentage: true)
      } else {
        return term
      }
    }
  }

  /// Whether the '%' here means per cent: nothing follows that a remainder could be taken by.
  private func isPercentage() throws(ArithmeticError) -> Bool {
    let (sign, next) = (tokens[index], tokens[index + 1])
    switch next.kind {
    case .name("of"), .name("mod"): return true
    case .number, .open, .name: return false
    case .minus, .plus:
      // "20% - 3" and "20 % -3" are told apart by how they are spaced; otherwise nobody can know.
      let isFree = tokens[index + 2].isSpaced
      if !sign.isSpaced && next.isSpaced && isFree { return true }
      if sign.isSpaced && next.isSpaced && !isFree { return false }
      if next.kind == .plus { return true }
      throw ArithmeticError(
        "'%' before '-' can mean per cent or remainder; write (20/100) - 3 or 20 mod (-3)", at: sign.position)
    default: return true
    }
  }

  private mutating func primary() throws(ArithmeticError) -> CalculatedNumber {
    let start = token
    index += start.kind == .end ? 0 : 1
    switch start.kind {
    case .number(let value): return .exact(value)
    case .open: return try parenthesis(from: start)
    case .name(let name):
      if let function = ArithmeticFunction.named(name) { return try call(function, start) }
      if let constant = ArithmeticFunction.constants[name] { return .approximate(constant) }
      throw ArithmeticError(
        "'\(name)' is not known; there are numbers, + - * / % ^ ( ), pi, e and \(Self.functionNames)",
        at: start.position)
    case .end: throw ArithmeticError("the expression ends where a number is expected", at: start.position)
    case .close: throw ArithmeticError("a number is missing before ')'", at: start.position)
    default: throw ArithmeticError("a number is missing before this operator", at: start.position)
    }
  }

  private static var functionNames: String { ArithmeticFunction.all.keys.sorted().joined(separator: ", ") }

  private mutating func parenthesis(from start: ArithmeticToken) throws(ArithmeticError) -> CalculatedNumber {
    let value = try nested { parser throws(ArithmeticError) in try parser.sum() }
    guard take(.close) else {
      switch token.kind {
      case .end: throw ArithmeticError("a '(' without its ')'", at: start.position)
      case .comma: throw ArithmeticError("a ',' outside of a function", at: token.position)
      default: throw ArithmeticError("an operator is missing here; write * to multiply", at: token.position)
      }
    }
    return value
  }

  private mutating func call(
    _ function: ArithmeticFunction, _ start: ArithmeticToken
  ) throws(ArithmeticError) -> CalculatedNumber {
    var arguments: [CalculatedNumber] = []
    if take(.open) {
      repeat {
        arguments.append(try nested { parser throws(ArithmeticError) in try parser.sum() })
      } while take(.comma)
      guard take(.close) else {
        throw ArithmeticError("the arguments of \(function.name) do not end with ')'", at: token.position)
      }
    } else if function.name == "sqrt" {
      // "√2"
      arguments = [try nested { parser throws(ArithmeticError) in try parser.postfix().value }]
    } else {
      throw ArithmeticError("\(function.name) needs its argument in parentheses", at: start.position)
    }
    guard function.argumentCount.contains(arguments.count) else {
      throw ArithmeticError(
        "\(function.name) takes \(Self.text(function.argumentCount)), not \(arguments.count)", at: start.position)
    }
    guard let value = function.apply(arguments) else {
      throw ArithmeticError("\(function.name) has no real value here", at: start.position)
    }
    return value
  }

  private static func text(_ count: ClosedRange<Int>) -> String {
    switch (count.lowerBound, count.upperBound) {
    case (1, 1): "1 argument"
    case (let low, let high) where low == high: "\(low) arguments"
    case (let low, let high): "\(low) to \(high) arguments"
    }
  }

  private func factorial(_ value: CalculatedNumber, at position: Int) throws(ArithmeticError) -> CalculatedNumber {
    guard let count = value.int, count >= 0 else {
      throw ArithmeticError("the factorial of anything but a whole number from 0 has no value", at: position)
    }
    var result = BigNatural.one
    for factor in stride(from: 2, through: count, by: 1) {
      result = result * BigNatural(UInt(factor))
      guard result.bitWidth <= CalculatedNumber.bitLimit else { throw Self.tooLarge(position) }
    }
    return .exact(Rational(numerator: result))
  }

  private func bounded(_ value: CalculatedNumber?, _ sign: ArithmeticToken) throws(ArithmeticError) -> CalculatedNumber
  {
    guard let value else { throw Self.tooLarge(sign.position) }
    return value
  }

  private static func tooLarge(_ position: Int) -> ArithmeticError {
    ArithmeticError("the result is too large", at: position)
  }
}
