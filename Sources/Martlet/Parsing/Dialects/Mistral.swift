// Mistral's instruct tokenizers (mistral-common): v3 to v7 write a list after `[TOOL_CALLS]`, v11 and v13 a name each.
extension DialectGrammar {
  static let mistral = DialectGrammar(mistralMarkers, readsBareCalls: true)

  static let mistralMarkers: [Marker] =
    [.calls(MistralCalls.opening, .notQuoted, endsThinking: true) { MistralCalls() }]
    + Marker.thinking("[THINK]", "[/THINK]", .notQuoted)
}
