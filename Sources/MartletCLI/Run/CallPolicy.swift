import Martlet

/// Which calls run without asking, which are asked about, and which never run: deny rules before allow rules before the
/// mode.
struct CallPolicy: Sendable {
  let mode: ApprovalMode
  let allow: [ToolRule]
  let deny: [ToolRule]

  enum Decision: Sendable, Hashable {
    case allow, ask
    case deny(reason: String)
  }

  func decision(on tool: ToolDefinition) -> Decision {
    if let rule = deny.first(where: { $0.matches(tool.name) }) {
      return .deny(reason: "the rule \"deny \(rule.pattern)\" forbids it")
    }
    if allow.contains(where: { $0.matches(tool.name) }) { return .allow }
    switch mode {
    case .all: return .allow
    case .ask: return tool.requiresPermission ? .ask : .allow
    case .reads: return tool.effect == .readOnly ? .allow : .ask
    case .none:
      return tool.requiresPermission
        ? .deny(reason: "it needs permission, and \"--approve none\" gives none") : .allow
    }
  }
}
