/// A grammar in llama.cpp's notation, put together rule by rule.
///
/// Expressions are plain text; `rule(_:named:)` gives one a name, and equal expressions the same name.
struct GBNF: Sendable {
  private var names: [String: String] = [:]
  private var rules: [(name: String, body: String)] = []
  /// The longest sum of rule bodies; larger grammars cost more memory and time than a reply is worth.
  private static let maximumSize = 400_000
  private var size = 0

  /// The name of a rule for an expression.
  mutating func rule(_ body: String, named hint: String) throws(SchemaGrammarError) -> String {
    if let name = names[body] { return name }
    let name = "\(hint)-\(rules.count)"
    try define(name, body)
    names[body] = name
    return name
  }

  /// A name that nothing else has, for a rule that refers to itself; `define(_:_:)` must follow.
  mutating func reserve(_ hint: String) -> String {
    rules.append(("", ""))
    return "\(hint)-\(rules.count - 1)"
  }

  mutating func define(_ name: String, _ body: String) throws(SchemaGrammarError) {
    size += name.utf8.count + body.utf8.count
    guard size <= Self.maximumSize else {
      throw SchemaGrammarError(.tooLarge, path: "", "the schema makes too large a grammar")
    }
    rules.append((name, body))
  }

  /// The whole grammar.
  func text(root: String) -> String {
    var text = "root ::= \(root)\n"
    for rule in rules where !rule.name.isEmpty { text += "\(rule.name) ::= \(rule.body)\n" }
    return text
  }

  /// A literal text.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F {
          result += escape(scalar.value)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  /// A code point inside `[ ]` or quotes, by its number.
  static func escape(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    if value < 0x100 { return "\\x" + String(repeating: "0", count: 2 - digits.count) + digits }
    if value < 0x10000 { return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits }
    return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// One of several; parentheses only where there is a choice.
  static func any(_ choices: [String]) -> String {
    choices.count == 1 ? choices[0] : "( " + choices.joined(separator: " | ") + " )"
  }
}
