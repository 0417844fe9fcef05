import MartletJSON
import Testing

@Suite struct JSONSchemaViolationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: JSONValue
    let value: JSONValue
    let messages: [String]
    var testDescription: String { messages.first ?? "" }

    init(_ schema: JSONValue, _ value: JSONValue, _ messages: String...) {
      self.schema = schema
      self.value = value
      self.messages = messages
    }

    /// The schema of a member `a`.
    init(member schema: JSONValue, _ value: JSONValue, _ messages: String...) {
      self.schema = ["properties": ["a": schema]]
      self.value = ["a": value]
      self.messages = messages
    }
  }

  static let cases = [
    Case(member: ["maximum": 14], 20, "`a` must be at most 14, got 20"),
    Case(member: ["minimum": 1], 0.5, "`a` must be at least 1, got 0.5"),
    Case(member: ["exclusiveMaximum": 1], 1, "`a` must be less than 1, got 1"),
    Case(member: ["exclusiveMinimum": 1], 1, "`a` must be greater than 1, got 1"),
    Case(member: ["multipleOf": 0.01], 0.015, "`a` must be a multiple of 0.01, got 0.015"),
    Case(member: ["type": "integer"], 3.5, "`a` must be an integer, got a number (3.5)"),
    Case(member: ["type": "integer"], "3", #"`a` must be an integer, got a string ("3")"#),
    Case(member: ["type": ["string", "null"]], [], "`a` must be a string or null, got an array"),
    Case(member: ["enum": ["x", 1, nil]], "y", #"`a` must be one of "x", 1 or null, got "y""#),
    Case(member: ["const": true], nil, "`a` must be true, got null"),
    Case(member: ["minLength": 1], "", "`a` must have at least 1 character, got 0"),
    Case(member: ["maxLength": 2], "äöü", "`a` must have at most 2 characters, got 3"),
    Case(member: ["pattern": "^a+$"], "b", #"`a` must match the pattern ^a+$, got "b""#),
    Case(member: ["minItems": 2], [1], "`a` must have at least 2 items, got 1"),
    Case(member: ["maxItems": 1], [1, 2], "`a` must have at most 1 item, got 2"),
    Case(member: ["uniqueItems": true], [1, 2, 1.0], "`a` must not repeat an item; items 0 and 2 are equal"),
    Case(member: ["prefixItems": [true], "items": false], [1, 2], "`a` must have at most 1 item, got 2"),
    Case(
      member: ["contains": ["type": "string"]], [1],
      "`a` must have at least 1 item of the form given under `contains`, got 0"),
    Case(
      member: ["items": ["type": "string"]], ["x", 2, 3],
      "`a[1]` must be a string, got an integer (2)", "`a[2]` must be a string, got an integer (3)"),
    Case(["required": ["a", "b"]], [:], "`a` is required but missing", "`b` is required but missing"),
    Case(member: ["required": ["b c"]], [:], #"`a["b c"]` is required but missing"#),
    Case(["dependentRequired": ["a": ["b"]]], ["a": 1], "`b` is required because `a` is given"),
    Case(
      ["properties": ["city": true], "additionalProperties": false], ["town": 1],
      "`town` is not a known member; known are `city`"),
    Case(["properties": ["city": true], "unevaluatedProperties": false], ["town": 1], "`town` is not a known member"),
    Case(["propertyNames": ["maxLength": 1]], ["ab": 1], #"the key "ab" must have at most 1 character, got 2"#),
    Case(["minProperties": 1], [:], "the value must have at least 1 member, got 0"),
    Case(["maxProperties": 0], ["a": 1], "the value must have at most 0 members, got 1"),
    Case(member: ["not": ["type": "null"]], nil, #"`a` must not fit {"type":"null"}, got null"#),
    Case(member: false, 1, "`a` is not allowed here"),
    Case(["type": "object"], "x", #"the value must be an object, got a string ("x")"#),
    Case(
      member: ["anyOf": [["type": "string"], ["type": "null"]]], 3, "`a` must be a string or null, got an integer (3)"),
    Case(
      member: ["anyOf": [["type": "string", "maxLength": 1], ["type": "null"]]], "xy",
      "`a` must have at most 1 character, got 2"),
    Case(member: ["oneOf": [["const": "x"], ["const": "y"]]], "z", #"`a` must be one of "x" or "y", got "z""#),
    Case(
      member: ["oneOf": [["type": "integer"], ["minimum": 2]]], 3,
      "`a` must fit exactly one of its 2 forms, but fits the 1st and 2nd"),
    Case(
      member: [
        "oneOf": [
          ["properties": ["kind": ["const": "dog"], "age": ["type": "integer"]], "required": ["kind", "age"]],
          ["properties": ["kind": ["const": "cat"], "lives": ["type": "integer"]], "required": ["kind", "lives"]],
        ]
      ],
      ["kind": "cat", "lives": "nine"],
      #"`a` fits none of its 2 forms; for the 2nd, `a.lives` must be an integer, got a string ("nine")"#),
    Case(["if": ["required": ["a"]], "then": ["required": ["b"]]], ["a": 1], "`b` is required but missing"),
    Case(
      ["properties": ["a": ["$ref": "#/$defs/n"]], "$defs": ["n": ["type": "null"]]], ["a": 1],
      "`a` must be null, got an integer (1)"),
  ]

  @Test(arguments: cases) func `messages tell how to mend the value`(_ sample: Case) throws {
    let schema = try JSONSchema(sample.schema)
    #expect(schema.validate(sample.value).map(\.message) == sample.messages)
    #expect(!schema.isValid(sample.value))
  }

  @Test func `a violation names its places`() throws {
    let schema = try JSONSchema([
      "properties": ["a/b": ["items": ["$ref": "#/$defs/n~0m"]]], "$defs": ["n~m": ["maximum": 1]],
    ])
    let violation = try #require(schema.validate(["a/b": [0, 5]]).first)
    #expect(violation.instancePath == "/a~1b/1")
    #expect(violation.schemaPath == "/$defs/n~0m/maximum")
    #expect(violation.keyword == "maximum")
    #expect(violation.message == #"`["a/b"][1]` must be at most 1, got 5"#)
  }

  @Test func `as many violations are found as are asked for`() throws {
    let schema = try JSONSchema(["items": ["type": "null"]])
    let value = JSONValue.array(Array(repeating: 1, count: 1_000))
    #expect(schema.validate(value).count == 20)
    #expect(schema.validate(value, limit: 3).count == 3)
    #expect(schema.validate(value, limit: 0).count == 1)
  }

  @Test func `huge values and keys are cut short in messages`() throws {
    let schema = try JSONSchema(["additionalProperties": ["enum": ["x"]]])
    let long = String(repeating: "a", count: 1_000_000)
    let violations = schema.validate([
      "\(long)": .string(long), "b": .array(Array(repeating: .string(long), count: 30)),
    ])
    #expect(violations.count == 2)
    #expect(violations.allSatisfy { $0.message.count < 250 })
  }

  @Test func `formats are notes unless asked for`() throws {
    let document: JSONValue = ["properties": ["on": ["type": "string", "format": "date"]]]
    #expect(try JSONSchema(document).isValid(["on": "tomorrow"]))
    let strict = try JSONSchema(document, options: .init(assertsFormats: true))
    #expect(
      strict.validate(["on": "tomorrow"]).map(\.message) == [#"`on` must be a date such as 2026-11-30, got "tomorrow""#]
    )
    #expect(strict.isValid(["on": "2024-02-29"]) && !strict.isValid(["on": "2026-02-29"]))
  }

  @Test func `numbers compare by their exact value`() throws {
    let schema = try JSONSchema(["maximum": 0.3])
    #expect(try schema.isValid(JSONValue(parsing: "0.30000000000000000000")))
    #expect(try !schema.isValid(JSONValue(parsing: "0.30000000000000000001")))
    let big = try JSONSchema(["minimum": JSONValue(parsing: "12345678901234567890123")])
    #expect(try !big.isValid(JSONValue(parsing: "12345678901234567890122")))
    #expect(try big.isValid(JSONValue(parsing: "1.2345678901234567890123e22")))
    #expect(try !JSONSchema(["multipleOf": 0.1]).isValid(JSONValue(parsing: "0.30000000000000004")))
    #expect(try JSONSchema(["multipleOf": 7]).isValid(JSONValue(parsing: "7e300")))
    #expect(try !JSONSchema(["multipleOf": 7]).isValid(JSONValue(parsing: "1e300")))
    #expect(try JSONSchema(["type": "integer"]).isValid(JSONValue(parsing: "1e400")))
  }
}
