/// Rules about calls. Their order has no meaning: a deny rule is stronger than an ask rule, which is stronger than an
/// allow rule, wherever they come from.
public struct PermissionRules: Sendable, Hashable {
  /// Calls that run without asking.
  public var allow: [PermissionRule]
  /// Calls that are asked about, whatever allows them.
  public var ask: [PermissionRule]
  /// Calls that never run.
  public var deny: [PermissionRule]

  /// Rules; none by default.
  public init(allow: [PermissionRule] = [], ask: [PermissionRule] = [], deny: [PermissionRule] = []) {
    self.allow = allow
    self.ask = ask
    self.deny = deny
  }

  /// Whether there are none.
  public var isEmpty: Bool { allow.isEmpty && ask.isEmpty && deny.isEmpty }

  /// Adds the rules of another layer; those that are there already are not added again.
  public mutating func add(_ other: Self) {
    for rule in other.allow { add(rule, .allow) }
    for rule in other.ask where !ask.contains(rule) { ask.append(rule) }
    for rule in other.deny { add(rule, .deny) }
  }

  /// Adds a rule, unless it is there.
  public mutating func add(_ rule: PermissionRule, _ verdict: ApprovalVerdict) {
    switch verdict {
    case .allow: if !allow.contains(rule) { allow.append(rule) }
    case .deny: if !deny.contains(rule) { deny.append(rule) }
    }
  }
}
