// Qwen 3 Coder and Next (their chat template), Seed OSS (the same elements in tags of its own).
extension DialectGrammar {
  static let qwenCoder = DialectGrammar(qwenCoderMarkers + hermesMarkers)

  static let qwenCoderMarkers: [Marker] =
    [
      .calls("<function=", .notQuoted) { FunctionTag() },
      .calls("<seed:tool_call>", endsThinking: true) { TagCallSection(FunctionTag.qwen) },
      .drop("</function>", .start),
      .drop("</seed:tool_call>", .start),
    ] + Marker.thinking("<seed:think>", "</seed:think>")
}
