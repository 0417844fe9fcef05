/// Where rules are kept that hold beyond a session.
public protocol PermissionStore: Sendable {
  /// The scopes it can keep rules for: `project`, `user`, or one of them.
  var scopes: Set<ApprovalScope> { get }

  /// Keeps a rule. Durable when it returns; keeping one again changes nothing.
  /// - Throws: when it cannot be kept. The answer then holds for the session, and a `warning` tells the reason.
  func keep(_ rule: PermissionRule, _ verdict: ApprovalVerdict, for scope: ApprovalScope) async throws
}
