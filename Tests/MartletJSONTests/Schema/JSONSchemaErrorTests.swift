import MartletJSON
import Testing

@Suite struct JSONSchemaErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let document: JSONValue
    let code: JSONSchemaError.Code
    let description: String
    var testDescription: String { description }

    init(_ document: JSONValue, _ code: JSONSchemaError.Code, _ description: String) {
      self.document = document
      self.code = code
      self.description = description
    }
  }

  static let cases = [
    Case(3, .invalidKeyword, "a schema must be an object, true or false, not an integer"),
    Case(
      ["type": "strng"], .invalidKeyword,
      "/type: `type` must be string, integer, number, boolean, array, object or null, or a list of these"),
    Case(["enum": "x"], .invalidKeyword, "/enum: `enum` must be an array"),
    Case(["minLength": -1], .invalidKeyword, "/minLength: `minLength` must be an integer of at least 0"),
    Case(["maxItems": 1.5], .invalidKeyword, "/maxItems: `maxItems` must be an integer of at least 0"),
    Case(["minimum": "1"], .invalidKeyword, "/minimum: `minimum` must be a number"),
    Case(["multipleOf": 0], .invalidKeyword, "/multipleOf: `multipleOf` must be greater than 0"),
    Case(["required": ["a", 1]], .invalidKeyword, "/required: `required` must be a list of strings"),
    Case(
      ["items": [true]], .invalidKeyword, "/items: `items` must be one schema; for a list of schemas use `prefixItems`"),
    Case(["anyOf": []], .invalidKeyword, "/anyOf: `anyOf` must be a list of at least one schema"),
    Case(["properties": []], .invalidKeyword, "/properties: `properties` must be an object"),
    Case(
      ["properties": ["a": ["not": 1]]], .invalidKeyword,
      "/properties/a/not: a schema must be an object, true or false, not an integer"),
    Case(["uniqueItems": 1], .invalidKeyword, "/uniqueItems: `uniqueItems` must be true or false"),
    Case(["$id": 1], .invalidKeyword, "/$id: `$id` must be a string"),
    Case(["$id": "a#b"], .invalidKeyword, "/$id: `$id` must not have a fragment; use `$anchor`"),
    Case(
      ["pattern": #"(a)\1"#], .invalidPattern,
      #"/pattern: the pattern (a)\1 cannot be used: backreferences are not supported (at character 4)"#),
    Case(
      ["$ref": "#/$defs/x"], .unresolvedReference, "the reference #/$defs/x leads to nothing in the schema"),
    Case(["$ref": "#x"], .unresolvedReference, "the reference #x names an anchor that is not there"),
    Case(["$ref": "#/%zz"], .unresolvedReference, "the reference #/%zz has a broken percent escape"),
    Case(
      ["properties": ["a": ["$ref": "https://example.com/x"]]], .unresolvedReference,
      "/properties/a: the reference https://example.com/x leads to a document that is not given; nothing is fetched"),
    Case(
      ["$ref": "#"], .referenceLoop,
      "following its references leads back to it without going into the value"),
    Case(
      ["$ref": "#/$defs/a", "$defs": ["a": ["allOf": [["$ref": "#/$defs/b"]]], "b": ["not": ["$ref": "#/$defs/a"]]]],
      .referenceLoop, "/$defs/a: following its references leads back to it without going into the value"),
  ]

  @Test(arguments: cases) func `an impossible schema says what is wrong and where`(_ sample: Case) {
    #expect {
      try JSONSchema(sample.document)
    } throws: {
      guard let error = $0 as? JSONSchemaError else { return false }
      return error.code == sample.code && "\(error)" == sample.description
    }
  }

  @Test func `a pattern that cannot be used may be passed over`() throws {
    let document: JSONValue = [
      "properties": ["a": ["pattern": #"(a)\1"#]], "patternProperties": [#"(b)\1"#: false],
      "additionalProperties": false,
    ]
    let schema = try JSONSchema(document, options: .init(ignoresUnusablePatterns: true))
    #expect(schema.isValid(["a": "zzz", "bb": 1]))
  }

  @Test func `deep schemas are refused and deep values are reported, without exhausting the stack`() throws {
    var document: JSONValue = true
    for _ in 0..<400 { document = ["items": document] }
    #expect { try JSONSchema(document) } throws: { ($0 as? JSONSchemaError)?.code == .tooLarge }
    var value: JSONValue = 1
    for _ in 0..<1_500 { value = [value] }
    let schema = try JSONSchema(["items": ["$ref": "#"]])
    #expect(schema.validate(value).map(\.message) == ["the value is nested too deeply to be checked"])
    #expect(schema.coerce(value) == value)
    var shallow: JSONValue = 1
    for _ in 0..<90 { shallow = [shallow] }
    #expect(schema.isValid(shallow))
  }

  @Test func `nothing blows up when references multiply`() throws {
    // Each level refers twice to the next: 2^60 ways to the last, and as many down a value 60 deep.
    var definitions = JSONObject()
    for level in 0..<60 {
      let next: JSONValue = ["$ref": "#/$defs/\(level + 1)"]
      definitions["\(level)"] = ["allOf": [next, next]]
    }
    definitions["60"] = ["type": "integer"]
    let wide = try JSONSchema(["$ref": "#/$defs/0", "$defs": .object(definitions)])
    #expect(wide.isValid(1))
    #expect(wide.validate("x").map(\.message) == [#"the value must be an integer, got a string ("x")"#])

    let twice: JSONValue = ["properties": ["x": ["$ref": "#"]]]
    for keyword in ["allOf", "anyOf", "oneOf"] {
      let deep = try JSONSchema([keyword: [twice, keyword == "oneOf" ? false : twice], "required": ["y"]])
      var value: JSONValue = ["y": 1]
      for _ in 0..<60 { value = ["x": value, "y": 1] }
      #expect(deep.isValid(value))
      #expect(deep.coerce(value) == value)
      var broken: JSONValue = [:]
      for _ in 0..<60 { broken = ["x": broken, "y": 1] }
      #expect(!deep.validate(broken).isEmpty)
      #expect(deep.coerce(broken) == broken)
    }
  }

  @Test func `resources are found by their URI and nothing else is`() throws {
    let document: JSONValue = ["$id": "https://example.com/root", "items": ["$ref": "part#/$defs/n"]]
    let part: JSONValue = ["$defs": ["n": ["type": "null"]]]
    let schema = try JSONSchema(document, resources: ["https://example.com/part": part])
    #expect(schema.validate([1]).first?.schemaPath == "https://example.com/part#/$defs/n/type")
    #expect(throws: JSONSchemaError.self) { try JSONSchema(document) }
  }

  @Test func `schemas can be checked against the metaschema`() throws {
    let metaschema = try JSONSchema(["$ref": "https://json-schema.org/draft/2020-12/schema"])
    #expect(metaschema.isValid(["type": "object", "properties": ["a": ["minLength": 1]]]))
    #expect(
      metaschema.validate(["properties": ["a": ["minLength": "1"]]]).first?.instancePath == "/properties/a/minLength")
    #expect(metaschema.isValid(metaschema.document))
  }

  @Test func `schemas of draft 7 are read by its rules`() throws {
    let schema = try JSONSchema([
      "$schema": "http://json-schema.org/draft-07/schema#", "definitions": ["n": ["type": "null"]],
      "items": [["$ref": "#/definitions/n", "maxLength": 1], true], "additionalItems": false,
    ])
    #expect(schema.isValid([nil, 1]))
    #expect(schema.validate([nil, 1, 2]).map(\.schemaPath) == ["/additionalItems"])
  }
}
