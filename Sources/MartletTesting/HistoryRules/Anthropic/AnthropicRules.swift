public import MartletJSON

/// What the Anthropic Messages API asks of a request, with its own answers.
///
/// Sections named in the sources of the rules are those of the vendor's documentation as of November 2026.
public enum AnthropicRules {
  /// Every rule.
  public static let all: [WireRule<AnthropicRequest>] =
    fields + conversation + results + content + tools + thinking + parameters

  /// Everything wrong with a request, in the order of the rules. The service answers with the first.
  public static func check(_ request: AnthropicRequest) -> [RuleViolation] {
    all.flatMap { $0.violations(in: request) }
  }

  /// Everything wrong with the body of a request.
  public static func check(request json: JSONValue, version: String = "2023-06-01") -> [RuleViolation] {
    check(AnthropicRequest(json, version: version))
  }

  /// The body of the answer to a refused request.
  public static func errorBody(_ violation: RuleViolation, requestID: String? = nil) -> JSONValue {
    var body: JSONObject = [
      "type": "error", "error": ["type": .string(violation.type), "message": .string(violation.message)],
    ]
    if let requestID { body["request_id"] = .string(requestID) }
    return .object(body)
  }

  static func invalid(_ rule: String, _ message: String) -> RuleViolation {
    RuleViolation(rule: rule, type: "invalid_request_error", message: message)
  }
}
