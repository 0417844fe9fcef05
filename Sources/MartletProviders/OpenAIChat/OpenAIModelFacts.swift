/// What OpenAI's models accept, by name, wherever they are served: after OpenAI's documentation and recorded answers as of
/// November 2026. Other models count as plain ones.
struct OpenAIModelFacts: Sendable, Hashable {
  /// Whether it is one of OpenAI's by its name.
  var isOpenAIs = false
  /// It reasons: such models refuse `max_tokens`, `stop`, and sampling parameters while they reason.
  var isReasoning = false
  /// It reasons only when asked to (GPT-5.1 and later), and takes `none` as an effort.
  var reasonsWhenAsked = false
  /// The least effort that a model which always reasons takes: `minimal` for GPT-5, `low` before.
  var leastEffort = "low"
  /// Whether it takes messages of the role `system` or `developer`; the first reasoning models did not.
  var takesInstructions = true
  /// Whether it takes sound.
  var hears = false
  var contextWindow: Int?
  var maxOutputTokens: Int?

  init(_ model: String) {
    let name = (model.split(separator: "/").last.map(String.init) ?? model).lowercased()
    isOpenAIs = ["gpt-3", "gpt-4", "gpt-5", "chatgpt-"].contains { name.hasPrefix($0) }
    hears = name.hasPrefix("gpt-") && name.contains("audio")
    takesInstructions = !name.hasPrefix("o1-mini") && !name.hasPrefix("o1-preview")
    if ["o1", "o3", "o4"].contains(where: { name == $0 || name.hasPrefix("\($0)-") }) {
      (isOpenAIs, isReasoning) = (true, true)
      (contextWindow, maxOutputTokens) = takesInstructions ? (200_000, 100_000) : (128_000, 32_768)
    } else if name.hasPrefix("gpt-5") {
      isReasoning = !name.contains("chat")
      reasonsWhenAsked = name.hasPrefix("gpt-5.")
      leastEffort = reasonsWhenAsked ? "none" : "minimal"
      (contextWindow, maxOutputTokens) = isReasoning ? (400_000, 128_000) : (128_000, 16_384)
    } else if name.hasPrefix("gpt-4.1") {
      (contextWindow, maxOutputTokens) = (1_047_576, 32_768)
    } else if name.hasPrefix("gpt-4o") {
      (contextWindow, maxOutputTokens) = (128_000, 16_384)
    }
  }

  /// Whether it reasons with the effort that a request asks for.
  func reasons(effort: String?) -> Bool {
    isReasoning && effort != "none" && !(effort == nil && reasonsWhenAsked)
  }
}
