/// Reads ECMA-262 regular expression syntax as JSON Schema uses it: Unicode aware, no flags.
///
/// Follows clause 22.2.1 of ECMA-262 with the leniency of its Annex B for punctuation (`\-`, a lone `]` or `{`), because
/// schemas in the wild rely on it. Backreferences have no linear-time matcher and are refused.
struct PatternParser {
  /// Deep enough for any real pattern, shallow enough for any thread's stack.
  private static let maximumDepth = 100
  /// The largest count in `{n,m}`; larger ones would only be refused later, as too large a program.
  private static let maximumCount = 1_000_000

  private let source: [UInt32]
  private var position = 0
  private var depth = 0

  init(_ text: String) {
    source = text.unicodeScalars.map(\.value)
  }

  mutating func parse() throws(PatternError) -> PatternNode {
    let node = try alternation()
    guard position == source.count else { throw failure("there is a ) without its (") }
    return node
  }

  // MARK: Structure

  private mutating func alternation() throws(PatternError) -> PatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw failure("groups are nested too deeply") }
    var branches = [try concatenation()]
    while take("|") { branches.append(try concatenation()) }
    return branches.count == 1 ? branches[0] : .alternation(branches)
  }

  private mutating func concatenation() throws(PatternError) -> PatternNode {
    var parts: [PatternNode] = []
    while let next = peek, next != Self.code("|"), next != Self.code(")") {
      let (atom, isRepeatable) = try term()
      parts.append(try quantified(atom, isRepeatable: isRepeatable))
    }
    return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .concatenation(parts)
  }

  private mutating func term() throws(PatternError) -> (PatternNode, isRepeatable: Bool) {
    if take("^") { return (.boundary(.start), false) }
    if take("$") { return (.boundary(.end), false) }
    if take("(") { return try group() }
    if take(".") { return (.scalar(.dot), true) }
    if take("[") { return (.scalar(try characterClass()), true) }
    if take("\\") {
      if take("b") { return (.boundary(.word), false) }
      if take("B") { return (.boundary(.notWord), false) }
      return (.scalar(try escape(inClass: false).asClass), true)
    }
    if let next = peek, ["*", "+", "?"].map(Self.code).contains(next) { throw failure("nothing to repeat") }
    let literal = source[position]
    position += 1
    return (.scalar(ScalarClass(literal)), true)
  }

  private mutating func group() throws(PatternError) -> (PatternNode, isRepeatable: Bool) {
    let start = position - 1
    var look: PatternLook?
    if take("?") {
      if take(":") {
      } else if take("=") {
        look = PatternLook(isAhead: true, isNegative: false)
      } else if take("!") {
        look = PatternLook(isAhead: true, isNegative: true)
      } else if take("<=") {
        look = PatternLook(isAhead: false, isNegative: false)
      } else if take("<!") {
        look = PatternLook(isAhead: false, isNegative: true)
      } else if take("<") {
        try groupName()
      } else {
        throw failure("this kind of (? group is not supported", at: start)
      }
    }
    let body = try alternation()
    guard take(")") else { throw failure("this ( is never closed", at: start) }
    guard let look else { return (body, true) }
    return (.lookaround(body, look), false)
  }

  private mutating func groupName() throws(PatternError) {
    let start = position
    while let next = peek, next != Self.code(">") {
      guard let scalar = Unicode.Scalar(next), scalar == "_" || scalar == "$" || scalar.properties.isIDContinue else {
        throw failure("a group name holds only letters, digits, _ and $")
      }
      position += 1
    }
    guard position > start, take(">") else { throw failure("a group name must end with >", at: start) }
  }

  // MARK: Quantifiers

  private mutating func quantified(_ atom: PatternNode, isRepeatable: Bool) throws(PatternError) -> PatternNode {
    let start = position
    let bounds: (min: Int, max: Int?)
    if take("*") {
      bounds = (0, nil)
    } else if take("+") {
      bounds = (1, nil)
    } else if take("?") {
      bounds = (0, 1)
    } else if let counts = try counts() {
      bounds = counts
    } else {
      return atom
    }
    guard isRepeatable else { throw failure("an assertion cannot be repeated", at: start) }
    _ = take("?")
    if let next = peek, ["*", "+", "?"].map(Self.code).contains(next) { throw failure("nothing to repeat") }
    if let max = bounds.max, max < bounds.min { throw failure("the counts in { } are out of order", at: start) }
    return .repetition(atom, min: bounds.min, max: bounds.max)
  }

  /// `{n}`, `{n,}` or `{n,m}`; anything else after a brace is literal text.
  private mutating func counts() throws(PatternError) -> (min: Int, max: Int?)? {
    let start = position
    guard take("{") else { return nil }
    guard let min = try number() else {
      position = start
      return nil
    }
    var max: Int? = min
    if take(",") { max = try number() }
    guard take("}") else {
      position = start
      return nil
    }
    return (min, max)
  }

  private mutating func number() throws(PatternError) -> Int? {
    var result: Int?
    while let next = peek, (0x30...0x39).contains(next) {
      let value = (result ?? 0) * 10 + Int(next - 0x30)
      guard value <= Self.maximumCount else { throw failure("a repeat count is too large") }
      result = value
      position += 1
    }
    return result
  }

  // MARK: Classes and escapes

  /// What an escape or a class member stands for.
  private enum Member {
    case scalar(UInt32)
    case ranges([ClosedRange<UInt32>])
    case property(ScalarProperty)

    var asClass: ScalarClass {
      switch self {
      case .scalar(let value): ScalarClass(value)
      case .ranges(let ranges): ScalarClass(ranges: ranges)
      case .property(let property): ScalarClass(ranges: [], properties: [property])
      }
    }
  }

  private mutating func characterClass() throws(PatternError) -> ScalarClass {
    let start = position - 1
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    var properties: [ScalarProperty] = []
    func add(_ member: Member) {
      switch member {
      case .scalar(let value): ranges.append(value...value)
      case .ranges(let more): ranges += more
      case .property(let property): properties.append(property)
      }
    }
    while !take("]") {
      guard peek != nil else { throw failure("this [ is never closed", at: start) }
      let low = try member()
      guard peek == Self.code("-"), position + 1 < source.count, source[position + 1] != Self.code("]") else {
        add(low)
        continue
      }
      let dash = position
      position += 1
      let high = try member()
      if case .scalar(let first) = low, case .scalar(let last) = high {
        guard first <= last else { throw failure("a range in [ ] is out of order", at: dash) }
        ranges.append(first...last)
      } else {
        // Annex B: next to a class such as \w the hyphen is only itself.
        add(low)
        add(.scalar(Self.code("-")))
        add(high)
      }
    }
    return ScalarClass(ranges: ranges, properties: properties, isNegated: isNegated)
  }

  private mutating func member() throws(PatternError) -> Member {
    guard take("\\") else {
      guard let next = peek else { throw failure("a class is never closed") }
      position += 1
      return .scalar(next)
    }
    return try escape(inClass: true)
  }

  private mutating func escape(inClass: Bool) throws(PatternError) -> Member {
    let start = position - 1
    guard let next = peek, let scalar = Unicode.Scalar(next) else {
      throw failure("a \\ must escape something", at: start)
    }
    position += 1
    switch scalar {
    case "d": return .ranges(ScalarClass.digits)
    case "D": return .ranges(ScalarClass.complement(ScalarClass.digits))
    case "w": return .ranges(ScalarClass.word)
    case "W": return .ranges(ScalarClass.complement(ScalarClass.word))
    case "s": return .ranges(ScalarClass.space)
    case "S": return .ranges(ScalarClass.complement(ScalarClass.space))
    case "t": return .scalar(0x09)
    case "n": return .scalar(0x0A)
    case "v": return .scalar(0x0B)
    case "f": return .scalar(0x0C)
    case "r": return .scalar(0x0D)
    case "b" where inClass: return .scalar(0x08)
    case "0":
      if let digit = peek, (0x30...0x39).contains(digit) { throw failure("octal escapes are not supported", at: start) }
      return .scalar(0)
    case "1"..."9": throw failure("backreferences are not supported", at: start)
    case "k": throw failure("backreferences are not supported", at: start)
    case "c":
      guard let letter = peek, (0x41...0x5A).contains(letter) || (0x61...0x7A).contains(letter) else {
        throw failure("\\c needs a letter", at: start)
      }
      position += 1
      return .scalar(letter % 32)
    case "x": return .scalar(try hexadecimal(digits: 2, from: start))
    case "u": return .scalar(try unicodeEscape(from: start))
    case "p", "P": return .property(try property(isNegated: scalar == "P", from: start))
    default:
      let isWord = scalar == "_" ? false : scalar.properties.isAlphabetic || (0x30...0x39).contains(next)
      guard !isWord else { throw failure("\\\(scalar) means nothing here", at: start) }
      return .scalar(next)
    }
  }

  private mutating func unicodeEscape(from start: Int) throws(PatternError) -> UInt32 {
    if take("{") {
      var value: UInt32 = 0
      var count = 0
      while let next = peek, let digit = Self.hexadecimalValue(next) {
        value = value * 16 + digit
        guard value <= ScalarClass.maximum else { throw failure("no code point is that large", at: start) }
        count += 1
        position += 1
      }
      guard count > 0, take("}") else { throw failure("\\u{ needs hexadecimal digits and a }", at: start) }
      return value
    }
    let high = try hexadecimal(digits: 4, from: start)
    guard (0xD800...0xDBFF).contains(high) else { return high }
    let resume = position
    if take("\\u"), let low = hexadecimal(digits: 4), (0xDC00...0xDFFF).contains(low) {
      return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
    }
    position = resume
    return high
  }

  private mutating func hexadecimal(digits: Int, from start: Int) throws(PatternError) -> UInt32 {
    guard let value = hexadecimal(digits: digits) else {
      throw failure("this escape needs \(digits) hexadecimal digits", at: start)
    }
    return value
  }

  private mutating func hexadecimal(digits: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let next = peek, let digit = Self.hexadecimalValue(next) else { return nil }
      value = value * 16 + digit
      position += 1
    }
    return value
  }

  private mutating func property(isNegated: Bool, from start: Int) throws(PatternError) -> ScalarProperty {
    var name = String.UnicodeScalarView()
    guard take("{") else { throw failure("\\p needs a property name in { }", at: start) }
    while let next = peek, next != Self.code("}"), let scalar = Unicode.Scalar(next) {
      name.append(scalar)
      position += 1
    }
    guard take("}") else { throw failure("\\p{ needs its }", at: start) }
    guard let property = ScalarProperty(name: String(name), isNegated: isNegated) else {
      throw failure("the Unicode property \(name) is not supported", at: start)
    }
    return property
  }

  // MARK: Characters

  private var peek: UInt32? { position < source.count ? source[position] : nil }

  private mutating func take(_ text: String.UnicodeScalarView) -> Bool {
    var index = position
    for scalar in text {
      guard index < source.count, source[index] == scalar.value else { return false }
      index += 1
    }
    position = index
    return true
  }

  private mutating func take(_ text: String) -> Bool { take(text.unicodeScalars) }

  private static func code(_ scalar: Unicode.Scalar) -> UInt32 { scalar.value }

  private static func hexadecimalValue(_ value: UInt32) -> UInt32? {
    switch value {
    case 0x30...0x39: value - 0x30
    case 0x41...0x46: value - 0x41 + 10
    case 0x61...0x66: value - 0x61 + 10
    default: nil
    }
  }

  private func failure(_ message: String, at offset: Int? = nil) -> PatternError {
    PatternError(message: message, offset: offset ?? position)
  }
}
