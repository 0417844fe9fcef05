// gpt-oss (OpenAI's harmony response format guide).
extension DialectGrammar {
  static let harmony = DialectGrammar(harmonyMarkers + [.calls("to=", .start) { HarmonyMessage() }])

  static let harmonyMarkers: [Marker] =
    ["<|start|>", "<|channel|>"].map { .calls($0, endsThinking: true) { HarmonyMessage() } }
    + HarmonyMessage.ends.map { .drop($0) }
}
