/// What Gemini models accept, by generation: after Google's documentation as of November 2026. Models that are not known
/// count as the newest.
struct GeminiModelFacts: Sendable, Hashable {
  enum ThinkingForm: Sendable, Hashable {
    case none
    /// A budget of tokens; `least` is the smallest that the model takes.
    case budget(least: Int)
    /// A level; `least` is the lowest that the model takes.
    case level(least: String)
  }

  var thinking: ThinkingForm
  /// Whether calls must come back with signatures.
  var needsSignatures: Bool
  /// Whether answers can be held to a schema while tools are offered.
  var takesSchemaWithTools: Bool

  init(_ model: String) {
    let name = (model.split(separator: "/").last.map(String.init) ?? model).lowercased()
    let digits = name.hasPrefix("gemini-") ? name.dropFirst(7).prefix { $0.isNumber || $0 == "." } : ""
    let generation = Double(digits) ?? (name.hasPrefix("gemma") || name.hasPrefix("learnlm") ? 1 : 3)
    let isPro = name.contains("pro")
    switch generation {
    case ..<2.5: thinking = .none
    case ..<3: thinking = .budget(least: isPro ? 128 : 0)
    default: thinking = .level(least: isPro ? "low" : "minimal")
    }
    needsSignatures = generation >= 3
    takesSchemaWithTools = generation >= 3
  }
}
