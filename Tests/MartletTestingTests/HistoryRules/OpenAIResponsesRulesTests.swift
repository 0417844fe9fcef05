import MartletJSON
import MartletTesting
import Testing

@Suite struct OpenAIResponsesRulesTests {
  typealias Case = RuleCase<OpenAIResponsesRequest>

  private static let hello: JSONValue = ["role": "user", "content": "Hello"]
  private static let call: JSONValue = [
    "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "now", "arguments": "{}",
  ]
  private static let output: JSONValue = ["type": "function_call_output", "call_id": "call_1", "output": "noon"]
  private static let thought: JSONValue = [
    "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "abc",
  ]
  private static let now: JSONValue = [
    "type": "function", "name": "now", "strict": false, "parameters": ["type": "object", "properties": [:]],
  ]

  private static func request(_ items: [JSONValue], _ members: JSONObject = [:]) -> OpenAIResponsesRequest {
    OpenAIResponsesRequest(JSONValue.object(["model": "gpt-5", "input": .array(items)]).with(members))
  }

  static let cases: [Case] = [
    Case(
      "required_input", refused: request([], ["input": nil]), accepted: request([], ["input": "Hello"]),
      "Missing required parameter: 'input'."),
    Case(
      "one_thread", refused: request([hello], ["previous_response_id": "resp_1", "conversation": "conv_1"]),
      accepted: request([hello], ["previous_response_id": "resp_1"]), "'previous_response_id' and 'conversation'"),
    Case(
      "message_roles", refused: request([["role": "tool", "content": "x"]]), accepted: request([hello]),
      "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'."),
    Case(
      "content_parts",
      refused: request([["role": "assistant", "content": [["type": "input_text", "text": "x"]]], hello]),
      accepted: request([["role": "assistant", "content": [["type": "output_text", "text": "x"]]], hello]),
      "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'."),
    Case(
      "item_ids", refused: request([hello, call.with(["id": "call_1"]), output]),
      accepted: request([hello, call.with(["id": nil]), output]),
      "Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'."),
    Case(
      "unique_items",
      refused: request([hello, call, output, call.with(["call_id": "call_2"]), output.with(["call_id": "call_2"])]),
      accepted: request([hello, call, output]),
      "Duplicate item found with id fc_1. Remove duplicate items from your input and try again."),
    Case(
      "call_form", refused: request([hello, call.with(["arguments": [:]]), output]),
      accepted: request([hello, call, output]),
      "Invalid type for 'input[1].arguments': expected a string, but got an object instead."),
    Case(
      "output_form", refused: request([hello, call, output.with(["output": ["a": 1]])]),
      accepted: request([hello, call, output.with(["output": [["type": "input_text", "text": "noon"]]])]),
      "Invalid type for 'input[2].output': expected one of an array of objects or string, but got an object instead."),
    Case(
      "calls_have_outputs", refused: request([hello, call]), accepted: request([hello, call, output]),
      "No tool output found for function call call_1."),
    Case(
      "outputs_have_calls", refused: request([hello, output]),
      accepted: request([output], ["previous_response_id": "resp_1"]),
      "No tool call found for function call output with call_id call_1."),
    Case(
      "single_outputs", refused: request([hello, call, output, output]), accepted: request([hello, call, output]),
      "Multiple tool outputs found for function call call_1."),
    Case(
      "reasoning_followed", refused: request([hello, thought, hello]),
      accepted: request([hello, thought, call, output]),
      "Item 'rs_1' of type 'reasoning' was provided without its required following item."),
    Case(
      "reasoning_form", refused: request([hello, thought.with(["summary": nil]), call, output]),
      accepted: request([hello, thought, call, output]), "Missing required parameter: 'input[1].summary'."),
    Case(
      "reasoning_kept",
      refused: request([hello, thought.with(["encrypted_content": nil]), call, output], ["store": false]),
      accepted: request([hello, thought, call, output], ["store": false]),
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false."),
    Case(
      "tool_names", refused: request([hello], ["tools": [now.with(["name": ""])]]),
      accepted: request([hello], ["tools": [now]]), "Invalid 'tools[0].name': empty string."),
    Case(
      "tool_schemas", refused: request([hello], ["tools": [now.with(["strict": true])]]),
      accepted: request([hello], ["tools": [now]]),
      "Invalid schema for function 'now': In context=(), 'additionalProperties' is required"),
    Case(
      "output_limit", refused: request([hello], ["max_output_tokens": 15]),
      accepted: request([hello], ["max_output_tokens": 16]),
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 15 instead."),
    Case(
      "sampling", refused: request([hello], ["temperature": 0]),
      accepted: request([hello], ["model": "gpt-4.1", "temperature": 0]),
      "Unsupported parameter: 'temperature' is not supported with this model."),
  ]

  @Test(arguments: cases)
  func `a request that breaks a rule is refused in the words of the API`(_ sample: Case) throws {
    let violations = OpenAIResponsesRules.check(sample.refused)
    let violation = try #require(violations.first { $0.rule == sample.rule }, "\(violations)")
    #expect(violation.message.hasPrefix(sample.message), "\(violation.message)")
    #expect(OpenAIResponsesRules.errorBody(violation)["error"]?["message"]?.stringValue == violation.message)
  }

  @Test(arguments: cases)
  func `a request that keeps all rules is accepted`(_ sample: Case) {
    #expect(OpenAIResponsesRules.check(sample.accepted) == [])
  }

  @Test func `every rule has a case and a source`() {
    #expect(Set(OpenAIResponsesRules.all.map(\.name)) == Set(Self.cases.map(\.rule)))
    #expect(OpenAIResponsesRules.all.allSatisfy { !$0.source.isEmpty })
  }

  @Test func `another text may not stand for what followed the reasoning`() {
    let reply: JSONValue = ["role": "assistant", "content": "42"]
    let original = reply.with(["type": "message", "id": "msg_1"])
    #expect(
      OpenAIResponsesRules.check(Self.request([Self.hello, Self.thought, reply])).map(\.rule) == ["reasoning_followed"])
    #expect(OpenAIResponsesRules.check(Self.request([Self.hello, Self.thought, original])) == [])
  }
}
