public import MartletJSON

/// An answer to an approval.
public struct ApprovalDecision: Sendable, Hashable {
  /// Whether the call may run.
  public var verdict: ApprovalVerdict
  /// How far it holds: `once`, or `session` for all calls of the tool. Default `once`.
  public var scope: String
  /// The arguments to run with, if they were edited.
  public var arguments: JSONObject?
  /// Why; the model is told when the answer is no.
  public var reason: String?
  /// Who decided.
  public var by: String?

  /// An answer.
  public init(
    _ verdict: ApprovalVerdict, scope: String = "once", arguments: JSONObject? = nil, reason: String? = nil,
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
