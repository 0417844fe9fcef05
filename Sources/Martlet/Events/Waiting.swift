import MartletJSON

/// Nothing can run until one of these is answered. The stream ends; any answer continues.
public struct Waiting: EventPayload {
  static let type = "waiting"
  /// Open approvals.
  public var approvals: [String]
  /// Open inputs.
  public var inputs: [String]

  /// The fields of the event.
  public init(approvals: [String] = [], inputs: [String] = []) {
    self.approvals = approvals
    self.inputs = inputs
  }

  init(_ fields: JSONFields) throws {
    self.init(
      approvals: try fields.strings("approvals"),
      inputs: try fields.strings("inputs"))
  }

  func write(into object: inout JSONObject) {
    object["approvals"] = .array(approvals.map { .string($0) })
    object["inputs"] = .array(inputs.map { .string($0) })
  }

  var event: AgentEvent { .waiting(self) }
}
