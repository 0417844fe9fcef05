import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

@Suite struct OpenAISchemaTests {
  static let closed: JSONValue = [
    "type": "object",
    "properties": [
      "name": ["type": "string"], "tags": ["type": "array", "items": ["type": "object", "properties": [:]]],
      "next": ["$ref": "#/$defs/n"],
    ],
    "required": ["name", "tags", "next"], "$defs": ["n": ["anyOf": [["type": "null"], ["type": "integer"]]]],
  ]

  /// What OpenAI's own check says of a tool with this schema.
  func faults(_ parameters: JSONValue, isStrict: Bool) -> [RuleViolation] {
    let request: JSONValue = [
      "model": "gpt-4o", "messages": [["role": "user", "content": "Hi"]],
      "tools": [
        ["type": "function", "function": ["name": "t", "strict": .bool(isStrict), "parameters": parameters]]
      ],
    ]
    return OpenAIChatRules.check(request: request)
  }

  @Test func `a schema that says all it needs becomes strict`() throws {
    let strict = try #require(OpenAISchema.strict(Self.closed))
    #expect(faults(strict, isStrict: true) == [])
    #expect(strict["additionalProperties"] == false)
    #expect(strict["properties"]?["tags"]?["items"]?["additionalProperties"] == false)
  }

  @Test(
    arguments: [
      ["type": "object", "properties": ["a": ["type": "string"]]],
      ["type": "object", "additionalProperties": true], ["anyOf": [["type": "object"]]], true,
      ["type": "object", "properties": ["a": ["allOf": [["type": "string"]]]], "required": ["a"]],
      ["type": "object", "properties": ["a": [:]], "required": ["a"]],
      ["type": "object", "properties": ["a": ["$ref": "#/x", "description": "d"]], "required": ["a"]],
    ] as [JSONValue]) func `what strict schemas cannot say stays as it is`(schema: JSONValue)
  {
    #expect(OpenAISchema.strict(schema) == nil)
  }

  @Test(
    arguments: [
      true, [:], ["type": ["object", "null"]], ["anyOf": [["type": "object"]]],
      ["type": "object", "properties": ["a": ["type": "array"], "b": ["anyOf": [["type": ["array", "null"]]]]]],
    ] as [JSONValue]) func `any schema becomes parameters that are accepted`(schema: JSONValue)
  {
    #expect(faults(OpenAISchema.parameters(schema), isStrict: false) == [])
  }

  @Test func `a schema within another one too deep is not strict`() {
    var schema: JSONValue = ["type": "string"]
    for _ in 0..<12 { schema = ["type": "object", "properties": ["a": schema], "required": ["a"]] }
    #expect(OpenAISchema.strict(schema) == nil)
  }
}
