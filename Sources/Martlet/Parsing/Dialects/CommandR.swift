// Cohere's Command R and R+ (`Action:` and a fence), R7B, A and later (`<|START_ACTION|>`); their chat templates.
extension DialectGrammar {
  static let commandR = DialectGrammar(commandRMarkers(offeredOnly: false))

  static func commandRMarkers(offeredOnly: Bool) -> [Marker] {
    [
      .calls("<|START_ACTION|>", endsThinking: true) {
        var rules = JSONCallSection.Rules(closers: ["<|END_ACTION|>"])
        rules.ignoredNames = ActionBlock.noTools
        return JSONCallSection(rules)
      },
      .calls(ActionBlock.opening, .lineHead) { ActionBlock(offeredOnly: offeredOnly) },
    ] + Marker.thinking("<|START_THINKING|>", "<|END_THINKING|>")
      + [
        "<|END_ACTION|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>",
        "<|END_OF_TURN_TOKEN|>",
      ]
      .map { .drop($0) }
  }
}
