// MiniMax M2 (its chat template) and M1 (`<tool_calls>` around JSON, one call a line); also the plain tags of older Claude
// prompts.
extension DialectGrammar {
  static let miniMax = DialectGrammar(miniMaxMarkers)

  private static let invoke = TagSyntax(
    call: "<invoke name=", callEnd: "</invoke>", parameter: "<parameter name=", parameterEnd: "</parameter>",
    sectionEnds: ["</minimax:tool_call>", "</function_calls>"])

  static let miniMaxMarkers: [Marker] = [
    .calls("<minimax:tool_call>", endsThinking: true) { TagCallSection(invoke) },
    .calls("<function_calls>", .notQuoted) { TagCallSection(invoke) },
    .calls("<tool_calls>", .notQuoted) { JSONCallSection(.init(closers: ["</tool_calls>"])) },
    .drop("</minimax:tool_call>", .start),
    .drop("</function_calls>", .start),
    .drop("</tool_calls>", .start),
    .drop("[e~["),
  ]
}
