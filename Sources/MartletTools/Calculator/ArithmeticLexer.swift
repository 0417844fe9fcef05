/// Takes an expression apart, whatever way its signs are written.
struct ArithmeticLexer {
  /// Long enough for any sum a person would ask about.
  static let lengthLimit = 2_000
  private static let exponentLimit = 400

  private let characters: [Character]
  private var position = 0
  private var parentheses: [Bool] = []
  private var tokens: [ArithmeticToken] = []

  private init(_ text: String) { characters = Array(text) }

  static func tokens(of text: String) throws(ArithmeticError) -> [ArithmeticToken] {
    guard text.utf8.count <= lengthLimit else {
      throw ArithmeticError("the expression is longer than \(lengthLimit) bytes; compute it in parts")
    }
    var lexer = ArithmeticLexer(text)
    return try lexer.run()
  }

  private mutating func run() throws(ArithmeticError) -> [ArithmeticToken] {
    while true {
      let start = position
      while let character = peek, character.isWhitespace { position += 1 }
      let isSpaced = position > start
      let at = position
      guard let kind = try next() else {
        tokens.append(ArithmeticToken(kind: .end, position: at, isSpaced: isSpaced))
        return tokens
      }
      tokens.append(ArithmeticToken(kind: kind, position: at, isSpaced: isSpaced))
    }
  }

  private var peek: Character? { position < characters.count ? characters[position] : nil }

  private mutating func next() throws(ArithmeticError) -> ArithmeticToken.Kind? {
    guard let character = peek else { return nil }
    if Self.digit(character) != nil || character == "." || character == "．" { return .number(try number()) }
    if let exponent = superscript() { return exponent }
    let start = position
    position += 1
    switch character {
    case "+", "＋": return .plus
    case "-", "−", "–", "‐", "－", "﹣": return .minus
    case "*", "×", "·", "⋅", "∗", "＊", "✕", "✖":
      guard peek == "*", character == "*" else { return .times }
      position += 1
      return .power
    case "/", "÷", "∕", "／", "⁄": return .divide
    case "%", "％": return .percent
    case "^", "＾": return .power
    case "!", "！": return .factorial
    case "(", "（", "[", "{":
      let isCall = if case .name = tokens.last?.kind { true } else { false }
      parentheses.append(isCall)
      return .open
    case ")", "）", "]", "}":
      _ = parentheses.popLast()
      return .close
    case ",", "，", ";": return .comma
    case "√": return .name("sqrt")
    case "π": return .name("pi")
    case "=", "＝":
      // "23*4=" asks for the result; anything after it would be an equation.
      guard characters[position...].allSatisfy({ $0.isWhitespace || $0 == "?" }) else {
        throw ArithmeticError("'=' cannot be computed; give one expression without it", at: start)
      }
      position = characters.count
      return nil
    case _ where character.isLetter: return try word(from: start)
    default:
      throw ArithmeticError("'\(character)' is not part of an arithmetic expression", at: start)
    }
  }

  private mutating func word(from start: Int) throws(ArithmeticError) -> ArithmeticToken.Kind {
    while let character = peek, character.isLetter || Self.digit(character) != nil { position += 1 }
    let name = String(characters[start..<position]).lowercased()
    if name == "x" { return .times }
    // "3x4": the letter is a sign, what follows a number of its own.
    if name.first == "x", name.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) {
      position = start + 1
      return .times
    }
    return .name(name)
  }

  /// The value of a decimal digit of any script's ASCII-like forms.
  private static func digit(_ character: Character) -> UInt8? {
    guard character.unicodeScalars.count == 1, let scalar = character.unicodeScalars.first else { return nil }
    switch scalar.value {
    case 0x30...0x39: return UInt8(scalar.value - 0x30)
    case 0xFF10...0xFF19: return UInt8(scalar.value - 0xFF10)
    default: return nil
    }
  }

  /// "²" means "^2".
  private mutating func superscript() -> ArithmeticToken.Kind? {
    guard let first = peek, !first.isASCII else { return nil }
    let digits: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
    var value = 0
    let start = position
    while let character = peek, let digit = digits.firstIndex(of: character), value < 10_000 {
      value = value * 10 + digit
      position += 1
    }
    guard position > start else { return nil }
    tokens.append(ArithmeticToken(kind: .power, position: start, isSpaced: false))
    return .number(Rational(value))
  }

  // MARK: Numbers

  private mutating func number() throws(ArithmeticError) -> Rational {
    let start = position
    var whole = digits()
    try groups(after: &whole, from: start)
    var fraction: [UInt8] = []
    if let character = peek, character == "." || character == "．" {
      position += 1
      fraction = digits()
      guard !whole.isEmpty || !fraction.isEmpty else { throw ArithmeticError("a '.' without digits", at: start) }
      if peek == "." { throw ArithmeticError("a number with two decimal points", at: start) }
    }
    let exponent = try exponentPart()
    let places = fraction.count - exponent
    guard abs(places) <= Self.exponentLimit + Self.lengthLimit, let value = BigNatural(digits: whole + fraction) else {
      throw ArithmeticError("a number out of range", at: start)
    }
    let scale = BigNatural(10).power(abs(places))
    return places >= 0
      ? Rational(numerator: value, denominator: scale) : Rational(numerator: value * scale)
  }

  private mutating func digits() -> [UInt8] {
    var digits: [UInt8] = []
    while let character = peek {
      if let digit = Self.digit(character) {
        digits.append(digit + UInt8(ascii: "0"))
      } else if character == "_", !digits.isEmpty, position + 1 < characters.count,
        Self.digit(characters[position + 1]) != nil
      {
        // 1_000
      } else {
        break
      }
      position += 1
    }
    return digits
  }

  /// Takes "1 234 567" and "1,234,567.5" for one number where nothing else can be meant.
  private mutating func groups(after whole: inout [UInt8], from start: Int) throws(ArithmeticError) {
    guard (1...3).contains(whole.count), let separator = peek, Self.isGroupSeparator(separator) else { return }
    let before = (position, whole)
    var count = 0
    while peek == separator {
      let place = position
      position += 1
      let group = digits()
      guard group.count == 3 else {
        position = place
        break
      }
      whole += group
      count += 1
    }
    guard separator == "," else { return }
    guard count > 0 else {
      (position, whole) = before
      return
    }
    // In a call a comma parts arguments; else one group of three may as well be a decimal comma.
    if parentheses.contains(true) {
      (position, whole) = before
    } else if count == 1, peek != "." {
      throw ArithmeticError(
        "'\(String(characters[start..<position]))' may be thousands or a decimal comma; write it without the comma or with a '.'",
        at: start)
    }
  }

  private static func isGroupSeparator(_ character: Character) -> Bool {
    character == "," || character == " " || character == "\u{A0}" || character == "\u{202F}" || character == "\u{2009}"
  }

  /// The "e-3" of a number, if it has one.
  private mutating func exponentPart() throws(ArithmeticError) -> Int {
    guard peek == "e" || peek == "E" else { return 0 }
    let start = position
    position += 1
    var isNegative = false
    if let sign = peek, sign == "+" || sign == "-" || sign == "−" {
      isNegative = sign != "+"
      position += 1
    }
    let digits = digits()
    guard !digits.isEmpty else {
      position = start  // the constant e
      return 0
    }
    guard digits.count <= 4, let value = Int(String(decoding: digits, as: UTF8.self)), value <= Self.exponentLimit
    else { throw ArithmeticError("an exponent beyond \(Self.exponentLimit)", at: start) }
    return isNegative ? -value : value
  }
}
