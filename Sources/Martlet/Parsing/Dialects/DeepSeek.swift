// DeepSeek V2.5 to V4, R1 and its distillations (their chat templates and encoding notes).
extension DialectGrammar {
  static let deepSeek = DialectGrammar(deepSeekMarkers)

  static let deepSeekMarkers: [Marker] =
    DeepSeekCalls.openings.map { .calls($0, endsThinking: true) { DeepSeekCalls() } }
    + DeepSeekCalls.callBegins.map { .calls($0, endsThinking: true) { DeepSeekCalls(insideCall: true) } }
    + DeepSeekMarkup.openings.map { .calls($0, endsThinking: true) { TagCallSection(DeepSeekMarkup.syntax) } }
    + (DeepSeekCalls.callEnds + DeepSeekCalls.sectionEnds + ["<｜end▁of▁sentence｜>"]).map { .drop($0) }
}
