import MartletJSON

/// A call waits for somebody's word.
public struct ApprovalRequested: EventPayload {
  static let type = "approval_requested"
  /// The question's id.
  public var approvalId: String
  /// The call, with the arguments as they would run.
  public var call: ToolCall
  /// What can be answered.
  public var options: [ApprovalOption]

  /// The fields of the event.
  public init(approvalId: String, call: ToolCall, options: [ApprovalOption] = []) {
    self.approvalId = approvalId
    self.call = call
    self.options = options
  }

  /// Whether the call ran already and nobody knows how far it came: to allow it is to have it run again.
  public var isAboutLostCall: Bool { options.contains { $0.key == ApprovalOption.afterLoss[0].key } }

  init(_ fields: JSONFields) throws {
    self.init(
      approvalId: try fields.string("approval_id"),
      call: try fields.value("call"),
      options: try fields.values("options"))
  }

  func write(into object: inout JSONObject) {
    object["approval_id"] = .string(approvalId)
    object["call"] = call.json
    object["options"] = .array(options.map(\.json))
  }

  var event: AgentEvent { .approvalRequested(self) }
}
