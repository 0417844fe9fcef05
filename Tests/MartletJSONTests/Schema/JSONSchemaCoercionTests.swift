import MartletJSON
import Testing

@Suite struct JSONSchemaCoercionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let schema: JSONValue
    let value: JSONValue
    let result: JSONValue
    var testDescription: String { "\(value) by \(schema)" }

    init(_ schema: JSONValue, _ value: JSONValue, _ result: JSONValue) {
      self.schema = schema
      self.value = value
      self.result = result
    }
  }

  static let mended = [
    Case(["type": "integer"], "3", 3), Case(["type": "integer"], " 3 ", 3), Case(["type": "integer"], "3.0", 3),
    Case(["type": "number"], "-1.5e3", -1500), Case(["type": "boolean"], "true", true),
    Case(["type": "boolean"], "False", false), Case(["type": ["integer", "null"]], "null", nil),
    Case(["type": "string"], 3, "3"), Case(["type": "string"], true, "true"),
    Case(["type": ["string", "null"]], 1.50, "1.5"),
    Case(["type": "array", "items": ["type": "integer"]], "[1, \"2\"]", [1, 2]),
    Case(["type": "object", "properties": ["a": ["type": "integer"]]], #"{"a":"1"}"#, ["a": 1]),
    Case(["type": "array", "items": ["type": "string"]], "x", ["x"]),
    Case(["type": "array", "items": ["type": "integer"]], "3", [3]),
    Case(["type": "array", "items": ["type": "object"]], ["a": 1], [["a": 1]]),
    Case(["type": "array"], 5, [5]),
    Case(["type": "object", "properties": ["a": ["type": "string"]]], ["a": nil], [:]),
    Case(
      ["type": "object", "properties": ["a": ["type": "integer"], "b": ["type": "boolean"]]],
      ["a": "1", "b": "true", "c": "2"], ["a": 1, "b": true, "c": "2"]),
    Case(["type": "object", "additionalProperties": ["type": "integer"]], ["x": "1"], ["x": 1]),
    Case(["patternProperties": ["^n": ["type": "integer"]]], ["n1": "1", "m": "1"], ["n1": 1, "m": "1"]),
    Case(["enum": ["celsius", "kelvin"]], "Celsius", "celsius"), Case(["enum": [1, 2]], "2", 2),
    Case(["enum": ["1", "2"]], 2, "2"), Case(["const": "Yes"], "YES", "Yes"),
    Case(["type": "string", "enum": ["on", "off"]], "ON", "on"),
    Case(["prefixItems": [["type": "integer"], ["type": "string"]]], ["1", 2], [1, "2"]),
    Case(["$ref": "#/$defs/n", "$defs": ["n": ["type": "integer"]]], "3", 3),
    Case(["allOf": [["type": "object"], ["properties": ["a": ["type": "integer"]]]]], ["a": "3"], ["a": 3]),
    Case(["anyOf": [["type": "boolean"], ["type": "integer"]]], "3", 3),
    Case(["anyOf": [["type": "array", "items": ["type": "integer"]], ["type": "integer"]]], "3", 3),
    Case(["anyOf": [["type": "integer"], ["type": "null"]]], "null", nil),
    Case(
      [
        "oneOf": [
          ["properties": ["kind": ["const": "a"], "n": ["type": "integer"]], "required": ["n"]],
          ["properties": ["kind": ["const": "b"], "m": ["type": "integer"]], "required": ["m"]],
        ]
      ], ["kind": "B", "m": "3"], ["kind": "b", "m": 3]),
    Case(["type": "integer", "maximum": 2], "3", 3),
  ]

  @Test(arguments: mended) func `a value of the wrong type becomes what was meant`(_ sample: Case) throws {
    let schema = try JSONSchema(sample.schema)
    let result = schema.coerce(sample.value)
    #expect(result == sample.result)
    #expect(schema.coerce(result) == result)
  }

  static let untouched = [
    Case(["type": "integer"], "1,000", "1,000"), Case(["type": "integer"], "3.5", "3.5"),
    Case(["type": "integer"], 3.5, 3.5), Case(["type": "integer"], "", ""), Case(["type": "integer"], "007", "007"),
    Case(["type": "integer"], true, true), Case(["type": "integer"], "NaN", "NaN"), Case(["type": "boolean"], 1, 1),
    Case(["type": "boolean"], "yes", "yes"), Case(["type": "string"], nil, nil), Case(["type": "string"], [1], [1]),
    Case(["type": "string"], ["a": 1], ["a": 1]), Case(["type": "object"], "[1]", "[1]"),
    Case(["type": "object"], #"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#), Case(["type": "array"], nil, nil),
    Case(["type": "array", "items": ["type": "integer"]], "x", "x"),
    Case(["type": "array", "minItems": 2], 1, 1), Case(["enum": ["a", "A"]], "á", "á"),
    Case(["enum": ["ab", "AB"]], "Ab", "Ab"), Case(["type": ["string", "integer"]], "3", "3"),
    Case(["type": "object", "properties": ["a": ["type": "string"]], "required": ["a"]], ["a": nil], ["a": nil]),
    Case(["allOf": [["properties": ["a": ["type": "string"]]], ["required": ["a"]]]], ["a": nil], ["a": nil]),
    Case(["type": "object", "properties": ["a": ["type": ["string", "null"]]]], ["a": nil], ["a": nil]),
    Case(["type": "object", "additionalProperties": ["type": "string"]], ["a": nil], ["a": nil]),
    Case([:], "3", "3"), Case(false, "3", "3"),
  ]

  @Test(arguments: untouched) func `what cannot be mended without loss stays`(_ sample: Case) throws {
    let result = try JSONSchema(sample.schema).coerce(sample.value)
    #expect(result == sample.result)
  }

  @Test func `integers lose a fraction of zero even in valid values`() throws {
    let schema = try JSONSchema([
      "properties": ["a": ["type": "integer"], "b": ["type": "number"], "c": ["anyOf": [["type": "integer"]]]]
    ])
    #expect(schema.coerce(try JSONValue(parsing: #"{"a":3.0,"b":3.0,"c":3e0}"#)).text() == #"{"a":3,"b":3.0,"c":3}"#)
  }

  @Test func `numbers keep their digits when they become text and back`() throws {
    let number = try JSONValue(parsing: "0.1000000000000000000001")
    let text = try JSONSchema(["type": "string"]).coerce(number)
    #expect(text == "0.1000000000000000000001")
    #expect(try JSONSchema(["type": "number"]).coerce(text) == number)
  }

  @Test(arguments: Array(1...6) as [UInt64])
  func `mending is idempotent and leaves valid values alone`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var validCount = 0
    for _ in 0..<200 {
      let document = RandomSchema.schema(depth: 3, &random)
      let schema = try JSONSchema(document)
      for _ in 0..<10 {
        let value = RandomSchema.value(depth: 3, &random)
        let result = schema.coerce(value)
        let again = schema.coerce(result)
        #expect(again == result, "seed \(seed): \(value) by \(document)")
        if schema.isValid(value) {
          validCount += 1
          #expect(result == value, "seed \(seed): \(value) by \(document)")
        }
        #expect(schema.isValid(value) == schema.validate(value).isEmpty, "seed \(seed): \(value) by \(document)")
      }
    }
    #expect(validCount > 150)
  }

  @Test func `tolerant reading takes a number from a number or a numeric text`() {
    #expect(
      [3, 3.0, "3", " 3 ", "3.0", 3.5, "x", nil, true, "1,000"].map { ($0 as JSONValue).asInt }
        == [3, 3, 3, 3, 3, nil, nil, nil, nil, nil])
    #expect([3, "1.5", "x", nil].map { ($0 as JSONValue).asDouble } == [3, 1.5, nil, nil])
    #expect([true, "false", "True", 1, nil].map { ($0 as JSONValue).asBool } == [true, false, true, nil, nil])
    #expect(["x", 3, true, nil, [1]].map { ($0 as JSONValue).asString } == ["x", "3", "true", nil, nil])
  }
}
