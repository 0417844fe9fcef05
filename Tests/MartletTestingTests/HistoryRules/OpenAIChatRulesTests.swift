import MartletJSON
import MartletTesting
import Testing

@Suite struct OpenAIChatRulesTests {
  typealias Case = RuleCase<OpenAIChatRequest>

  private static let hello: JSONValue = ["role": "user", "content": "Hello"]
  private static let call: JSONValue = [
    "id": "call_1", "type": "function", "function": ["name": "now", "arguments": "{}"],
  ]
  private static let answer: JSONValue = ["role": "tool", "tool_call_id": "call_1", "content": "noon"]
  private static let now: JSONValue = [
    "type": "function", "function": ["name": "now", "parameters": ["type": "object", "properties": [:]]],
  ]

  private static func request(_ messages: [JSONValue], _ members: JSONObject = [:]) -> OpenAIChatRequest {
    OpenAIChatRequest(
      JSONValue.object(["model": "gpt-4.1", "messages": .array(messages)]).with(members))
  }

  private static func asking(_ calls: JSONValue...) -> JSONValue {
    ["role": "assistant", "content": nil, "tool_calls": .array(calls)]
  }

  private static func user(_ parts: JSONValue...) -> JSONValue { ["role": "user", "content": .array(parts)] }
  private static let asked: [JSONValue] = [hello, asking(call), answer]
  private static let picture: JSONValue = ["type": "image_url", "image_url": ["url": "https://example.com/a.png"]]

  private static func tool(_ function: JSONObject) -> JSONValue {
    ["type": "function", "function": (now["function"] ?? [:]).with(function)]
  }

