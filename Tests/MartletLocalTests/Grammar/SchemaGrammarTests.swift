import MartletJSON
import Testing

@testable import MartletLocal

/// The grammars as llama.cpp reads them, on the small model's vocabulary.
@Suite(.enabled(if: TestModels.small != nil, TestModels.missing))
struct SchemaGrammarTests {
  /// Whether the grammar of a schema takes a text as a whole.
  static func takes(_ schema: JSONValue, _ text: String, style: LiteralStyle = .json) async throws -> Bool {
    let model = try await EngineTests.shared.value.model
    let grammar = try TokenGrammar(SchemaGrammar.text(schema, style: style), model: model)
    for token in model.tokens(in: text) {
      guard grammar.allows(token) else { return false }
      try grammar.accept(token)
    }
    return grammar.allows(try #require(model.token(named: "<|im_end|>")))
  }

  struct Example: Sendable, CustomTestStringConvertible {
    let schema: JSONValue
    let good: [String]
    let bad: [String]
    var testDescription: String { schema.text() }
  }

  static let examples: [Example] = [
    Example(
      schema: ["type": "string"], good: [#""""#, #""a b""#, #""é\"\\\u00e9""#], bad: ["a", #""a"#, #""\ud800""#]),
    Example(
      schema: ["type": "string", "minLength": 2, "maxLength": 3], good: [#""ab""#, #""abc""#],
      bad: [#""a""#, #""abcd""#]),
    Example(schema: ["type": "integer"], good: ["0", "-5", "123"], bad: ["01", "1.5", "-", ""]),
    Example(schema: ["type": "number"], good: ["0", "-5", "12.25", "1e-3"], bad: ["01", "1.", ".5"]),
    Example(schema: ["type": "boolean"], good: ["true", "false"], bad: ["True", "null"]),
    Example(schema: ["enum": ["a", 1, nil]], good: [#""a""#, "1", "null"], bad: [#""b""#, "2"]),
    Example(schema: ["const": ["x": [1, true]]], good: [#"{"x": [1, true]}"#], bad: [#"{"x":[1,true]}"#]),
    Example(schema: ["type": ["integer", "null"]], good: ["4", "null"], bad: [#""4""#]),
    Example(schema: ["type": "string", "nullable": true], good: ["null", #""x""#], bad: ["1"]),
    Example(
      schema: ["anyOf": [["type": "integer"], ["type": "array", "items": ["type": "boolean"]]]],
      good: ["3", "[]", "[true, false]"], bad: ["[1]", "true"]),
    Example(
      schema: [
        "allOf": [
          ["type": "object", "properties": ["a": ["type": "integer"]], "required": ["a"]],
          ["properties": ["b": ["type": "string"]], "required": ["b"]],
        ]
      ], good: [#"{"a": 1, "b": "x"}"#], bad: [#"{"a": 1}"#, #"{"b": "x"}"#]),
    Example(
      schema: [
        "type": "object", "required": ["b"],
        "properties": ["a": ["type": "integer"], "b": ["type": "integer"], "c": ["type": "integer"]],
      ], good: [#"{"b": 1}"#, #"{"b": 1, "a": 2}"#, #"{"b": 1, "c": 3}"#, #"{"b": 1, "a": 2, "c": 3}"#],
      bad: ["{}", #"{"a": 1}"#, #"{"b": 1, "d": 2}"#, #"{"b": 1, "c": 3, "a": 2}"#]),
    Example(
      schema: ["type": "object", "properties": ["a": ["type": "integer"], "b": ["type": "integer"], "c": true]],
      good: [
        "{}", #"{"a": 1}"#, #"{"b": 1}"#, #"{"a": 1, "b": 2}"#, #"{"c": [1, {"x": null}]}"#, #"{"b": 2, "c": 1}"#,
      ],
      bad: [#"{, "b": 1}"#, #"{"b": 1, "a": 1}"#]),
    Example(
      schema: [
        "type": "object", "properties": ["name": ["type": "string"]],
        "additionalProperties": ["type": "integer"],
      ], good: ["{}", #"{"name": "x", "other": 1}"#, #"{"names": 1}"#, #"{"nam": 1}"#, #"{"x": 1, "y": 2}"#],
      bad: [#"{"name": 1}"#, #"{"x": "y"}"#]),
    Example(schema: ["type": "object"], good: ["{}", #"{"a": 1, "b": {"c": []}}"#], bad: ["[]"]),
    Example(
      schema: ["type": "array", "items": ["type": "integer"], "minItems": 2, "maxItems": 3],
      good: ["[1, 2]", "[1, 2, 3]"], bad: ["[1]", "[1, 2, 3, 4]", "[]"]),
    Example(
      schema: ["type": "array", "prefixItems": [["type": "integer"], ["type": "string"]], "items": false],
      good: ["[]", "[1]", #"[1, "a"]"#], bad: [#"["a"]"#, #"[1, "a", 2]"#]),
    Example(
      schema: ["type": "array", "prefixItems": [["type": "integer"]], "items": ["type": "boolean"], "minItems": 2],
      good: ["[1, true]", "[1, true, false]"], bad: ["[1]", "[]", "[1, 2]"]),
    Example(
      schema: [
        "$ref": "#/$defs/node",
        "$defs": [
          "node": [
            "type": "object", "required": ["v"],
            "properties": [
              "v": ["type": "integer"], "next": ["anyOf": [["$ref": "#/$defs/node"], ["type": "null"]]],
            ],
          ]
        ],
      ], good: [#"{"v": 1}"#, #"{"v": 1, "next": {"v": 2, "next": null}}"#], bad: [#"{"next": {"v": 1}}"#]),
    Example(
      schema: ["type": "string", "format": "date"], good: [#""2026-11-30""#], bad: [#""2026-13-30""#, #""today""#]),
    Example(
      schema: ["type": "string", "format": "date-time"],
      good: [#""2026-11-30T20:54:03+09:00""#, #""2026-11-30T00:00:00Z""#],
      bad: [#""2026-11-30""#]),
    Example(
      schema: ["type": "string", "format": "uuid"], good: [#""123e4567-e89b-12d3-a456-426614174000""#],
      bad: [#""123e4567""#]),
    Example(schema: ["type": "number", "minimum": 0], good: ["0.5"], bad: ["-0.5"]),
    Example(schema: ["type": "string", "maxLength": 10_000], good: [#""abc""#], bad: ["abc"]),
    Example(
      schema: ["minimum": 1, "type": "integer", "maximum": 10], good: ["1", "9", "10"], bad: ["0", "11", "-1"]),
  ]

  @Test(arguments: examples) func `a grammar takes what its schema allows and nothing else`(_ example: Example)
    async throws
  {
    for text in example.good { #expect(try await Self.takes(example.schema, text), "\(text)") }
    for text in example.bad { #expect(try await !Self.takes(example.schema, text), "\(text)") }
  }

  @Test func `Python literals are capitalised`() async throws {
    let schema: JSONValue = ["type": ["boolean", "null"]]
    for text in ["True", "False", "None"] {
      #expect(try await Self.takes(schema, text, style: .python))
      #expect(try await !Self.takes(schema, text))
    }
  }

  @Test func `a range of integers takes exactly the integers in it`() async throws {
    var random = SplitMix64(state: 7)
    for _ in 0..<12 {
      let low = Int(random.next() % 2400) - 1200
      let high = low + Int(random.next() % 1500)
      let schema: JSONValue = ["type": "integer", "minimum": JSONValue(low), "maximum": JSONValue(high)]
      for value in [low - 1, low, low + 1, (low + high) / 2, high, high + 1, 0, -high, low * 10, high / 10] {
        #expect(
          try await Self.takes(schema, "\(value)") == (low...high).contains(value), "\(value) in \(low)...\(high)")
      }
    }
  }

  static let impossible: [(JSONValue, SchemaGrammarError.Code)] = [
    (["$ref": "#/nowhere"], SchemaGrammarError.Code.unresolved),
    (["$ref": "https://example.com/schema"], .unresolved),
    (["$ref": "#"], .unresolved),
    (["$ref": "#/$defs/a", "$defs": ["a": ["anyOf": [["$ref": "#/$defs/a"], ["type": "null"]]]]], .unresolved),
    (false, .unsatisfiable),
    (["enum": []], .unsatisfiable),
    (["allOf": [["type": "string"], ["type": "integer"]]], .unsatisfiable),
    (["type": "integer", "minimum": 3, "maximum": 2], .unsatisfiable),
    (["type": "string", "minLength": 5, "maxLength": 2], .unsatisfiable),
    (["type": "object", "properties": ["a": false], "required": ["a"]], .unsatisfiable),
    (["type": "string", "minLength": 5000], .tooLarge),
    (["$dynamicRef": "#x"], .unsupported),
    (["type": "text"], .malformed),
    (3, .malformed),
  ]

  @Test(arguments: impossible) func `a schema that cannot be written says why`(
    _ schema: JSONValue, _ code: SchemaGrammarError.Code
  ) {
    let error = #expect(throws: SchemaGrammarError.self) { try SchemaGrammar.text(schema) }
    #expect(error?.code == code)
  }

  @Test func `deep nesting is refused, not a crash`() {
    var schema: JSONValue = ["type": "integer"]
    for _ in 0..<500 { schema = ["type": "array", "items": schema] }
    #expect(throws: SchemaGrammarError.self) { try SchemaGrammar.text(schema) }
  }
}
