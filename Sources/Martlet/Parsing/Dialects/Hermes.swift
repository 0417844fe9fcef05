// Hermes 2 Pro and 3, Qwen 2.5 and 3, SmolLM 2 and 3 (their chat templates).
extension DialectGrammar {
  static let hermes = DialectGrammar(hermesMarkers)

  static let hermesMarkers: [Marker] = [
    .calls("<tool_call>", .notQuoted) { ToolCallTag() },
    .drop(ToolCallTag.closer, .start),
    .drop("<|im_end|>"),
    .drop("<|endoftext|>"),
  ]
}
