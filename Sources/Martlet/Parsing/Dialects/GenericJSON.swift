// Any model that was asked for JSON: see `CallKey` for the shapes.
extension DialectGrammar {
  static let json = DialectGrammar(jsonMarkers, readsBareCalls: true)

  static let jsonMarkers: [Marker] = [
    Marker(CodeFence.literal, .fence(CodeFence.Rules()), .lineHead)
  ]
}
