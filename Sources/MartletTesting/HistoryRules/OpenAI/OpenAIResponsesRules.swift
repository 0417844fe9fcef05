public import MartletJSON

/// What OpenAI's Responses API asks of a request, with its own answers.
public enum OpenAIResponsesRules {
  /// Every rule.
  public static let all: [WireRule<OpenAIResponsesRequest>] = conversation + calls + reasoning + tools + parameters

  /// Everything wrong with a request, in the order of the rules. The service answers with the first.
  public static func check(_ request: OpenAIResponsesRequest) -> [RuleViolation] {
    all.flatMap { $0.violations(in: request) }
  }

  /// Everything wrong with the body of a request.
  public static func check(request json: JSONValue) -> [RuleViolation] {
    check(OpenAIResponsesRequest(json))
  }

  /// The body of the answer to a refused request.
  public static func errorBody(_ violation: RuleViolation) -> JSONValue {
    OpenAIErrors.body(violation)
  }
}
