// Phi 4 mini (Microsoft's model card): `<|tool_call|>` around JSON in the template, `functools` before a list in practice.
extension DialectGrammar {
  static let phi = DialectGrammar(phiMarkers)

  static let phiMarkers: [Marker] = [
    .calls("<|tool_call|>") { JSONCallSection(.init(closers: specialTagClosers)) },
    .calls("functools", .lineHead) { JSONCallSection(.init()) },
    .drop("<|/tool_call|>"),
    .drop("<|end|>"),
  ]
}
