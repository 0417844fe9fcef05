import MartletJSON

/// A run ended with an error.
public struct Failed: EventPayload {
  static let type = "failed"
  /// What kind of error.
  public var code: String
  /// One sentence, safe to show.
  public var message: String
  /// Whether trying again may help.
  public var retryable: Bool

  /// The fields of the event.
  public init(code: String, message: String, retryable: Bool = false) {
    self.code = code
    self.message = message
    self.retryable = retryable
  }

  init(_ fields: JSONFields) throws {
    self.init(
      code: try fields.string("code"),
      message: try fields.string("message"),
      retryable: try fields.boolIfPresent("retryable") ?? false)
  }

  func write(into object: inout JSONObject) {
    object["code"] = .string(code)
    object["message"] = .string(message)
    object["retryable"] = .bool(retryable)
  }

  var event: AgentEvent { .failed(self) }
}
