import Testing

@testable import MartletTools

@Suite struct ArithmeticTests {
  private func text(_ expression: String) throws -> String { try ArithmeticParser.evaluate(expression).text.text }

  @Test(arguments: [
    ("23*4", "92"), ("0.1+0.2", "0.3"), ("1/3*3", "1"), ("10/4", "2.5"), ("2+3*4", "14"), ("(2+3)*4", "20"),
    ("10-4-3", "3"), ("100/10/2", "5"), ("2^3^2", "512"), ("-2^2", "-4"), ("(-2)^2", "4"), ("2^-1", "0.5"),
    ("2**10", "1024"), ("--5", "5"), ("-(-5)", "5"), ("+5", "5"), ("3--2", "5"), ("2*-3", "-6"), ("0^0", "1"),
    ("7%3", "1"), ("-7%3", "-1"), ("7.5%2", "1.5"), ("7 mod 3", "1"), ("1e3", "1000"), ("1.5e-3", "0.0015"),
    ("2E2", "200"), (".5+.5", "1"), ("5.", "5"), ("1_000*2", "2000"), ("23*4=", "92"), ("23 × 4 = ?", "92"),
    ("123456789*987654321", "121932631112635269"), ("2^100", "1267650600228229401496703205376"),
    ("99999999999999999999+1", "100000000000000000000"), ("1.10*3", "3.3"), ("4.35*100", "435"),
    ("1/3", "0.333333333333333"), ("2/3", "0.666666666666667"), ("1/7", "0.142857142857143"),
    ("1e-9", "0.000000001"), ("1/3e10", "3.33333333333333e-11"), ("10^30/3", "3.33333333333333e29"),
    ("1e20/7", "14285714285714300000"),
  ])
  func `expressions have their exact value`(expression: String, result: String) throws {
    #expect(try text(expression) == result)
  }

  @Test(arguments: [
    ("23×4", "92"), ("92÷4", "23"), ("5−3", "2"), ("5 – 3", "2"), ("２３＊４", "92"), ("（1＋2）×3", "9"), ("3·4", "12"),
    ("23 x 4", "92"), ("23x4", "92"), ("5²", "25"), ("2³+1", "9"), ("2²³", "8388608"), ("√16", "4"), ("2√9", ""),
    ("[1+2]*{3}", "9"), ("1 234 567 + 1", "1234568"), ("1\u{A0}000", "1000"), ("1,234,567", "1234567"),
    ("1,234.5*2", "2469"), ("10 000 / 4", "2500"),
  ])
  func `signs of many hands are read`(expression: String, result: String) throws {
    if result.isEmpty {
      #expect(throws: ArithmeticError.self) { try text(expression) }
    } else {
      #expect(try text(expression) == result)
    }
  }

  @Test(arguments: [
    ("20%", "0.2"), ("200*10%", "20"), ("15% of 80", "12"), ("50% * 20", "10"), ("20% + 30%", "0.5"),
    ("20% - 5%", "0.15"),
    ("20% - 3", "-2.8"), ("20 % -3", "2"), ("20%+5", "5.2"), ("(20%)", "0.2"), ("12% of (50+50)", "12"),
  ])
  func `per cent is told from remainder`(expression: String, result: String) throws {
    #expect(try text(expression) == result)
  }

  @Test(arguments: [
    ("sqrt(16)", "4"), ("sqrt(2)", "1.4142135623731"), ("sqrt(1/4)", "0.5"), ("2^0.5", "1.4142135623731"),
    ("27^(1/3)", "3"), ("abs(-3.5)", "3.5"), ("round(2.5)", "3"), ("round(-2.5)", "-3"), ("round(3.14159, 2)", "3.14"),
    ("round(1234, -2)", "1200"), ("floor(-1.5)", "-2"), ("ceil(1.2)", "2"), ("min(3, 1, 2)", "1"), ("max(3, 1/2)", "3"),
    ("sum(1,2,3)", "6"), ("avg(1,2)", "1.5"), ("pow(2, 10)", "1024"), ("ln(1)", "0"), ("log(1000)", "3"),
    ("log2(8)", "3"), ("exp(0)", "1"), ("sin(0)", "0"), ("sin(pi)", "0"), ("cos(π)", "-1"), ("pi", "3.14159265358979"),
    ("e", "2.71828182845905"), ("2*e", "5.43656365691809"), ("5!", "120"), ("20!", "2432902008176640000"),
    ("3!^2", "36"), ("gcd(12, 18)", "6"), ("lcm(4, 6)", "12"), ("mod(7, 3)", "1"), ("Sqrt(4)", "2"),
    ("max(1,234)", "234"), ("sin(1e-20)", "1e-20"),
  ])
  func `functions and constants`(expression: String, result: String) throws {
    #expect(try text(expression) == result)
  }

