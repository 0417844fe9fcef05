public import MartletJSON

/// What OpenAI's Chat Completions asks of a request, with its own answers. Servers that speak the same protocol are
/// laxer, or stricter in the order of roles: see `strictOrder`.
public enum OpenAIChatRules {
  /// Every rule of OpenAI's own service.
  public static let all: [WireRule<OpenAIChatRequest>] = conversation + calls + tools + parameters

  /// Everything wrong with a request, in the order of the rules. The service answers with the first.
  public static func check(_ request: OpenAIChatRequest) -> [RuleViolation] {
    all.flatMap { $0.violations(in: request) }
  }

  /// Everything wrong with the body of a request.
  public static func check(request json: JSONValue) -> [RuleViolation] {
    check(OpenAIChatRequest(json))
  }

  /// The body of the answer to a refused request.
  public static func errorBody(_ violation: RuleViolation) -> JSONValue {
    OpenAIErrors.body(violation)
  }
}
