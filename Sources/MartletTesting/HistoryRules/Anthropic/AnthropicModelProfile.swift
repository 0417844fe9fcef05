/// What a Claude model accepts, as far as the rules depend on the model.
public struct AnthropicModelProfile: Sendable, Hashable {
  /// Which `thinking` settings are accepted.
  public enum Thinking: Sendable, Hashable {
    /// `enabled` and `disabled`; `adaptive` is refused (4.5 and earlier).
    case manual
    /// `adaptive`, and `enabled` with a warning (4.6).
    case either
    /// `adaptive` and `disabled` (4.7, 4.8, Sonnet 5, Opus 5).
    case adaptive
    /// `adaptive` only: thinking cannot be turned off (Fable 5, Mythos 5, Fable 5.1, Opus 5.5).
    case always
  }

  /// Which `thinking` settings are accepted.
  public var thinking: Thinking
  /// Whether the last message may be the beginning of the reply.
  public var acceptsPrefill: Bool
  /// Whether `tool_choice` may force a call.
  public var acceptsForcedTools: Bool
  /// Whether sampling parameters other than the defaults are accepted.
  public var acceptsSampling: Bool
  /// Whether thinking is bound to the conversation before it.
  public var bindsThinking: Bool

  /// A profile.
  public init(
    thinking: Thinking, acceptsPrefill: Bool = false, acceptsForcedTools: Bool = true, acceptsSampling: Bool = false,
    bindsThinking: Bool = false
  ) {
    self.thinking = thinking
    self.acceptsPrefill = acceptsPrefill
    self.acceptsForcedTools = acceptsForcedTools
    self.acceptsSampling = acceptsSampling
    self.bindsThinking = bindsThinking
  }

  /// Claude 4.5 and earlier.
  public static let claude45 = Self(thinking: .manual, acceptsPrefill: true, acceptsSampling: true)
  /// Claude 4.6.
  public static let claude46 = Self(thinking: .either, acceptsSampling: true)
  /// Claude 4.7 and 4.8, Sonnet 5 and Opus 5.
  public static let claude47 = Self(thinking: .adaptive)
  /// Fable 5 and Mythos 5.
  public static let fable5 = Self(thinking: .always)
  /// Fable 5.1, Opus 5.5 and, by the documentation, every later model.
  public static let fable51 = Self(thinking: .always, acceptsForcedTools: false, bindsThinking: true)

  /// The profile of a model by its name (the vendor's table of thinking and history rules). Unknown ones count as the
  /// newest, the strictest.
  public init(model: String) {
    let name = model.lowercased()
    func isAny(_ parts: String...) -> Bool { parts.contains { name.contains($0) } }
    if isAny("claude-2", "claude-3", "-4-0", "-4-1", "-4-5", "claude-opus-4-2", "claude-sonnet-4-2", "claude-4-") {
      self = .claude45
    } else if isAny("-4-6") {
      self = .claude46
    } else if isAny("-4-7", "-4-8") {
      self = .claude47
    } else if isAny("5-1", "5-2", "5-3", "5-4", "5-5") {
      self = .fable51
    } else if isAny("sonnet-5", "opus-5") {
      self = .claude47
    } else if isAny("fable-5", "mythos") {
      self = .fable5
    } else {
      self = .fable51
    }
  }
}
