/// Why a model ended its reply. An open set: a provider's unknown word is kept.
public struct StopReason: RawRepresentable, Sendable, Hashable, JSONConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It said all it wanted to.
  public static let endTurn = Self(rawValue: "end_turn")
  /// It asks for tools.
  public static let toolUse = Self(rawValue: "tool_use")
  /// The output limit cut it off.
  public static let maxTokens = Self(rawValue: "max_tokens")
  /// It wrote a stop sequence.
  public static let stopSequence = Self(rawValue: "stop_sequence")
  /// It refused; what it wrote so far does not count.
  public static let refusal = Self(rawValue: "refusal")
  /// A filter of the provider cut it off.
  public static let contentFilter = Self(rawValue: "content_filter")
  /// The provider paused a long turn: the same history, sent again, continues it.
  public static let pauseTurn = Self(rawValue: "pause_turn")
  /// The context window is full.
  public static let contextWindowExceeded = Self(rawValue: "model_context_window_exceeded")
}
