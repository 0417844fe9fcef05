import MartletJSON

/// What `doctor` found out about one thing.
struct Finding: Sendable, Hashable {
  enum State: String, Sendable, Hashable {
    case ok, missing
    /// Something is there and not as it should be.
    case wrong

    var padded: String { rawValue + String(repeating: " ", count: 7 - rawValue.count) }
  }

  var subject: String
  var state: State
  var detail: String
  /// What to do.
  var advice: String?
  /// Whether `martlet run` with the default model cannot do without it.
  var isNeeded = false

  static func ok(_ subject: String, _ detail: String) -> Self { Self(subject: subject, state: .ok, detail: detail) }

  static func missing(_ subject: String, _ detail: String, _ advice: String? = nil, isNeeded: Bool = false) -> Self {
    Self(subject: subject, state: .missing, detail: detail, advice: advice, isNeeded: isNeeded)
  }

  static func wrong(_ subject: String, _ detail: String, _ advice: String, isNeeded: Bool = false) -> Self {
    Self(subject: subject, state: .wrong, detail: detail, advice: advice, isNeeded: isNeeded)
  }

  var json: JSONValue {
    [
      "subject": .string(subject), "state": .string(state.rawValue), "detail": .string(detail),
      "advice": advice.map { .string($0) } ?? .null, "needed": .bool(isNeeded),
    ]
  }
}
