import MartletJSON
import MartletTesting
import Testing

@Suite struct OllamaRulesTests {
  typealias Case = RuleCase<OllamaRequest>

  private static let hello: JSONValue = ["role": "user", "content": "Hello"]

  private static func body(_ messages: [JSONValue], _ members: JSONObject = [:]) -> JSONValue {
    JSONValue.object(["model": "qwen3", "messages": .array(messages)]).with(members)
  }

  private static func request(_ messages: [JSONValue], _ members: JSONObject = [:]) -> OllamaRequest {
    OllamaRequest(body(messages, members))
  }

  private static func calling(_ arguments: JSONValue) -> JSONValue {
    ["role": "assistant", "tool_calls": [["function": ["name": "now", "arguments": arguments]]]]
  }

  private static let tools: JSONObject = ["tools": [["type": "function", "function": ["name": "now"]]]]

  static let cases: [Case] = [
    Case("model", refused: request([hello], ["model": nil]), accepted: request([hello]), "model is required"),
    Case(
      "content_form", refused: request([["role": "user", "content": [["type": "text"]]]]), accepted: request([hello]),
      "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"),
    Case(
      "call_form", refused: request([hello, calling("{}")]), accepted: request([hello, calling([:])]),
      "json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments"),
    Case(
      "images", refused: request([hello.with(["images": ["data:image/png;base64,iVBO"]])]),
      accepted: request([hello.with(["images": ["iVBORw0KGgo="]])]), "illegal base64 data at input byte 4"),
    Case(
      "think_value", refused: request([hello], ["think": "much"]), accepted: request([hello], ["think": "low"]),
      "invalid think value: \"much\" (must be \"high\", \"medium\", \"low\", true, or false)"),
    Case(
      "model_tools", refused: OllamaRequest(body([hello], tools), acceptsTools: false),
      accepted: request([hello], tools),
      "registry.ollama.ai/library/qwen3 does not support tools"),
    Case(
      "model_thinking", refused: OllamaRequest(body([hello], ["think": true]), acceptsThinking: false),
      accepted: OllamaRequest(body([hello], ["think": false]), acceptsThinking: false),
      "\"qwen3\" does not support thinking"),
  ]

  @Test(arguments: cases)
  func `a request that breaks a rule is refused in the words of the server`(_ sample: Case) throws {
    let violations = OllamaRules.check(sample.refused)
    let violation = try #require(violations.first { $0.rule == sample.rule }, "\(violations)")
    #expect(violation.message.hasPrefix(sample.message), "\(violation.message)")
    #expect(OllamaRules.errorBody(violation) == ["error": .string(violation.message)])
  }

  @Test(arguments: cases)
  func `a request that keeps all rules is accepted`(_ sample: Case) {
    #expect(OllamaRules.check(sample.accepted) == [])
  }

  @Test func `every rule has a case and a source`() {
    #expect(Set(OllamaRules.all.map(\.name)) == Set(Self.cases.map(\.rule)))
    #expect(OllamaRules.all.allSatisfy { !$0.source.isEmpty })
  }
}
