import MartletJSON

/// A tool is about to run.
public struct ToolStarted: EventPayload {
  static let type = "tool_started"
  /// The call, with the arguments as they run.
  public var call: ToolCall
  /// What running it twice would do.
  public var effect: ToolEffect
  /// The session of the subagent it starts.
  public var child: ChildSession?

  /// The fields of the event.
  public init(call: ToolCall, effect: ToolEffect, child: ChildSession? = nil) {
    self.call = call
    self.effect = effect
    self.child = child
  }

  init(_ fields: JSONFields) throws {
    self.init(
      call: try fields.value("call"),
      effect: try fields.value("effect"),
      child: try fields.valueIfPresent("child"))
  }

  func write(into object: inout JSONObject) {
    object["call"] = call.json
    object["effect"] = effect.json
    object.set("child", child?.json)
  }

  var event: AgentEvent { .toolStarted(self) }
}
