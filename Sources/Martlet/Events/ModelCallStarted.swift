import MartletJSON

/// A model is about to be asked; what it may use is reserved.
public struct ModelCallStarted: EventPayload {
  static let type = "model_call"
  /// What for.
  public var purpose: ModelCallPurpose
  /// The model, as `provider/id`.
  public var model: String
  /// Which try of the same request this is, from 1.
  public var attempt: Int
  /// The id of the reply to come.
  public var messageId: String
  /// What it may use.
  public var reserved: Reservation

  /// The fields of the event.
  public init(
    purpose: ModelCallPurpose = .turn, model: String, attempt: Int = 1, messageId: String,
    reserved: Reservation = Reservation()
  ) {
    self.purpose = purpose
    self.model = model
    self.attempt = attempt
    self.messageId = messageId
    self.reserved = reserved
  }

  init(_ fields: JSONFields) throws {
    self.init(
      purpose: try fields.value("purpose"),
      model: try fields.string("model"),
      attempt: try fields.int("attempt"),
      messageId: try fields.string("message_id"),
      reserved: try fields.value("reserved"))
  }

  func write(into object: inout JSONObject) {
    object["purpose"] = purpose.json
    object["model"] = .string(model)
    object["attempt"] = .number(JSONNumber(attempt))
    object["message_id"] = .string(messageId)
    object["reserved"] = reserved.json
  }

  var event: AgentEvent { .modelCall(self) }
}
