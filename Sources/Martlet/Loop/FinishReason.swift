/// Why a run is over. Errors are not among them: a run that fails ends with a `failed` event.
public enum FinishReason: String, Sendable, Hashable, CaseIterable, JSONConvertible {
  /// The model gave an answer.
  case answered
  /// A budget is used up: iterations, tokens, money or time.
  case budget
  /// Somebody cancelled it.
  case cancelled
  /// The model refused.
  case refused
  /// The answer was cut off by the output limit.
  case truncated
}
