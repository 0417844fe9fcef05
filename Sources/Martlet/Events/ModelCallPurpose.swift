/// What a model call is for. An open set.
public struct ModelCallPurpose: RawRepresentable, Sendable, Hashable, JSONConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The next turn of the conversation.
  public static let turn = Self(rawValue: "turn")
  /// A summary of earlier turns.
  public static let compaction = Self(rawValue: "compaction")
  /// A check of what was said.
  public static let guardrail = Self(rawValue: "guardrail")
  /// A title for the session.
  public static let title = Self(rawValue: "title")
  /// A request that a server makes which one of the agent's tools uses.
  public static let sampling = Self(rawValue: "sampling")
}
