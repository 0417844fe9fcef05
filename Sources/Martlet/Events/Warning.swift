import MartletJSON

/// Something that should be known but stops nothing.
public struct Warning: EventPayload {
  static let type = "warning"
  /// What kind.
  public var code: String
  /// One sentence.
  public var message: String

  /// The fields of the event.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  init(_ fields: JSONFields) throws {
    self.init(
      code: try fields.string("code"),
      message: try fields.string("message"))
  }

  func write(into object: inout JSONObject) {
    object["code"] = .string(code)
    object["message"] = .string(message)
  }

  var event: AgentEvent { .warning(self) }
}
