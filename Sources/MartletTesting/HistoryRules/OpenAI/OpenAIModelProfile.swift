/// What a model of OpenAI's accepts, as far as the rules depend on the model.
public struct OpenAIModelProfile: Sendable, Hashable {
  /// Whether it reasons: such models refuse `max_tokens`, and while they reason sampling parameters.
  public var isReasoning: Bool
  /// Whether it reasons only when asked to (GPT-5.1 and later).
  public var reasonsWhenAsked = false
  /// Whether messages of the roles `system` and `developer` are accepted; the first reasoning models refused them.
  public var acceptsInstructions: Bool
  /// Whether it hears.
  public var acceptsAudio: Bool

  /// A profile.
  public init(isReasoning: Bool = false, acceptsInstructions: Bool = true, acceptsAudio: Bool = false) {
    self.isReasoning = isReasoning
    self.acceptsInstructions = acceptsInstructions
    self.acceptsAudio = acceptsAudio
  }

  /// Whether the model reasons with the effort that a request asks for.
  func reasons(effort: String?) -> Bool {
    isReasoning && effort != "none" && !(effort == nil && reasonsWhenAsked)
  }

  /// The profile of a model by its name: `o1`, `o3`, `o4` and `gpt-5` reason.
  public init(model: String) {
    let name = model.lowercased()
    let first = name.split(separator: "/").last.map(String.init) ?? name
    let reasons =
      ["o1", "o3", "o4"].contains { first == $0 || first.hasPrefix("\($0)-") }
      || (first.hasPrefix("gpt-5") && !first.contains("chat"))
    self.init(
      isReasoning: reasons, acceptsInstructions: !first.hasPrefix("o1-mini") && !first.hasPrefix("o1-preview"),
      acceptsAudio: first.contains("audio"))
    reasonsWhenAsked = first.hasPrefix("gpt-5.")
  }
}
