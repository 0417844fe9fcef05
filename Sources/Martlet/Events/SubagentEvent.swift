public import MartletJSON

/// A record of a child session.
public struct SubagentEvent: EventPayload {
  static let type = "subagent"
  /// The child.
  public var session: String
  /// The record.
  public var record: JSONValue

  /// The fields of the event.
  public init(session: String, record: JSONValue) {
    self.session = session
    self.record = record
  }

  init(_ fields: JSONFields) throws {
    self.init(
      session: try fields.string("session"),
      record: fields.object["record"] ?? .null)
  }

  func write(into object: inout JSONObject) {
    object["session"] = .string(session)
    object["record"] = record
  }

  var event: AgentEvent { .subagent(self) }
}
