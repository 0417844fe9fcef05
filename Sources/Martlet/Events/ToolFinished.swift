import MartletJSON

/// A call has its result.
public struct ToolFinished: EventPayload {
  static let type = "tool_finished"
  /// The call.
  public var callId: String
  /// The tool.
  public var name: String
  /// What came of it.
  public var result: ToolOutcome
  /// How long it ran, in milliseconds.
  public var durationMs: Double

  /// The fields of the event.
  public init(callId: String, name: String, result: ToolOutcome, durationMs: Double = 0) {
    self.callId = callId
    self.name = name
    self.result = result
    self.durationMs = durationMs
  }

  init(_ fields: JSONFields) throws {
    self.init(
      callId: try fields.string("call_id"),
      name: try fields.string("name"),
      result: try fields.value("result"),
      durationMs: try fields.double("duration_ms"))
  }

  func write(into object: inout JSONObject) {
    object["call_id"] = .string(callId)
    object["name"] = .string(name)
    object["result"] = result.json
    object["duration_ms"] = JSONValue(finite: durationMs)
  }

  var event: AgentEvent { .toolFinished(self) }
}

extension ToolFinished {
  /// The result as the model sees it.
  public var toolResult: ToolResult {
    ToolResult(callId: callId, name: name, content: result.content, isError: result.isError, code: result.code)
  }

  /// The event of a result.
  public init(_ result: ToolResult, durationMs: Double = 0) {
    self.init(
      callId: result.callId, name: result.name,
      result: ToolOutcome(content: result.content, isError: result.isError, code: result.code), durationMs: durationMs)
  }
}
