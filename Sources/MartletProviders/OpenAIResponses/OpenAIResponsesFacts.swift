/// What OpenAI's models accept in the Responses API, by name: after OpenAI's documentation as of November 2026. Models that
/// are not known count as the newest, which reason.
struct OpenAIResponsesFacts: Sendable, Hashable {
  /// Whether it reasons: it then gives encrypted reasoning, and takes an effort.
  var reasons: Bool
  /// The word for no reasoning; nil for models that always reason.
  var noEffort: String?
  /// Whether it takes sampling parameters while it is not asked to reason.
  var samplesUnasked: Bool

  init(_ model: String) {
    let name = (model.split(separator: "/").last.map(String.init) ?? model).lowercased()
    if ["gpt-4", "gpt-3", "chatgpt"].contains(where: name.hasPrefix) || name.contains("-chat") {
      (reasons, noEffort, samplesUnasked) = (false, nil, true)
    } else if name.hasPrefix("gpt-5"), !name.hasPrefix("gpt-5.") {
      (reasons, noEffort, samplesUnasked) = (true, "minimal", false)
    } else if name.hasPrefix("gpt-5.") {
      (reasons, noEffort, samplesUnasked) = (true, "none", !name.contains("-pro"))
    } else if ["o1", "o3", "o4"].contains(where: { name == $0 || name.hasPrefix("\($0)-") }) {
      (reasons, noEffort, samplesUnasked) = (true, nil, false)
    } else {
      (reasons, noEffort, samplesUnasked) = (true, "none", false)
    }
  }
}
