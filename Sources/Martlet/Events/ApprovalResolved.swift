public import MartletJSON

/// Somebody decided on a call.
public struct ApprovalResolved: EventPayload {
  static let type = "approval_resolved"
  /// The question's id.
  public var approvalId: String
  /// Allowed or denied.
  public var decision: ApprovalVerdict
  /// How far it holds: `once`, `session`, `project`, `user`.
  public var scope: String?
  /// Who decided.
  public var by: String?
  /// The arguments to run with, if they were edited.
  public var arguments: JSONValue?
  /// Why.
  public var reason: String?

  /// The fields of the event.
  public init(
    approvalId: String, decision: ApprovalVerdict, scope: String? = nil, by: String? = nil,
    arguments: JSONValue? = nil, reason: String? = nil
  ) {
    self.approvalId = approvalId
    self.decision = decision
    self.scope = scope
    self.by = by
    self.arguments = arguments
    self.reason = reason
  }

  init(_ fields: JSONFields) throws {
    self.init(
      approvalId: try fields.string("approval_id"),
      decision: try fields.value("decision"),
      scope: try fields.stringIfPresent("scope"),
      by: try fields.stringIfPresent("by"),
      arguments: fields["arguments"],
      reason: try fields.stringIfPresent("reason"))
  }

  func write(into object: inout JSONObject) {
    object["approval_id"] = .string(approvalId)
    object["decision"] = decision.json
    object.set("scope", scope.map { .string($0) })
    object.set("by", by.map { .string($0) })
    object.set("arguments", arguments)
    object.set("reason", reason.map { .string($0) })
  }

  var event: AgentEvent { .approvalResolved(self) }
}

extension ApprovalResolved {
  /// The event of an answer.
  init(approvalId: String, _ decision: ApprovalDecision) {
    self.init(
      approvalId: approvalId, decision: decision.verdict, scope: decision.scope.rawValue, by: decision.by,
      arguments: decision.arguments.map { .object($0) }, reason: decision.reason)
  }
}
