import MartletJSON
import Testing

/// Documents and patterns that are nearly right, as a hostile or careless server sends them.
@Suite struct JSONSchemaFuzzTests {
  static let document: JSONValue = [
    "$id": "https://example.com/a", "$defs": ["n": ["$anchor": "n", "type": "integer", "minimum": 1]],
    "type": ["object", "array"], "properties": ["a": ["$ref": "#n"], "b": ["$ref": "#/$defs/n"], "c": ["$ref": "#"]],
    "patternProperties": ["^x(y|z)+$": ["maxLength": 3]], "additionalProperties": ["$dynamicRef": "#m"],
    "$dynamicAnchor": "m", "required": ["a"], "dependentRequired": ["a": ["b"]], "unevaluatedItems": false,
    "if": ["minProperties": 2], "then": ["propertyNames": ["pattern": "[a-z]{1,3}"]], "else": true,
    "allOf": [["contains": ["const": 1], "minContains": 0]], "oneOf": [["not": ["enum": [1, 2]]], false],
    "prefixItems": [["multipleOf": 0.5]], "items": ["uniqueItems": true],
  ]

  @Test(arguments: Array(1...8) as [UInt64])
  func `a mutated schema is either refused or usable`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var usable = 0
    for _ in 0..<400 {
      var document = Self.document
      for _ in 0..<Int.random(in: 1...4, using: &random) { document = Self.mutated(document, &random) }
      // Refusing is as good as compiling here; crashing, hanging or contradicting oneself is not.
      guard let schema = try? JSONSchema(document) else { continue }
      usable += 1
      for _ in 0..<4 {
        let value = RandomSchema.value(depth: 3, &random)
        let violations = schema.validate(value)
        #expect(violations.isEmpty == schema.isValid(value), "seed \(seed): \(value) by \(document)")
        _ = schema.coerce(value)
      }
    }
    #expect(usable > 20)
  }

  /// The value with one place replaced, removed or taken from elsewhere.
  private static func mutated(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
    switch value {
    case .object(var object) where !object.isEmpty && Int.random(in: 0..<4, using: &random) > 0:
      guard let key = object.keys.randomElement(using: &random), let old = object[key] else { return value }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: object.removeValue(forKey: key)
      case 1: object[object.keys.randomElement(using: &random) ?? key] = old
      default: object[key] = mutated(old, &random)
      }
      return .object(object)
    case .array(var items) where !items.isEmpty && Int.random(in: 0..<4, using: &random) > 0:
      let index = Int.random(in: 0..<items.count, using: &random)
      items[index] = mutated(items[index], &random)
      return .array(items)
    default:
      let others: [JSONValue] = [
        nil, true, false, 0, -1, 1.5, "", "#", "#/$defs/n", "#n", "#/$defs", "https://example.com/a#/allOf/0", "(a+)+$",
        "[", "integer", [], [:], ["a"], ["$ref": "#"], [["type": "string"]], 1e300, "\u{0}", "~", "#/%7E", "a#b",
      ]
      return others.randomElement(using: &random) ?? nil
    }
  }

  @Test(arguments: Array(1...8) as [UInt64])
  func `random pattern text is either refused or matched`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "b", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "{2,3}", "|", "^", "$", "\\", "\\d", "\\b", "\\p{L}",
      "\\u{61}", "\\x6", "-", "(?=", "(?<!", "(?:", "(?<n>", ",", "1", "é", "\u{1F98A}", "\\ud83e\\udd8a",
    ]
    var usable = 0
    for _ in 0..<2_000 {
      let source = (0..<Int.random(in: 1...10, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      guard let pattern = try? Pattern(source.joined()) else { continue }
      usable += 1
      for text in ["", "a", "ab1 -", "\u{1F98A}é", "aaaaaaaaaaaaaaaaaaaaab"] { #expect(pattern.matches(text) != nil) }
    }
    #expect(usable > 100)
  }
}
