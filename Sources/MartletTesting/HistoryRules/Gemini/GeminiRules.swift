public import MartletJSON

/// What Google's Gemini API asks of a request, with its own answers.
public enum GeminiRules {
  /// Every rule.
  public static let all: [WireRule<GeminiRequest>] = conversation + calls + tools

  /// Everything wrong with a request, in the order of the rules. The service answers with the first.
  public static func check(_ request: GeminiRequest) -> [RuleViolation] {
    all.flatMap { $0.violations(in: request) }
  }

  /// Everything wrong with the body of a request to a model.
  public static func check(request json: JSONValue, model: String) -> [RuleViolation] {
    check(GeminiRequest(json, model: model))
  }

  /// The body of the answer to a refused request.
  public static func errorBody(_ violation: RuleViolation) -> JSONValue {
    [
      "error": [
        "code": .number(JSONNumber(violation.status)), "message": .string(violation.message),
        "status": .string(violation.type),
      ]
    ]
  }

  static func invalid(_ rule: String, _ message: String) -> RuleViolation {
    RuleViolation(rule: rule, type: "INVALID_ARGUMENT", message: message)
  }
}
