// Gemma 3 (Google's function calling page: `tool_code`), Gemma 4 and FunctionGemma (their chat templates).
extension DialectGrammar {
  static let gemma = DialectGrammar(
    gemmaMarkers + [Marker(CodeFence.literal, .fence(CodeFence.Rules(readsPython: true)), .lineHead)],
    readsBareCalls: true)

  static let gemmaMarkers: [Marker] =
    [GemmaCall.gemma4, GemmaCall.functionGemma].map { tokens in
      .calls(tokens.opening, endsThinking: true) { GemmaCall(tokens) }
    }
    + Marker.thinking("<|channel>thought", "<channel|>")
    + [.drop("<end_of_turn>"), .drop("<turn|>"), .drop("<start_function_response>")]
}
