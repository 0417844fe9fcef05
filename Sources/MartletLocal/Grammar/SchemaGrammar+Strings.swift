import MartletJSON

extension SchemaGrammar {
  /// Repetitions that llama.cpp accepts in one place; it refuses more than 2,000.
  static let maximumRepetition = 2000

  /// A character of a JSON string: unescaped, or an escape that is never half of a surrogate pair.
  mutating func stringCharacter() throws(SchemaGrammarError) -> String {
    try grammar.rule(
      #"[^"\\\x00-\x1F\x7F] | "\\" ( ["\\/bfnrt] | "u" ( [0-9a-cA-CefEF] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2} ) )"#,
      named: "char")
  }

  mutating func string(_ schema: JSONObject, at path: String) throws(SchemaGrammarError) -> String {
    let least = max(0, schema["minLength"]?.intValue ?? 0)
    let most = schema["maxLength"]?.intValue
    if let most, most < least {
      throw SchemaGrammarError(.unsatisfiable, path: path, "maxLength is less than minLength")
    }
    if let pattern = schema["pattern"]?.stringValue {
      if let body = try patterned(pattern, at: path) { return try grammar.rule(body, named: "pattern") }
    } else if let format = schema["format"]?.stringValue.flatMap(StringFormat.init(rawValue:)) {
      return try grammar.rule(format.expression, named: "format")
    }
    let character = try stringCharacter()
    return try grammar.rule(
      "\"\\\"\" \(repeated(character, least: least, most: most ?? max(limits.string, least), at: path)) \"\\\"\"",
      named: "string")
  }

  /// `expression{least,most}`, where an upper bound beyond what llama.cpp takes becomes none.
  private func repeated(
    _ expression: String, least: Int, most: Int, at path: String
  ) throws(SchemaGrammarError) -> String {
    guard least <= Self.maximumRepetition else {
      throw SchemaGrammarError(.tooLarge, path: path, "minLength is more than \(Self.maximumRepetition)")
    }
    if most <= Self.maximumRepetition { return "\(expression){\(least),\(most)}" }
    return least == 0 ? "\(expression)*" : "\(expression){\(least),}"
  }
}

/// String formats with a fixed shape. Others (`email`, `uri`, …) are any string: their grammars would steer a model
/// less than its own knowledge does.
enum StringFormat: String, Sendable, CaseIterable {
  case date, time, uuid, ipv4
  case dateTime = "date-time"

  var expression: String { "\"\\\"\" \(body) \"\\\"\"" }

  private var body: String {
    switch self {
    case .date: Self.day
    case .time: Self.clock
    case .dateTime: "\(Self.day) \"T\" \(Self.clock)"
    case .uuid: "[0-9a-f]{8} \"-\" [0-9a-f]{4} \"-\" [0-9a-f]{4} \"-\" [0-9a-f]{4} \"-\" [0-9a-f]{12}"
    case .ipv4: "\(Self.octet) ( \".\" \(Self.octet) ){3}"
    }
  }

  private static let day =
    #"[0-9]{4} "-" ( "0" [1-9] | "1" [0-2] ) "-" ( "0" [1-9] | [12] [0-9] | "3" [01] )"#
  /// RFC 3339: seconds and an offset are not optional.
  private static let clock =
    #"( [01] [0-9] | "2" [0-3] ) ":" [0-5] [0-9] ":" [0-5] [0-9] ( "." [0-9]{1,6} )? "#
    + #"( "Z" | [+-] ( [01] [0-9] | "2" [0-3] ) ":" [0-5] [0-9] )"#
  private static let octet = #"( "25" [0-5] | "2" [0-4] [0-9] | "1" [0-9] [0-9] | [1-9]? [0-9] )"#
}