  static let cases: [Case] = [
    Case(
      "required_fields", refused: request([]), accepted: request([hello]),
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead."),
    Case(
      "roles", refused: request([["role": "model", "content": "x"]]),
      accepted: request([["role": "developer", "content": "x"]]),
      "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'."
    ),
    Case(
      "content_present", refused: request([hello, ["role": "assistant", "content": nil]]), accepted: request(asked),
      "Invalid value for 'content': expected a string, got null."),
    Case(
      "content_parts", refused: request([user(["type": "input_audio", "input_audio": [:]])]),
      accepted: request(
        [user(["type": "input_audio", "input_audio": [:]])], ["model": "gpt-4o-audio-preview"]),
      "Invalid 'messages[0]'. Content blocks are expected to be either text or image_url type."),
    Case(
      "image_places", refused: request([hello, asking(call), answer.with(["content": [picture]])]),
      accepted: request([user(picture)]),
      "Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL."
    ),
    Case(
      "instruction_roles", refused: request([["role": "system", "content": "x"]], ["model": "o1-mini"]),
      accepted: request([["role": "system", "content": "x"]], ["model": "o3"]),
      "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
    Case(
      "answers_follow", refused: request([hello, asking(call), hello]), accepted: request(asked + [hello]),
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1"
    ),
    Case(
      "answers_have_calls", refused: request([hello, answer]), accepted: request(asked),
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."),
    Case(
      "answer_ids", refused: request(asked + [answer.with(["tool_call_id": "call_2"])]), accepted: request(asked),
      "Invalid parameter: 'tool_call_id' of 'call_2' not found in 'tool_calls' of previous message."),
    Case(
      "single_answers", refused: request(asked + [answer]), accepted: request(asked),
      "Invalid parameter: Duplicate value for 'tool_call_id' of 'call_1' in message[3]"),
    Case(
      "call_form",
      refused: request([hello, asking(call.with(["function": ["name": "now", "arguments": [:]]])), answer]),
      accepted: request([hello, asking(call.with(["function": ["name": "now", "arguments": ""]])), answer]),
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead."),
    Case(
      "call_ids",
      refused: request([
        hello, asking(call.with(["id": .string(String(repeating: "x", count: 41))])),
        answer.with(["tool_call_id": .string(String(repeating: "x", count: 41))]),
      ]),
      accepted: request([
        hello, asking(call.with(["id": .string(String(repeating: "x", count: 40))])),
        answer.with(["tool_call_id": .string(String(repeating: "x", count: 40))]),
      ]),
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead."
    ),
    Case(
      "tool_count", refused: request([hello], ["tools": .array(Array(repeating: now, count: 129))]),
      accepted: request([hello], ["tools": .array(Array(repeating: now, count: 128))]),
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead."
    ),
    Case(
      "tool_names", refused: request([hello], ["tools": [tool(["name": "files.read"])]]),
      accepted: request([hello], ["tools": [tool(["name": "files-read_2"])]]),
      "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
    ),
    Case(
      "tool_schemas", refused: request([hello], ["tools": [tool(["strict": true])]]),
      accepted: request(
        [hello],
        [
          "tools": [
            tool([
              "strict": true,
              "parameters": [
                "type": "object", "properties": ["a": ["type": ["string", "null"]]], "required": ["a"],
                "additionalProperties": false,
              ],
            ])
          ]
        ]),
      "Invalid schema for function 'now': In context=(), 'additionalProperties' is required to be supplied and to be false."
    ),
    Case(
      "tool_choice", refused: request([hello], ["tool_choice": "auto"]),
      accepted: request([hello], ["tool_choice": "auto", "tools": [now]]),
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."),
    Case(
      "token_limit", refused: request([hello], ["model": "gpt-5", "max_tokens": 10]),
      accepted: request([hello], ["model": "gpt-5", "max_completion_tokens": 10]),
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
    Case(
      "sampling", refused: request([hello], ["model": "o3", "temperature": 0]),
      accepted: request([hello], ["model": "gpt-5.6", "temperature": 0, "reasoning_effort": "none"]),
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."),
    Case(
      "json_mode", refused: request([hello], ["response_format": ["type": "json_object"]]),
      accepted: request([["role": "user", "content": "As JSON."]], ["response_format": ["type": "json_object"]]),
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."),
  ]

  private static let short = call.with(["id": "abcDEF123"])
  private static let shortAnswer = answer.with(["tool_call_id": "abcDEF123"])

  static let strictCases: [Case] = [
    Case(
      "role_order", refused: request([hello, asking(short), shortAnswer, hello]),
      accepted: request([hello, asking(short), shortAnswer, ["role": "assistant", "content": "Noon."], hello]),
      "Unexpected role 'user' after role 'tool'"),
    Case(
      "last_role", refused: request([hello, ["role": "assistant", "content": "So"]]),
      accepted: request([hello, ["role": "assistant", "content": "So", "prefix": true]]),
      "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant"),
    Case(
      "answer_count", refused: request([hello, asking(short), hello]),
      accepted: request([hello, asking(short), shortAnswer]), "Not the same number of function calls and responses"),
    Case(
      "short_ids", refused: request(asked), accepted: request([hello, asking(short), shortAnswer]),
      "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9."),
  ]

  @Test(arguments: cases)
  func `a request that breaks a rule is refused in the words of the API`(_ sample: Case) throws {
    let violations = OpenAIChatRules.check(sample.refused)
    let violation = try #require(violations.first { $0.rule == sample.rule }, "\(violations)")
    #expect(violation.message == sample.message)
    #expect(OpenAIChatRules.errorBody(violation)["error"]?["type"] == "invalid_request_error")
  }

  @Test(arguments: strictCases)
  func `a server with a strict order refuses more`(_ sample: Case) throws {
    let violations = OpenAIChatRules.strictOrder.flatMap { $0.violations(in: sample.refused) }
    #expect(violations.first { $0.rule == sample.rule }?.message == sample.message)
    #expect(OpenAIChatRules.strictOrder.flatMap { $0.violations(in: sample.accepted) } == [])
  }

  @Test(arguments: cases)
  func `a request that keeps all rules is accepted`(_ sample: Case) {
    #expect(OpenAIChatRules.check(sample.accepted) == [])
  }

  @Test func `every rule has a case and a source`() {
    #expect(Set(OpenAIChatRules.all.map(\.name)) == Set(Self.cases.map(\.rule)))
    #expect(Set(OpenAIChatRules.strictOrder.map(\.name)) == Set(Self.strictCases.map(\.rule)))
    #expect((OpenAIChatRules.all + OpenAIChatRules.strictOrder).allSatisfy { !$0.source.isEmpty })
  }
}
