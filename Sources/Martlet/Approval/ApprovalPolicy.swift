/// Which calls run without asking, which are asked about, and which never run.
///
/// Deny rules come first, then ask rules, then allow rules, then the mode. Where a rule needs something that cannot be told
/// for sure (what a shell would make of a command line), an allow rule does not hold and a deny or ask rule does.
public struct ApprovalPolicy: Sendable, Hashable {
  /// What happens to calls that no rule decides on. Default `.ask`.
  public var mode: ApprovalMode
  /// The rules of all layers together.
  public var rules: PermissionRules

  /// A policy.
  public init(mode: ApprovalMode = .ask, rules: PermissionRules = PermissionRules()) {
    self.mode = mode
    self.rules = rules
  }

  /// What a policy says of a call.
  public enum Outcome: Sendable, Hashable {
    /// It runs.
    case allow
    /// Somebody has to agree.
    case ask
    /// It does not run; the model is told why.
    case deny(reason: String)
  }

  /// What is to become of a call, given its arguments as they will run.
  public func outcome(of call: ToolCall, _ tool: ToolDefinition) -> Outcome {
    if let reason = denial(of: call, tool) { return .deny(reason: reason) }
    if rules.ask.contains(where: { $0.mayCover(call, tool) }) { return .ask }
    if rules.allow.contains(where: { $0.surelyCovers(call, tool) }) { return .allow }
    switch mode {
    case .all: return .allow
    case .ask: return tool.requiresPermission ? .ask : .allow
    case .reads: return tool.effect == .readOnly ? .allow : .ask
    case .none: return tool.requiresPermission ? .deny(reason: Self.noneReason) : .allow
    }
  }

  /// The answer that rules and mode give to a call that was parked; nil when a person has to. That nobody would be asked
  /// about the call today is no answer: a call that was asked about needs a rule, or a mode that says yes or no.
  func answer(to request: ApprovalRequested, _ tool: ToolDefinition) -> ApprovalDecision? {
    let call = request.call
    func deny(_ reason: String) -> ApprovalDecision { ApprovalDecision(.deny, reason: reason, by: "policy") }
    if let reason = denial(of: call, tool) { return deny(reason) }
    // What may run without asking may still not run twice without asking.
    if request.isAboutLostCall || rules.ask.contains(where: { $0.mayCover(call, tool) }) { return nil }
    let allow = ApprovalDecision(.allow, by: "policy")
    if rules.allow.contains(where: { $0.surelyCovers(call, tool) }) { return allow }
    switch mode {
    case .all: return allow
    case .reads: return tool.effect == .readOnly ? allow : nil
    case .ask: return nil
    case .none: return deny(Self.noneReason)
    }
  }

  /// Why a deny rule forbids the call; nil when none does.
  func denial(of call: ToolCall, _ tool: ToolDefinition) -> String? {
    rules.deny.first { $0.mayCover(call, tool) }.map { "the rule \"deny \($0.text)\" forbids it" }
  }

  private static let noneReason = "it needs permission, and the approval mode \"none\" gives none"
}
