/// One thing a person sees in a conversation.
public struct TranscriptItem: Sendable, Hashable, Identifiable {
  /// What it is.
  public enum Kind: Sendable, Hashable {
    /// Something the user said.
    case user(String)
    /// Something the model said, still growing while its run is under way.
    case assistant(String)
    /// The model's reasoning.
    case thinking(String)
    /// A call, with its result once there is one.
    case toolCall(ToolCall, result: ToolResult?)
    /// Something that should be known but stopped nothing.
    case warning(String)
    /// A remark of the app, or of the run's end.
    case note(String)
  }

  /// Stable while the item grows: for lists that animate.
  public let id: Int
  /// What it is.
  public var kind: Kind

  init(id: Int, kind: Kind) {
    self.id = id
    self.kind = kind
  }
}
