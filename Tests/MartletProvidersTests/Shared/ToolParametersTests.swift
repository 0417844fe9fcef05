import Martlet
import MartletHTTP
import MartletJSON
import MartletTesting
import Testing

@testable import MartletProviders

/// One tool with a schema that a service refuses makes it refuse every request.
@Suite struct ToolParametersTests {
  /// What servers of tools really send.
  static let roots: [JSONValue] = [
    true, [:], ["type": "object"], ["type": ["object", "null"]], ["type": "object", "properties": .null],
    [
      "type": "object", "properties": ["a": ["type": "string"], "b": ["type": "string"]],
      "anyOf": [["required": ["a"]], ["required": ["b"]]],
    ],
    [
      "oneOf": [
        [
          "type": "object", "properties": ["kind": ["const": "x"], "x": ["type": "integer"]],
          "required": ["kind", "x"],
        ],
        [
          "type": "object", "properties": ["kind": ["const": "y"], "y": ["type": "integer"]],
          "required": ["kind", "y"],
        ],
      ]
    ],
    [
      "allOf": [["$ref": "#/$defs/base"], ["properties": ["c": ["type": "string"]], "required": ["c"]]],
      "$defs": ["base": ["type": "object", "properties": ["a": ["type": "string"]], "required": ["a"]]],
    ],
    ["$ref": "#/$defs/self", "$defs": ["self": ["$ref": "#/$defs/self"]]],
    ["type": "object", "not": ["required": ["a"]], "if": true, "then": false, "enum": [1]],
  ]

  @Test func `what alternatives at the root name is in the root, and needed if all of them need it`() {
    let choice = ToolParameters.object(Self.roots[6])
    #expect(choice["required"] == ["kind"])
    #expect(choice["properties"]?.objectValue?.keys.sorted() == ["kind", "x", "y"])
    let all = ToolParameters.object(Self.roots[7])
    #expect(all["required"] == ["a", "c"])
    #expect(all["properties"]?.objectValue?.keys.sorted() == ["a", "c"])
    let either = ToolParameters.object(Self.roots[5])
    #expect(either["required"] == nil)
    #expect(either["anyOf"] == nil)
  }

  @Test func `a root without alternatives stays as it is`() {
    let schema: JSONValue = [
      "type": "object", "properties": ["a": ["anyOf": [["type": "null"], ["type": "string"]]]], "required": ["a"],
      "additionalProperties": false, "title": "T",
    ]
    #expect(JSONValue.object(ToolParameters.object(schema)).text() == schema.text())
  }

  @Test(arguments: roots) func `every client sends tools that its service accepts`(schema: JSONValue) throws {
    let request = ModelRequest(
      tools: [ToolDefinition(name: "find", description: "Finds.", parameters: schema)], messages: [.user("Hi")])
    let transport = ReplayTransport([])
    for strict in [false, true] {
      let anthropic = Anthropic(
        key: nil, configuration: .init(usesStrictTools: strict), transport: transport
      ).httpRequest(for: request)
      #expect(AnthropicRules.check(AnthropicRequest(try anthropic.json)) == [])
      let responses = OpenAIResponses(
        "gpt-5.5", key: nil, configuration: .init(usesStrictTools: strict), transport: transport
      ).httpRequest(for: request)
      #expect(OpenAIResponsesRules.check(request: try responses.json) == [])
      let chat = OpenAIChat("gpt-4o", key: nil, configuration: .init(usesStrictTools: strict), transport: transport)
        .httpRequest(for: request)
      #expect(OpenAIChatRules.check(request: try chat.json) == [])
    }
    for form in [Gemini.SchemaForm.jsonSchema, .openAPI] {
      let gemini = Gemini("gemini-3-flash", key: nil, configuration: .init(schemaForm: form), transport: transport)
        .httpRequest(for: request)
      #expect(GeminiRules.check(request: try gemini.json, model: "gemini-3-flash") == [])
    }
    #expect(OllamaRules.check(request: try Ollama("qwen3", transport: transport).httpRequest(for: request).json) == [])
  }
}
