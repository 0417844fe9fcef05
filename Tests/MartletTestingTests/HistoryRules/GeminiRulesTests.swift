import MartletJSON
import MartletTesting
import Testing

@Suite struct GeminiRulesTests {
  typealias Case = RuleCase<GeminiRequest>

  private static let hello: JSONValue = ["role": "user", "parts": [["text": "Hello"]]]
  private static let call: JSONValue = ["functionCall": ["name": "now", "args": [:]], "thoughtSignature": "abc"]
  private static let response: JSONValue = ["functionResponse": ["name": "now", "response": ["result": "noon"]]]
  private static let now: JSONValue = ["name": "now", "parameters": ["type": "OBJECT", "properties": [:]]]

  private static func user(_ parts: JSONValue...) -> JSONValue { ["role": "user", "parts": .array(parts)] }
  private static func model(_ parts: JSONValue...) -> JSONValue { ["role": "model", "parts": .array(parts)] }

  private static func request(_ contents: [JSONValue], _ functions: [JSONValue] = [], model: String = "gemini-3-pro")
    -> GeminiRequest
  {
    var body: JSONValue = ["contents": .array(contents)]
    if !functions.isEmpty { body["tools"] = [["functionDeclarations": .array(functions)]] }
    return GeminiRequest(body, model: "models/" + model)
  }

  static let cases: [Case] = [
    Case(
      "some_content", refused: request([]), accepted: request([hello]),
      "* GenerateContentRequest.contents: contents is not specified\n"),
    Case(
      "roles", refused: request([["role": "assistant", "parts": [["text": "x"]]], hello]),
      accepted: request([model(["text": "x"]), hello]), "Please use a valid role: user, model."),
    Case(
      "some_parts", refused: request([hello, model(), hello]), accepted: request([hello, model(["text": ""]), hello]),
      "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.\n"),
    Case(
      "part_data", refused: request([user(["thoughtSignature": "abc"])]),
      accepted: request([user(["text": "", "thoughtSignature": "abc"])]),
      "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field\n"
    ),
    Case(
      "response_count", refused: request([hello, model(call, call), user(response)]),
      accepted: request([hello, model(call), model(call), user(response, response)]),
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
    ),
    Case(
      "response_order", refused: request([hello, model(["text": "No"]), user(response)]),
      accepted: request([hello, model(call), user(response)]),
      "Please ensure that function response turn comes immediately after a function call turn."),
    Case(
      "call_order", refused: request([model(call), user(response)]),
      accepted: request([hello, model(call), user(response), model(call), user(response)]),
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn."),
    Case(
      "response_names", refused: request([hello, model(call), user(["functionResponse": ["response": [:]]])]),
      accepted: request([hello, model(call), user(response)]),
      "* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.\n"),
    Case(
      "call_form",
      refused: request([hello, model(call), user(["functionResponse": ["name": "now", "response": "noon"]])]),
      accepted: request([hello, model(["functionCall": ["name": "now"], "thoughtSignature": "abc"]), user(response)]),
      "Invalid value at 'contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), \"noon\""
    ),
    Case(
      "signatures", refused: request([hello, model(call.with(["thoughtSignature": nil])), user(response)]),
      accepted: request(
        [hello, model(call.with(["thoughtSignature": nil])), user(response)], model: "gemini-2.5-flash"),
      "Function call is missing a thought_signature in functionCall parts."),
    Case(
      "function_names", refused: request([hello], [now.with(["name": "2now"])]),
      accepted: request([hello], [now.with(["name": "files.read:all"])]),
      "* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name."),
    Case(
      "unique_functions", refused: request([hello], [now, now]), accepted: request([hello], [now]),
      "Duplicate function declaration found: now"),
    Case(
      "schema_fields",
      refused: request(
        [hello],
        [
          now.with([
            "parameters": ["type": "OBJECT", "properties": ["a": ["type": "STRING", "const": "x"]]]
          ])
        ]),
      accepted: request(
        [hello],
        [["name": "now", "parametersJsonSchema": ["type": "object", "additionalProperties": false]]]),
      "Invalid JSON payload received. Unknown name \"const\" at 'tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field."
    ),
    Case(
      "enum_values",
      refused: request([hello], [now.with(["parameters": ["type": "OBJECT", "properties": ["a": ["enum": [1]]]]])]),
      accepted: request([hello], [now.with(["parameters": ["type": "OBJECT", "properties": ["a": ["enum": ["1"]]]]])]),
      "Invalid value at 'tools[0].function_declarations[0].parameters.properties[0].value.enum[0]' (TYPE_STRING), 1"),
  ]

  @Test(arguments: cases)
  func `a request that breaks a rule is refused in the words of the API`(_ sample: Case) throws {
    let violations = GeminiRules.check(sample.refused)
    let violation = try #require(violations.first { $0.rule == sample.rule }, "\(violations)")
    #expect(violation.message.hasPrefix(sample.message), "\(violation.message)")
    let error = GeminiRules.errorBody(violation)["error"]
    #expect(error?["code"] == 400)
    #expect(error?["status"] == "INVALID_ARGUMENT")
  }

  @Test(arguments: cases)
  func `a request that keeps all rules is accepted`(_ sample: Case) {
    #expect(GeminiRules.check(sample.accepted) == [])
  }

  @Test func `every rule has a case and a source`() {
    #expect(Set(GeminiRules.all.map(\.name)) == Set(Self.cases.map(\.rule)))
    #expect(GeminiRules.all.allSatisfy { !$0.source.isEmpty })
  }

  @Test func `signatures of turns that are over are not asked for`() {
    let bare = Self.model(Self.call.with(["thoughtSignature": nil]))
    let over = [Self.hello, bare, Self.user(Self.response), Self.model(["text": "Noon."]), Self.hello]
    #expect(GeminiRules.check(Self.request(over)) == [])
  }
}
