public import MartletJSON

/// Something is needed from outside before a call can go on.
public struct InputRequested: EventPayload {
  static let type = "input_requested"
  /// The question's id.
  public var inputId: String
  /// The call that needs it.
  public var callId: String?
  /// What is needed: `client_tool`, `elicitation`, `widget`, `question`.
  public var kind: String
  /// What is asked.
  public var payload: JSONValue
  /// Until when, RFC 3339.
  public var expires: String?

  /// The fields of the event.
  public init(inputId: String, callId: String? = nil, kind: String, payload: JSONValue, expires: String? = nil) {
    self.inputId = inputId
    self.callId = callId
    self.kind = kind
    self.payload = payload
    self.expires = expires
  }

  init(_ fields: JSONFields) throws {
    self.init(
      inputId: try fields.string("input_id"),
      callId: try fields.stringIfPresent("call_id"),
      kind: try fields.string("kind"),
      payload: fields.object["payload"] ?? .null,
      expires: try fields.stringIfPresent("expires"))
  }

  func write(into object: inout JSONObject) {
    object["input_id"] = .string(inputId)
    object.set("call_id", callId.map { .string($0) })
    object["kind"] = .string(kind)
    object["payload"] = payload
    object.set("expires", expires.map { .string($0) })
  }

  var event: AgentEvent { .inputRequested(self) }
}
