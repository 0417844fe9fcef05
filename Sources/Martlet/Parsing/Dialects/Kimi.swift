// Kimi K2 (Moonshot's chat template and tool calling guide).
extension DialectGrammar {
  static let kimi = DialectGrammar(kimiMarkers)

  static let kimiMarkers: [Marker] =
    KimiCalls.openings.map { .calls($0, endsThinking: true) { KimiCalls() } }
    + [.calls(KimiCalls.callBegin, endsThinking: true) { KimiCalls(insideCall: true) }]
    + Marker.thinking("◁think▷", "◁/think▷")
    + ([KimiCalls.callEnd, "<|im_end|>"] + KimiCalls.sectionEnds).map { .drop($0) }
}
