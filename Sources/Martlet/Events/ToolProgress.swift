import MartletJSON

/// How far a call has come.
public struct ToolProgress: EventPayload {
  static let type = "tool_progress"
  /// The call.
  public var callId: String
  /// Done so far, in the tool's own unit.
  public var progress: Double
  /// All there is to do, where known.
  public var total: Double?
  /// What is being done.
  public var message: String?

  /// The fields of the event.
  public init(callId: String, progress: Double, total: Double? = nil, message: String? = nil) {
    self.callId = callId
    self.progress = progress
    self.total = total
    self.message = message
  }

  init(_ fields: JSONFields) throws {
    self.init(
      callId: try fields.string("call_id"),
      progress: try fields.double("progress"),
      total: try fields.doubleIfPresent("total"),
      message: try fields.stringIfPresent("message"))
  }

  func write(into object: inout JSONObject) {
    object["call_id"] = .string(callId)
    object["progress"] = JSONValue(finite: progress)
    object.set("total", total.map { JSONValue(finite: $0) })
    object.set("message", message.map { .string($0) })
  }

  var event: AgentEvent { .toolProgress(self) }
}
