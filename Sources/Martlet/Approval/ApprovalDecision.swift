public import MartletJSON

/// An answer to an approval.
public struct ApprovalDecision: Sendable, Hashable {
  /// Whether the call may run.
  public var verdict: ApprovalVerdict
  /// How far it holds. Beyond `once` it holds for the calls that the rule of the request's options covers: all calls of a
  /// tool, or one exact command line. Default `once`.
  public var scope: ApprovalScope
  /// The arguments to run with, if they were edited. They are checked as a model's own are.
  public var arguments: JSONObject?
  /// Why; the model is told when the answer is no.
  public var reason: String?
  /// Who decided.
  public var by: String?

  /// An answer.
  public init(
    _ verdict: ApprovalVerdict, scope: ApprovalScope = .once, arguments: JSONObject? = nil, reason: String? = nil,
    by: String? = nil
  ) {
    self.verdict = verdict
    self.scope = scope
    self.arguments = arguments
    self.reason = reason
    self.by = by
  }

  /// The call may run.
  public static let allow = Self(.allow)
  /// The call must not run.
  public static let deny = Self(.deny)
}
