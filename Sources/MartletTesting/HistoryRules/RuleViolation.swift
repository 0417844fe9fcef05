/// Why a provider refuses a request, with the answer it gives.
public struct RuleViolation: Sendable, Hashable, CustomStringConvertible {
  /// The rule that was broken.
  public var rule: String
  /// The HTTP status of the answer.
  public var status: Int
  /// The kind of error: Anthropic's and OpenAI's `type`, Google's `status`.
  public var type: String
  /// OpenAI's `code`, where it has one.
  public var code: String?
  /// OpenAI's `param`: the part of the request at fault.
  public var param: String?
  /// What the provider says.
  public var message: String

  /// A violation.
  public init(
    rule: String, status: Int = 400, type: String, code: String? = nil, param: String? = nil, message: String
  ) {
    self.rule = rule
    self.status = status
    self.type = type
    self.code = code
    self.param = param
    self.message = message
  }

  public var description: String { "\(rule): \(status) \(type): \(message)" }
}
