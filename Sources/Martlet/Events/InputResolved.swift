public import MartletJSON

/// What was needed has come, or will not.
public struct InputResolved: EventPayload {
  static let type = "input_resolved"
  /// The question's id.
  public var inputId: String
  /// What came.
  public var value: JSONValue?
  /// Whether it will not come.
  public var declined: Bool

  /// The fields of the event.
  public init(inputId: String, value: JSONValue? = nil, declined: Bool = false) {
    self.inputId = inputId
    self.value = value
    self.declined = declined
  }

  init(_ fields: JSONFields) throws {
    self.init(
      inputId: try fields.string("input_id"),
      value: fields["value"],
      declined: try fields.boolIfPresent("declined") ?? false)
  }

  func write(into object: inout JSONObject) {
    object["input_id"] = .string(inputId)
    object.set("value", value)
    object["declined"] = .bool(declined)
  }

  var event: AgentEvent { .inputResolved(self) }
}