  @Test(arguments: [
    ("", nil), ("   ", nil), ("1/0", 1), ("5%0", 1), ("0^-1", 1), ("1+", 2), ("*3", 0), ("(1+2", 0), ("1+2)", 3),
    ("()", 1), ("2(3)", 1), ("1 2", 2), ("12 3456", 3), ("1..2", 0), ("1.2.3", 0), (".", 0), ("2+a", 2), ("sqrt", 4),
    ("sqrt()", 5), ("sqrt(1,2)", 0), ("min()", 4), ("1,2", 1), ("1,234", 0), ("3;4", 1), ("$5", 0), ("2=2", 1),
    ("import os", 0), ("1e999", 1), ("10^100000", 2), ("(-8)^(1/2)", 4), ("sqrt(-1)", 0), ("ln(0)", 0), ("1.5!", 3),
    ("(-1)!", 4), ("2000!", 4), ("9^9^9", 1), ("200 + 10%", 4), ("20%-3", 2), ("3 of 4", 2), ("foo(1)", 0),
    ("1 = 2", 2),
  ])
  func `what has no value is refused with its place`(expression: String, position: Int?) {
    let error = #expect(throws: ArithmeticError.self) { try text(expression) }
    #expect(error?.position == position, "\(expression): \(error?.description ?? "")")
  }

  @Test func `depth and length are bounded`() throws {
    let deep = String(repeating: "(", count: 90) + "1" + String(repeating: ")", count: 90)
    #expect(throws: Never.self) {
      try text(String(repeating: "(", count: 40) + "1" + String(repeating: ")", count: 40))
    }
    #expect(throws: ArithmeticError.self) { try text(deep) }
    #expect(throws: ArithmeticError.self) { try text(String(repeating: "-", count: 1_900) + "1") }
    #expect(throws: ArithmeticError.self) { try text(String(repeating: "1+", count: 1_500) + "1") }
    #expect(throws: Never.self) { try text(String(repeating: "1+", count: 900) + "1") }
  }

  @Test(arguments: 0..<20) func `no input crashes or runs away`(seed: UInt64) {
    var random = SeededRandom(seed)
    let parts = [
      "1", "2.5", "9", "0", "+", "-", "*", "/", "%", "^", "(", ")", " ", ",", "!", "e", "pi", "sqrt", "round", "max(",
      "²",
      "1e9", "x", "=", "of", "√", "１", "é", "🐦", "\0", "\u{301}", ".", "_", "mod",
    ]
    for _ in 0..<300 {
      let expression = (0..<Int.random(in: 1...14, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
      }
      _ = try? text(expression.joined())  // any outcome will do but a crash
    }
  }

  /// A random expression, written with all its parentheses and with those only that precedence asks for.
  private indirect enum Tree {
    case number(Int)
    case negative(Tree)
    case binary(Character, Tree, Tree)

    static func random(_ depth: Int, _ random: inout SeededRandom) -> Tree {
      if depth == 0 || Int.random(in: 0..<4, using: &random) == 0 {
        return .number(Int.random(in: 0...20, using: &random))
      }
      if Int.random(in: 0..<6, using: &random) == 0 { return .negative(self.random(depth - 1, &random)) }
      let sign = "+-*/^".randomElement(using: &random) ?? "+"
      let right = sign == "^" ? Tree.number(Int.random(in: 0...3, using: &random)) : self.random(depth - 1, &random)
      return .binary(sign, self.random(depth - 1, &random), right)
    }

    var full: String {
      switch self {
      case .number(let value): "\(value)"
      case .negative(let value): "(-\(value.full))"
      case .binary(let sign, let left, let right): "(\(left.full) \(sign) \(right.full))"
      }
    }

    private var rank: Int {
      switch self {
      case .number: 5
      case .negative: 3
      case .binary(let sign, _, _): sign == "^" ? 4 : "*/".contains(sign) ? 2 : 1
      }
    }

    var short: String { text(atLeast: 0) }

    private func text(atLeast rank: Int) -> String {
      let text: String
      switch self {
      case .number(let value): text = "\(value)"
      case .negative(let value): text = "-" + value.text(atLeast: 3)
      case .binary(let sign, let left, let right):
        // The left side of + binds no tighter than itself, the right side must; for ^ it is the other way round.
        let own = self.rank
        text =
          left.text(atLeast: sign == "^" ? own + 1 : own) + "\(sign)" + right.text(atLeast: sign == "^" ? own : own + 1)
      }
      return self.rank < rank ? "(\(text))" : text
    }

    var value: Double {
      switch self {
      case .number(let value): Double(value)
      case .negative(let value): -value.value
      case .binary("+", let left, let right): left.value + right.value
      case .binary("-", let left, let right): left.value - right.value
      case .binary("*", let left, let right): left.value * right.value
      case .binary("/", let left, let right): left.value / right.value
      case .binary(_, let left, let right): (0..<Int(right.value)).reduce(1) { value, _ in value * left.value }
      }
    }
  }

  @Test(arguments: 0..<300) func `precedence and associativity are the usual ones`(seed: UInt64) {
    var random = SeededRandom(seed)
    let tree = Tree.random(4, &random)
    let (full, short) = (Result { try text(tree.full) }, Result { try text(tree.short) })
    switch (full, short) {
    case (.success(let full), .success(let short)):
      #expect(full == short, "\(tree.full) and \(tree.short)")
      if let result = Double(full), tree.value.isFinite, abs(tree.value) < 1e12 {
        #expect(abs(result - tree.value) <= 1e-6 * max(1, abs(tree.value)), "\(tree.full)")
      }
    case (.failure, .failure): break  // a division by zero in both
    default: Issue.record("\(tree.full) and \(tree.short) differ: \(full) \(short)")
    }
  }
}
