public import MartletJSON

/// Why a model call failed, as the log keeps it.
public struct CallFailure: Sendable, Hashable, JSONConvertible {
  /// What kind of failure (`ModelError.Code`).
  public var code: String
  /// One sentence, safe to show.
  public var message: String
  /// How long the provider asks to wait, in milliseconds.
  public var retryAfterMs: Int?

  /// A failure.
  public init(code: String, message: String, retryAfterMs: Int? = nil) {
    self.code = code
    self.message = message
    self.retryAfterMs = retryAfterMs
  }

  public init(json: JSONValue) throws {
    let fields = try JSONFields(json)
    self.init(
      code: try fields.string("code"), message: try fields.string("message"),
      retryAfterMs: try fields.intIfPresent("retry_after_ms"))
  }

  public var json: JSONValue {
    [
      "code": .string(code), "message": .string(message),
      "retry_after_ms": retryAfterMs.map { .number(JSONNumber($0)) } ?? .null,
    ]
  }
}
