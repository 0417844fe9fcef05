import Martlet
import MartletJSON
import MartletSync

/// Answers approvals by the user's policy, and asks the user about the rest.
struct TerminalApprover: Approver {
  let policy: CallPolicy
  let tools: [String: ToolDefinition]
  /// Nil when there is nobody to ask: the run is parked.
  let terminal: Terminal?
  private let allowed = Locked<Set<String>>([])

  init(policy: CallPolicy, tools: [ToolDefinition], terminal: Terminal?) {
    self.policy = policy
    self.tools = Dictionary(tools.map { ($0.name, $0) }) { first, _ in first }
    self.terminal = terminal
  }

  func decide(_ request: ApprovalRequested) async throws -> ApprovalDecision {
    let name = request.call.name
    if let tool = tools[name] {
      switch policy.decision(on: tool) {
      // What may run without asking may still not run twice without asking.
      case .allow where request.isAboutLostCall: break
      case .allow: return ApprovalDecision(.allow, by: "policy")
      case .deny(let reason): return ApprovalDecision(.deny, reason: reason, by: "policy")
      case .ask: break
      }
    }
    if request.isAboutLostCall { return try await decideAboutLostCall(request) }
    if allowed.withLock({ $0.contains(name) }) { return ApprovalDecision(.allow, scope: "session", by: "user") }
    guard let terminal else { throw ApprovalDeferred() }
    let answer = try await terminal.choose(Self.question(request.call), ["y", "n", "a"])
    switch answer {
    case "y": return ApprovalDecision(.allow, by: "user")
    case "a":
      allowed.withLock { _ = $0.insert(name) }
      return ApprovalDecision(.allow, scope: "session", by: "user")
    case "n": return ApprovalDecision(.deny, reason: "the user said no", by: "user")
    default: throw ApprovalDeferred()
    }
  }

  private func decideAboutLostCall(_ request: ApprovalRequested) async throws -> ApprovalDecision {
    guard let terminal else { throw ApprovalDeferred() }
    let question =
      Self.description(request.call, "was running when the program ended; it may or may not have taken effect:")
      + "\nRun it again? [y]es, [n]o (its outcome stays unknown): "
    switch try await terminal.choose(question, ["y", "n"]) {
    case "y": return ApprovalDecision(.allow, by: "user")
    case "n": return ApprovalDecision(.deny, by: "user")
    default: throw ApprovalDeferred()
    }
  }

  /// Everything the call would do, in full: what is cut off cannot be judged.
  static func question(_ call: ToolCall) -> String {
    description(call, "asks for permission:") + "\nAllow it? [y]es, [n]o, [a]lways in this session: "
  }

  private static func description(_ call: ToolCall, _ what: String) -> String {
    var lines = ["\(ControlFilter.line(call.name)) \(what)"]
    switch call.arguments {
    case .object(let arguments):
      for (key, value) in arguments {
        var filter = ControlFilter()
        let text = filter.filter(value.stringValue ?? value.text())
        let shown = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n    ")
        lines.append("  \(ControlFilter.line(key)): \(shown)")
      }
    case .unparsed(let text, _): lines.append("  \(ControlFilter.line(text))")
    }
    return lines.joined(separator: "\n")
  }
}
