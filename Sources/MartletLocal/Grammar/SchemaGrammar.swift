package import MartletJSON

/// Makes a grammar of the values that a JSON Schema allows, in compact form with one space after `,` and `:`.
///
/// Expressed: types, `enum`, `const`, `anyOf`, `oneOf`, `allOf` (merged), `$ref` into the same document (recursion too),
/// `nullable`, properties (required ones first, each group in declaration order), `additionalProperties`, item counts,
/// `prefixItems`, string lengths, patterns, the formats in `StringFormat`, integer ranges, signs of numbers.
/// Keywords that only narrow further (`not`, `if`, `uniqueItems`, `multipleOf`, …) are left to validation, as the
/// grammar may allow more than the schema but nothing else.
package struct SchemaGrammar {
  /// What a value may grow to where its schema does not say.
  package struct Limits: Sendable, Hashable {
    /// Characters of a string, but for those in `longTexts`. Measured: a weak model that has lost its way fills a string
    /// for ever.
    package var string: Int
    /// Items of an array and free keys of an object.
    package var items: Int

    /// Names of properties whose strings may have any length: files, programs, letters.
    package static let longTexts: Set<String> = [
      "body", "code", "content", "contents", "data", "diff", "html", "markdown", "message", "new_string", "old_string",
      "patch", "prompt", "script", "source", "text",
    ]

    package init(string: Int = 400, items: Int = 64) {
      self.string = string
      self.items = items
    }
  }

  let document: JSONValue
  let style: LiteralStyle
  var limits: Limits
  var grammar = GBNF()
  /// Rules of `$ref` targets, by pointer.
  private var references: [String: String] = [:]
  /// Targets that are being resolved without anything written since.
  private var resolving: Set<String> = []
  private var depth = 0
  /// Deeper than any schema people write, shallow enough for any stack.
  private static let maximumDepth = 64

  /// - Parameter document: the schema that `$ref` pointers start from.
  package init(document: JSONValue, style: LiteralStyle = .json, limits: Limits = Limits()) {
    self.document = document
    self.style = style
    self.limits = limits
  }

  /// The grammar of a schema's values, after `start` and followed by one of `endings` where given.
  package static func text(
    _ schema: JSONValue, in document: JSONValue? = nil, style: LiteralStyle = .json, limits: Limits = Limits(),
    start: String = "", endings: [String] = []
  ) throws(SchemaGrammarError) -> String {
    var compiler = SchemaGrammar(document: document ?? schema, style: style, limits: limits)
    var root = try compiler.value(schema, at: "")
    if !start.isEmpty { root = GBNF.literal(start) + " " + root }
    if !endings.isEmpty { root += " " + GBNF.any(endings.map(GBNF.literal)) }
    return compiler.grammar.text(root: root)
  }

  /// The grammar of a string that has begun, to its closing quote, followed by one of `endings`.
  static func restOfString(limits: Limits, endings: [String]) throws(SchemaGrammarError) -> String {
    var compiler = SchemaGrammar(document: true, limits: limits)
    let character = try compiler.stringCharacter()
    return compiler.grammar.text(
      root:
        "\(limits.string <= maximumRepetition ? "\(character){0,\(limits.string)}" : "\(character)*") \"\\\"\" \(GBNF.any(endings.map(GBNF.literal)))"
    )
  }

  // MARK: Any schema

  /// An expression for the values of a schema.
  mutating func value(_ schema: JSONValue, at path: String) throws(SchemaGrammarError) -> String {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      throw SchemaGrammarError(.tooLarge, path: path, "the schema is nested too deeply")
    }
    switch schema {
    case .bool(true): return try anything()
    case .bool(false): throw SchemaGrammarError(.unsatisfiable, path: path, "the schema false allows no value")
    case .object(let object): return try value(object, at: path)
    default: throw SchemaGrammarError(.malformed, path: path, "a schema must be an object or a boolean")
    }
  }

  private mutating func value(_ schema: JSONObject, at path: String) throws(SchemaGrammarError) -> String {
    if schema["$dynamicRef"] != nil || schema["$recursiveRef"] != nil {
      throw SchemaGrammarError(.unsupported, path: path, "$dynamicRef cannot be written as a grammar")
    }
    if let reference = schema["$ref"] { return try referenced(reference, siblings: schema, at: path) }
    if let parts = schema["allOf"]?.arrayValue {
      var merged = schema
      merged.removeValue(forKey: "allOf")
      for (index, part) in parts.enumerated() {
        merged = try merge(merged, with: part, at: "\(path)/allOf/\(index)")
      }
      return try value(merged, at: path)
    }
    for keyword in ["anyOf", "oneOf"] {
      guard let choices = schema[keyword]?.arrayValue else { continue }
      var base = schema
      base.removeValue(forKey: keyword)
      return try alternatives(choices, keyword: keyword, base: base, at: path)
    }
    let nullable = schema["nullable"]?.boolValue == true
    let body = try plainValue(schema, at: path)
    return nullable ? "( \(body) | \(GBNF.literal(style.null)) )" : body
  }

  private mutating func alternatives(
    _ choices: [JSONValue], keyword: String, base: JSONObject, at path: String
  ) throws(SchemaGrammarError) -> String {
    var expressions: [String] = []
    var failure = SchemaGrammarError(.unsatisfiable, path: path, "\(keyword) has no choices")
    for (index, choice) in choices.enumerated() {
      do throws(SchemaGrammarError) {
        let merged = try merge(base, with: choice, at: "\(path)/\(keyword)/\(index)")
        let expression = try value(merged, at: "\(path)/\(keyword)/\(index)")
        if !expressions.contains(expression) { expressions.append(expression) }
      } catch {
        guard error.code == .unsatisfiable else { throw error }
        failure = error
      }
    }
    guard !expressions.isEmpty else { throw failure }
    return GBNF.any(expressions)
  }

  private mutating func plainValue(_ schema: JSONObject, at path: String) throws(SchemaGrammarError) -> String {
    let types = try self.types(schema, at: path)
    if let constant = schema["const"] { return try literals([constant], types: types, at: path) }
    if let choices = schema["enum"]?.arrayValue {
      return try literals(choices, types: types, at: path)
    }
    guard let types else {
      if let guess = Self.impliedType(schema) { return try value(schema, type: guess, at: path) }
      return try anything()
    }
    var expressions: [String] = []
    for type in types { expressions.append(try value(schema, type: type, at: path)) }
    return GBNF.any(expressions)
  }

  private func types(_ schema: JSONObject, at path: String) throws(SchemaGrammarError) -> [String]? {
    switch schema["type"] {
    case nil: return nil
    case .string("any"): return nil  // not JSON Schema, but met in the wild
    case .string(let type): return [type]
    case .array(let list):
      let types = list.compactMap(\.stringValue)
      guard types.count == list.count, !types.isEmpty else { fallthrough }
      return types
    default: throw SchemaGrammarError(.malformed, path: path, "type must be a name or a list of names")
    }
  }

  private static func impliedType(_ schema: JSONObject) -> String? {
    if schema["properties"] != nil || schema["required"] != nil || schema["additionalProperties"] != nil {
      return "object"
    }
    if schema["items"] != nil || schema["prefixItems"] != nil { return "array" }
    if schema["pattern"] != nil || schema["minLength"] != nil || schema["maxLength"] != nil { return "string" }
    if schema["minimum"] != nil || schema["maximum"] != nil { return "number" }
    return nil
  }

  private mutating func value(
    _ schema: JSONObject, type: String, at path: String
  ) throws(SchemaGrammarError) -> String {
    switch type {
    case "string": return try string(schema, at: path)
    case "integer": return try grammar.rule(integer(schema, at: path), named: "integer")
    case "number": return try grammar.rule(number(schema, at: path), named: "number")
    case "boolean": return "( \(GBNF.literal(style.bool(true))) | \(GBNF.literal(style.bool(false))) )"
    case "null": return GBNF.literal(style.null)
    case "array": return try grammar.rule(array(schema, at: path), named: "array")
    case "object": return try grammar.rule(object(schema, at: path), named: "object")
    default: throw SchemaGrammarError(.malformed, path: path, "\(type) is not a JSON type")
    }
  }

  private mutating func literals(
    _ values: [JSONValue], types: [String]?, at path: String
  ) throws(SchemaGrammarError) -> String {
    // An enum of strings under "type": "integer" allows nothing; schemas in the wild mean the strings.
    let fitting = types.map { types in values.filter { value in types.contains { Self.isOf(value, $0) } } } ?? values
    let chosen = fitting.isEmpty ? values : fitting
    guard !chosen.isEmpty else { throw SchemaGrammarError(.unsatisfiable, path: path, "enum has no values") }
    return try grammar.rule(GBNF.any(chosen.map { GBNF.literal(CallSyntax.text($0, style: style)) }), named: "enum")
  }

  private static func isOf(_ value: JSONValue, _ type: String) -> Bool {
    switch value {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number: type == "number" || (type == "integer" && value.intValue != nil)
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }

  // MARK: References

  private mutating func referenced(
    _ reference: JSONValue, siblings: JSONObject, at path: String
  ) throws(SchemaGrammarError) -> String {
    guard let pointer = reference.stringValue else {
      throw SchemaGrammarError(.malformed, path: path, "$ref must be a string")
    }
    let target = try resolve(pointer, at: path)
    let annotations: Set<String> = ["$ref", "description", "title", "default", "$defs", "definitions", "examples"]
    if siblings.keys.contains(where: { !annotations.contains($0) }) {
      guard resolving.insert(pointer).inserted else {
        throw SchemaGrammarError(.unresolved, path: path, "$ref \(pointer) leads only to itself")
      }
      defer { resolving.remove(pointer) }
      var rest = siblings
      rest.removeValue(forKey: "$ref")
      return try value(merge(rest, with: target, at: path), at: path)
    }
    if let name = references[pointer] {
      guard !resolving.contains(pointer) else {
        throw SchemaGrammarError(.unresolved, path: path, "$ref \(pointer) leads only to itself")
      }
      return name
    }
    let name = grammar.reserve("ref")
    references[pointer] = name
    resolving.insert(pointer)
    let body = try value(target, at: pointer)
    resolving.remove(pointer)
    try grammar.define(name, body)
    return name
  }

  /// Something is written before what `body` makes: a reference inside may lead back.
  mutating func inside<R>(
    _ body: (inout SchemaGrammar) throws(SchemaGrammarError) -> R
  ) throws(SchemaGrammarError) -> R {
    let outer = resolving
    resolving = []
    defer { resolving = outer }
    return try body(&self)
  }

  func resolve(_ pointer: String, at path: String) throws(SchemaGrammarError) -> JSONValue {
    guard pointer.hasPrefix("#") else {
      throw SchemaGrammarError(.unresolved, path: path, "$ref \(pointer) leads outside the schema")
    }
    var place = document
    for part in pointer.dropFirst().split(separator: "/") {
      let key = String(part).replacing("~1", with: "/").replacing("~0", with: "~")
      let next =
        if case .array(let items) = place { Int(key).flatMap { items.indices.contains($0) ? items[$0] : nil } } else {
          place.objectValue?[key]
        }
      guard let next else { throw SchemaGrammarError(.unresolved, path: path, "$ref \(pointer) leads nowhere") }
      place = next
    }
    return place
  }

  // MARK: Anything

  /// Any JSON value.
  mutating func anything() throws(SchemaGrammarError) -> String {
    if let name = references["*"] { return name }
    let name = grammar.reserve("any")
    references["*"] = name
    let text = try string([:], at: "")
    let number = try grammar.rule(number([:], at: ""), named: "number")
    let constants = [style.null, style.bool(true), style.bool(false)].map(GBNF.literal).joined(separator: " | ")
    let most = limits.items - 1
    try grammar.define(
      name,
      "\(text) | \(number) | \(constants) | \"[\" ( \(name) ( \", \" \(name) ){0,\(most)} )? \"]\" | "
        + "\"{\" ( \(text) \": \" \(name) ( \", \" \(text) \": \" \(name) ){0,\(most)} )? \"}\"")
    return name
  }
}
