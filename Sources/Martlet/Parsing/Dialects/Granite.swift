// Granite 3.0 to 3.3 (IBM's chat templates): a list after `<|tool_call|>` or `<tool_call>`, closed by the end of the turn.
extension DialectGrammar {
  static let granite = DialectGrammar(graniteMarkers + hermesMarkers)

  static let graniteMarkers: [Marker] = [
    .calls("<|tool_call|>") { JSONCallSection(.init(closers: specialTagClosers)) },
    .drop("<|end_of_text|>"),
  ]

  /// What closes `<|tool_call|>`: Phi's tag, or nothing.
  static let specialTagClosers = ["<|/tool_call|>", "</|tool_call|>"]
}
